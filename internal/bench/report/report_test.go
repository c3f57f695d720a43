package report

import (
	"context"
	"errors"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/datasets"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
)

func render(t testing.TB, sources ...advice.Source) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, sources); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// fromText returns a source with benchmark lines that were measured on a machine with the given
// cpu.
func fromText(t testing.TB, cpu string, lines ...string) advice.Source {
	t.Helper()
	file, err := resultfile.Read(strings.NewReader("cpu: "+cpu+"\n\n"+strings.Join(lines, "\n")+"\n"), "bench.txt")
	if err != nil {
		t.Fatal(err)
	}
	return advice.Source{Name: "bench.txt", File: file}
}

var (
	styles    = regexp.MustCompile(`(?s)<style>.*?</style>`)
	intervals = regexp.MustCompile(`(?s)<svg class="interval".*?</svg>`)
	tags      = regexp.MustCompile(`<[^>]*>`)
)

// plain returns the visible text of a page.
func plain(page string) string {
	return strings.Join(strings.Fields(html.UnescapeString(tags.ReplaceAllString(styles.ReplaceAllString(page, ""), ""))), " ")
}

// A section without rows names the command that measures them, and has no table. With rows, it has
// tables.
func TestSections(t *testing.T) {
	whole := render(t, everything.source(t, "bench.txt"))
	for _, tc := range []struct {
		id, row string
	}{
		{"recommendation", ""},
		{"speed", "<strong>md5</strong>"},
	} {
		t.Run(tc.id, func(t *testing.T) {
			section := func(page string) string {
				_, rest, found := strings.Cut(page, `<section id="`+tc.id+`"`)
				if !found {
					t.Fatalf("there is no section %s", tc.id)
				}
				text, _, _ := strings.Cut(rest, "</section>")
				return text
			}
			present := section(whole)
			if strings.Contains(present, `class="missing"`) || !strings.Contains(present, tc.row) {
				t.Errorf("with rows:\n%s", skeleton(present))
			}
			if tc.id != "recommendation" && !strings.Contains(present, "<table") {
				t.Error("with rows there is no table")
			}
			o := everything
			o.hashes, o.patterns = o.hashes[:1], o.patterns[:1]
			o.quality = false
			absent := section(render(t, o.source(t, "bench.txt")))
			if !strings.Contains(absent, `<p class="missing">`) || !strings.Contains(absent, "<code>"+command+"</code>") || strings.Contains(absent, "<svg") || strings.Contains(absent, "<table") {
				t.Errorf("without rows:\n%s", skeleton(absent))
			}
		})
	}
}

func TestNoFiles(t *testing.T) {
	if page := plain(render(t)); !strings.Contains(page, "No result files were named.") {
		t.Errorf("page:\n%s", page)
	}
}

// The page requests nothing and runs no scripts.
func TestSelfContained(t *testing.T) {
	page := render(t, everything.source(t, "bench.txt")) + renderComparison(t, sampleComparison(t, fewRows...))
	for _, bad := range []string{"http:", "https:", "//", "src=", "url(", "@import", "<script", "<iframe", "<object", "<img", "onload", "NaN", "Inf"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %s", bad)
		}
	}
	if !strings.Contains(page, "default-src &#39;none&#39;") && !strings.Contains(page, "default-src 'none'") {
		t.Error("the page does not forbid requests")
	}
}

func TestSameBytes(t *testing.T) {
	o := everything
	o.patterns = o.patterns[:1]
	source := o.source(t, "bench.txt")
	first := render(t, source)
	for range 3 {
		if render(t, source) != first {
			t.Fatal("the same file gives other bytes")
		}
	}
}

// Names, errors, heads and file names are shown as text, even if they look like markup.
func TestUntrustedText(t *testing.T) {
	evil := `<b>&"'` + "`{{.}}"
	o := everything
	o.hashes, o.patterns, o.weights = []string{evil, "xxh64"}, []string{evil}, []string{evil}
	source := o.source(t, evil+".txt")
	source.File.Head = append(source.File.Head, resultfile.Field{Name: evil, Value: evil})
	source.File.Config = append(source.File.Config, resultfile.Field{Name: "cpu", Value: evil})
	source.File.Rows = append(source.File.Rows, resultfile.Row{Name: "Hash/hash=" + evil, Err: evil})
	page := render(t, source)
	if strings.Contains(page, "<b>") || !strings.Contains(page, "&lt;b&gt;&amp;") {
		t.Error("text of a file became markup in the page")
	}
	if n := strings.Count(page, "<svg"); n != strings.Count(page, "</svg>") || n == 0 {
		t.Errorf("%d pictures begin, %d end", n, strings.Count(page, "</svg>"))
	}
}

