package report

import (
	"context"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/bench"
	"simhashkit/bench/terms"
)

var (
	sections = regexp.MustCompile(`(?s)<section id="([^"]*)".*?</section>`)
	lacks    = regexp.MustCompile(`<p class="missing">([^<]*)<code>([^<]*)</code>`)
)

// lack is a sentence that something is missing: where it stands, and the command that it names.
type lack struct{ section, words, command string }

func lacksOf(page string) (list []lack) {
	for _, s := range sections.FindAllStringSubmatch(page, -1) {
		for _, m := range lacks.FindAllStringSubmatch(s[0], -1) {
			list = append(list, lack{s[1], m[1], html.UnescapeString(m[2])})
		}
	}
	return list
}

// Whatever command a page names for what it has not, a file of that command's rows has it.
func TestNamedCommandsMeasureWhatIsMissing(t *testing.T) {
	untimed := slices.DeleteFunc(strings.Split(everything.text(), "\n"), func(line string) bool { return !strings.HasPrefix(line, "BenchmarkQuality/") })
	found := slices.Concat(lacksOf(render(t, fromText(t, "x", "BenchmarkOther 1 1 ns/op"))), lacksOf(render(t, fromText(t, "x", untimed...))))
	if len(found) < 4 {
		t.Errorf("only %d sentences that something is missing: %v", len(found), found)
	}
	pages := map[string][]lack{}
	for _, l := range found {
		if _, ok := pages[l.command]; !ok {
			pages[l.command] = lacksOf(render(t, fromText(t, "x", linesOf(t, l.command)...)))
		}
		if slices.Contains(pages[l.command], l) {
			t.Errorf("section %s: %q names %s, which leaves it missing", l.section, l.words, l.command)
		}
	}
}

// linesOf are lines of a file that the command would write: all that it times, with made-up times,
// and of what it computes two cells.
func linesOf(t *testing.T, command string) (lines []string) {
	t.Helper()
	rest, isBench := strings.CutPrefix(command, "fphash bench")
	suite, ok := strings.CutPrefix(rest, " --suite ")
	if !isBench || !ok && rest != "" {
		t.Fatalf("command %q, expected one of fphash bench", command)
	}
	o := bench.Options{Suite: suite, Data: bench.DefaultData}
	plan, err := bench.NewPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	var timed []string
	for _, c := range plan.Cases {
		timed = append(timed, c.Name.String())
	}
	for _, name := range timed {
		for range 8 {
			lines = append(lines, fmt.Sprintf("Benchmark%s 100 7 %s 7 %s", name, terms.NanosecondsPerKey, terms.NanosecondsPerFeature))
		}
	}
	few := regexp.MustCompile(`^Quality/hash=xxh64/encoding=le64/pattern=(consecutive|uniform64)/weights=unit/f=64$`)
	cells := slices.DeleteFunc(slices.Clone(plan.Cells), func(c bench.Cell) bool { return !few.MatchString(c.Name.String()) })
	results, err := (&bench.Plan{Cells: cells}).Run(context.Background(), bench.NewInputs(nil), bench.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range results.Rows {
		lines = append(lines, fmt.Sprintf("Benchmark%s 1 %v %s", row.Name, row.Samples[0].Value, row.Unit))
	}
	return lines
}