// No file leads to a page with NaN or Inf.
func TestStrangeFigures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		figure := func(name string) string {
			return rapid.SampledFrom([]string{"0", "-1", "1", "64", "1e-300", "1e300", "-1e300", "1.7976931348623157e308", "4.9e-324", "NaN", "Inf", "0.5"}).Draw(t, name)
		}
		key := func(name string) string {
			return rapid.SampledFrom([]string{"1", "0", "-3", "64", "1e300", "9999999999999999999999", "x", "NaN", "90"}).Draw(t, name)
		}
		var lines []string
		for range rapid.IntRange(1, 6).Draw(t, "rows") {
			hash := rapid.SampledFrom([]string{"a", "b"}).Draw(t, "hash")
			f := rapid.SampledFrom([]string{"64", "0", "x"}).Draw(t, "f")
			lines = append(lines,
				fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=dec/pattern=p/weights=unit/f=%s 1 %s effective-bits %s effective-bits-low %s effective-bits-high %s bias %s constant-bits %s verdict",
					hash, f, figure("bits"), figure("low"), figure("high"), figure("bias"), figure("constant"), figure("verdict")),
				fmt.Sprintf("BenchmarkHash/hash=%s/encoding=dec/kernel=avx2/n=1 1 %s ns/key", hash, figure("ns")),
				fmt.Sprintf("BenchmarkAccumulate/weights=f32/f=64/kernel=%s/nnz=%s 1 %s ns/nnz", hash, key("nnz"), figure("ns")),
				fmt.Sprintf("BenchmarkQuery/index=%s/f=%s/k=3/kernel=avx2/n=%s 1 %s ns/query", hash, f, key("n"), figure("ns")))
		}
		file, err := resultfile.Read(strings.NewReader(strings.Join(lines, "\n")+"\n"), "strange.txt")
		if err != nil {
			t.Fatal(err)
		}
		var out strings.Builder
		if err := Write(&out, []advice.Source{{Name: "strange.txt", File: file}}); err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"NaN,", ",NaN", "Inf,", ",+Inf", ">NaN", ">+Inf", ">−Inf", "NaN%"} {
			if i := strings.Index(out.String(), bad); i >= 0 {
				t.Fatalf("%s in …%s…", bad, out.String()[max(0, i-300):min(out.Len(), i+100)])
			}
		}
	})
}

var errFull = errors.New("disk full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }

func TestWriteError(t *testing.T) {
	for _, err := range []error{Write(fullDisk{}, nil), WriteComparison(fullDisk{}, sampleComparison(t, fewRows...))} {
		if !errors.Is(err, errFull) || !strings.HasPrefix(err.Error(), "report: ") {
			t.Errorf("error %v", err)
		}
	}
}

func BenchmarkWrite(b *testing.B) {
	o := everything
	o.hashes = manyHashes
	o.patterns = []string{"consecutive", "dense1e3", "uniform64", "uniform1e7", "strided", "pow2", "bitrev"}
	source := o.source(b, "bench.txt")
	for b.Loop() {
		render(b, source)
	}
	b.ReportMetric(float64(len(source.File.Rows)), "rows")
}

// manyHashes are the hashes of a full run.
var manyHashes = []string{"fnv1-64", "fnv1a64", "fnv1a128", "xxh64", "xxh3", "highway64", "highway128", "highway256", "md5", "sha1", "sha256", "murmur3-128", "siphash", "lookup3", "splitmix64"}

// recommendationOf returns the text of the recommendation.
func recommendationOf(t *testing.T, sources ...advice.Source) string {
	t.Helper()
	page := plain(render(t, sources...))
	page, _, _ = strings.Cut(page[strings.Index(page, "Which hash to use"):], "Speed against effective bits")
	return page
}

func says(t *testing.T, page string, say, dontSay []string) {
	t.Helper()
	for _, want := range say {
		if !strings.Contains(page, want) {
			t.Errorf("it does not say %q:\n%s", want, page)
		}
	}
	for _, bad := range dontSay {
		if strings.Contains(page, bad) {
			t.Errorf("it says %q:\n%s", bad, page)
		}
	}
}

func qualityRow(hash, pattern string, bits, verdict float64) string {
	return fmt.Sprintf("BenchmarkQuality/hash=%s/encoding=le64/pattern=%s/weights=unit/f=64 1 %g effective-bits %g effective-bits-low %g effective-bits-high %g verdict", hash, pattern, bits, bits-1, bits+1, verdict)
}

// good returns rows of hashes that are good on one pattern.
func good(hashes ...string) string {
	var lines []string
	for _, hash := range hashes {
		lines = append(lines, qualityRow(hash, "p", 63, 1))
	}
	return strings.Join(lines, "\n")
}

// timeRows returns enough samples for an interval, within one percent of the time.
func timeRows(hash string, ns float64) string {
	var lines []string
	for i := range 9 {
		lines = append(lines, fmt.Sprintf("BenchmarkHash/hash=%s/encoding=le64/kernel=avx2/n=1024 1000 %g ns/key", hash, ns*(1+float64(i-4)/400)))
	}
	return strings.Join(lines, "\n")
}

// The section has the text of package advice, the rows that it is based on, and the faults of other
// hashes.
func TestRecommendation(t *testing.T) {
	for _, tc := range []struct {
		name         string
		lines        []string
		say, dontSay []string
	}{
		{"a good one, not the cheapest",
			[]string{qualityRow("fast", "p", 9, -1), qualityRow("good", "p", 62, 1), qualityRow("dear", "p", 64, 1), qualityRow("fast", "q", 63, 1), qualityRow("good", "q", 63, 1), qualityRow("dear", "q", 64, 1),
				timeRows("fast", 1), timeRows("good", 2), timeRows("dear", 9)},
			[]string{"Use good with le64 keys: 2.00 ns per feature of hashing alone (kernel avx2). 2 of the 3 combinations are good", "BenchmarkHash/hash=good/encoding=le64/kernel=avx2/n=1024BenchmarkQuality/hash=good/encoding=le64/pattern=p/weights=unit/f=64",
				"At worst it is worth 62.0 of 64 bits", "Weak, do not use: fast le64.", "fast: 9.0 of 64 bits on little-endian keys of"},
			[]string{"Use fast", "Undecided"}},
		{"none is good", []string{qualityRow("a", "p", 55, 0), timeRows("a", 1)}, []string{"No hash is known to be good on", "a: too few pairs at cosine 0.9 and above"}, []string{"Use "}},
		{"no times", []string{good("a"), qualityRow("b", "p", 8, -1)}, []string{"Use a with le64 keys, which was not timed in this run."}, nil},
		{"other widths are ignored", []string{good("a", "b"), strings.ReplaceAll(qualityRow("c", "p", 5, -1), "f=64", "f=32"), timeRows("a", 1), timeRows("b", 2)},
			[]string{"Use a with"}, []string{"c le64"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			says(t, recommendationOf(t, fromText(t, "A", tc.lines...)), tc.say, tc.dontSay)
		})
	}
}

// If no hash can be recommended, the callout is a warning.
func TestLooks(t *testing.T) {
	page := render(t, fromText(t, "A", qualityRow("a", "p", 9, -1), timeRows("a", 1)))
	if !strings.Contains(page, `<p class="callout warning"><span class="lead">a with le64 keys is weak on `) || !strings.Contains(page, ".callout.warning { border-left-color: var(--weak); }") {
		t.Error("there is no warning, although no hash is recommended")
	}
}

// Times come from one file, the last one that timed the most hashes, and the quality from all
// files.
func TestTwoMachines(t *testing.T) {
	page := plain(render(t,
		fromText(t, "Left CPU", qualityRow("fmix64", "p", 63, 1), qualityRow("xxh64", "p", 63, 1), timeRows("fmix64", 4), timeRows("xxh64", 3)),
		fromText(t, "Right CPU", timeRows("fmix64", 1), timeRows("xxh64", 2)),
		fromText(t, "Third CPU", timeRows("xxh64", 9))))
	says(t, page, []string{"Use fmix64 with le64 keys", "It is clearly cheaper than the default, xxh64 with le64 keys (2.00 ns)", "measured on Left CPU; Right CPU; Third CPU"}, []string{"4.00", "9.00"})
}

func TestDoubts(t *testing.T) {
	page := plain(render(t,
		fromText(t, "A", qualityRow("a", "p", 63, 1), "BenchmarkQuality/hash=b/encoding=le64/pattern=p/weights=unit/f=64 1 NaN effective-bits", "# error: Hash/hash=a/n=1: wrong answer: key 7"),
		fromText(t, "B", qualityRow("a", "p", 60, 1))))
	says(t, page, []string{"BenchmarkHash/hash=a/n=1 in file 1: wrong answer: key 7", "1 value is left out"}, nil)
	noisy := []string{qualityRow("a", "p", 63, 1)}
	for _, ns := range []int{2, 4, 3, 9, 5, 2} {
		noisy = append(noisy, fmt.Sprintf("BenchmarkHash/hash=a/encoding=le64/kernel=generic/n=8 1 %d ns/key", ns))
	}
	says(t, plain(render(t, fromText(t, "A", noisy...))), []string{"File 1. Noisy: 1 of 1 medians are uncertain by more than 25%"}, nil)
	if clean := plain(render(t, fromText(t, "A", qualityRow("a", "p", 63, 1)))); strings.Contains(clean, "What is wrong with the files") {
		t.Error("a clean file has doubts")
	}
}

var (
	sections = regexp.MustCompile(`(?s)<section id="([^"]*)".*?</section>`)
	lacks    = regexp.MustCompile(`<p class="missing">([^<]*)<code>([^<]*)</code>`)
)

// lack is a sentence about missing results: its section, its words, and the command that it names.
type lack struct{ section, words, command string }

func lacksOf(page string) (list []lack) {
	for _, s := range sections.FindAllStringSubmatch(page, -1) {
		for _, m := range lacks.FindAllStringSubmatch(s[0], -1) {
			list = append(list, lack{s[1], m[1], html.UnescapeString(m[2])})
		}
	}
	return list
}

// The commands that a page names for missing results do measure these.
func TestNamedCommandsMeasureWhatIsMissing(t *testing.T) {
	untimed := slices.DeleteFunc(strings.Split(everything.text(), "\n"), func(line string) bool { return !strings.HasPrefix(line, "BenchmarkQuality/") })
	found := slices.Concat(lacksOf(render(t, fromText(t, "x", "BenchmarkOther 1 1 ns/op"))), lacksOf(render(t, fromText(t, "x", untimed...))))
	if len(found) < 3 {
		t.Errorf("only %d sentences about missing results: %v", len(found), found)
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

// linesOf returns lines of a file that the command would write: all timed cases with made-up times,
// and two cells.
func linesOf(t *testing.T, command string) (lines []string) {
	t.Helper()
	rest, isBench := strings.CutPrefix(command, "fphash bench")
	suite, ok := strings.CutPrefix(rest, " --suite ")
	if !isBench || !ok && rest != "" {
		t.Fatalf("command %q, expected one of fphash bench", command)
	}
	few := regexp.MustCompile(`^Quality/hash=xxh64/encoding=le64/pattern=(consecutive|uniform64)/weights=unit/f=64$`)
	o := bench.Options{Suite: suite, Data: datasets.GoSourceName}
	plan, err := bench.NewPlan(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range plan.Names() {
		if strings.HasPrefix(name, terms.Quality+"/") {
			continue
		}
		for range 8 {
			lines = append(lines, fmt.Sprintf("Benchmark%s 100 7 %s 7 %s", name, terms.NanosecondsPerKey, terms.NanosecondsPerFeature))
		}
	}
	o.Match = few
	if plan, err = bench.NewPlan(o); err != nil { // the suite computes nothing
		return lines
	}
	results, err := plan.Run(context.Background(), nil, bench.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range results {
		lines = append(lines, fmt.Sprintf("Benchmark%s 1 %v %s", row.Name, row.Samples[0].Value, row.Unit))
	}
	return lines
}

// The table marks the hash that the text recommends, not the cheapest one, and draws the times in
// proportion. The best hashes come first.
func TestTableOfHashes(t *testing.T) {
	html := render(t, fromText(t, "A", qualityRow("fast", "p", 9, -1), qualityRow("good", "p", 62, 1), qualityRow("dear", "p", 64, 1), timeRows("fast", 1), timeRows("good", 2), timeRows("dear", 9)))
	var marks []float64
	for _, m := range regexp.MustCompile(`<circle cx="([0-9.]+)"`).FindAllStringSubmatch(html, -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		marks = append(marks, x)
	}
	// time and bits of each hash: good, dear, fast
	if len(marks) != 6 || !(marks[4] < marks[0] && marks[0] < marks[2]) || !(marks[5] < marks[1] && marks[1] < marks[3]) {
		t.Errorf("marks at %v", marks)
	}
	words := plain(html)
	_, row, _ := strings.Cut(words, "goodle64")
	row, _, _ = strings.Cut(row, "dearle64")
	if !strings.Contains(row, "p, unitgood, recommended") || strings.Count(words, "recommended") != 1 {
		t.Errorf("the recommended hash is not marked:\n%s", words)
	}
}
