// Command claims measures the claims that tutorials make about simhash, and writes the page
// results/claims.md and the raw rows:
//
//	go -C results run ./measure/claims -data DATA
//
// DATA is the folder of the reference data, of which it reads two translations of the Bible and
// pairs of Japanese sentences. It takes about two minutes. -searches adds searches of 10^7
// fingerprints from a result file of fphash bench.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/wholefile"
)

// answer is a row of the page.
type answer struct {
	number          int
	source          string
	claim           string
	figure, verdict string
	command         string
	table           string // below the list of claims; "" for none
}

// claims holds everything that was measured.
type claims struct {
	data    string
	drawn   map[string]string // pictures, by file name
	rows    []resultfile.Row
	answers []answer
}

func main() {
	data := flag.String("data", "../../shared/data", "folder of the reference data")
	searches := flag.String("searches", "", "result file with searches of 10^7 fingerprints")
	out := flag.String("out", "claims.md", "the page")
	raw := flag.String("raw", "claims.txt", "the raw rows")
	flag.Parse()
	if err := run(*data, *searches, *out, *raw); err != nil {
		fmt.Fprintln(os.Stderr, "claims:", err)
		os.Exit(1)
	}
}

func run(data, searches, out, raw string) error {
	c := &claims{data: data, drawn: map[string]string{}}
	if err := c.bench(); err != nil {
		return err
	}
	if err := c.read(searches); err != nil {
		return err
	}
	for _, measure := range []func() error{c.sketches, c.texts, c.searches, c.others} {
		if err := measure(); err != nil {
			return err
		}
	}
	head := bench.Head(time.Now(), "go -C results run ./measure/claims", nil)
	err := wholefile.Write(raw, func(w io.Writer) error { return resultfile.Write(w, bench.File(head, c.rows)) })
	if err != nil {
		return err
	}
	for name, picture := range c.drawn {
		if err := wholefile.WriteBytes(filepath.Join(filepath.Dir(raw), name), []byte(picture)); err != nil {
			return err
		}
	}
	link, err := filepath.Rel(filepath.Dir(out), raw)
	if err != nil {
		return err
	}
	return wholefile.WriteBytes(out, []byte(c.page(filepath.ToSlash(link))))
}

// samples of each case; the best one counts.
const samples = 16

// bench times the methods and hashes, and computes their quality.
func (c *claims) bench() error {
	for _, o := range []bench.Options{
		{Suite: "methods"},
		{Suite: "hashes", Hashes: []string{"fnv1a64", "xxh64", "highway64", "md5", "sha1", "lookup3", "splitmix64"}, Match: regexp.MustCompile("^Hash/.*n=1024|^Accumulate/")},
		{Suite: "hashes", Match: regexp.MustCompile("^Quality/hash=(fnv1a64|xxh64|md5|sha1|lookup3|highway64)/(pattern=words/weights=unit/f=|encoding=le64/pattern=(dense1e3|consecutive)/weights=unit/f=)")},
		{Suite: "hashes", Match: regexp.MustCompile("^Quality/.*/encoding=le64/pattern=(dense1e3|consecutive)/weights=unit/sketch=hashing/buckets=1024/")},
	} {
		plan, err := bench.NewPlan(o)
		if err != nil {
			return err
		}
		rows, err := plan.Run(context.Background(), nil, bench.RunOptions{Samples: samples, SampleTime: 2 * time.Millisecond, Progress: func(p bench.Progress) {
			fmt.Fprintf(os.Stderr, "\r%-12s %d/%d  ", p.Step, p.Case, p.Cases)
		}})
		if err != nil {
			return err
		}
		c.rows = append(c.rows, rows...)
	}
	return nil
}

// read adds the rows of a result file; "" is no file.
func (c *claims) read(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	file, err := resultfile.Read(f, name)
	c.rows = append(c.rows, file.Rows...)
	return err
}

// value returns the value of the row that has the name and the unit. Of several samples it is the
// best one, which other programs on the machine have disturbed least.
func (c *claims) value(name, unit string) float64 {
	best := math.NaN()
	for _, r := range c.rows {
		if r.Unit != unit || r.Name != name || r.Err != "" {
			continue
		}
		for _, s := range r.Samples {
			switch {
			case math.IsNaN(best):
				best = s.Value
			case terms.Better(unit) < 0:
				best = min(best, s.Value)
			default:
				best = max(best, s.Value)
			}
		}
	}
	if math.IsNaN(best) {
		panic("no row " + name + " " + unit) // the plan has it
	}
	return best
}

// put records a figure that this program computes itself.
func (c *claims) put(name, unit string, value float64) float64 {
	c.rows = append(c.rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
	return value
}

func (c *claims) say(a answer) { c.answers = append(c.answers, a) }

// A verdict begins with one of three answers.
var verdict = regexp.MustCompile(`^(true|false|depends on)\b`)

const (
	own     = "go -C results run ./measure/claims"
	methods = "fphash bench --suite methods"
)

func (c *claims) page(raw string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `# What tutorials claim about simhash

The claims come from five tutorials (A to E), from [C02] Charikar 2002, [M07] Manku, Jain, Das Sarma
2007 and [R05] Ravichandran, Pantel, Hovy 2005. %s computes this page
([raw figures](%s)). Searches of 10^7 fingerprints are from
[another run](%s). Times are the best of %d samples on one core.

| # | source | claim | figure | verdict | command |
| ---: | --- | --- | --- | --- | --- |
`, "`"+own+"`", raw, path.Join(path.Dir(raw), "searches-1e7.txt"), samples)
	for n := 1; n <= 27; n++ {
		for _, a := range c.answers {
			if a.number == n {
				fmt.Fprintf(&b, "| %d | %s | %s | %s | %s | `%s` |\n", a.number, a.source, a.claim, a.figure, a.verdict, a.command)
			}
		}
	}
	for _, a := range c.answers {
		if a.table != "" {
			fmt.Fprintf(&b, "\n%s", a.table)
		}
	}
	for _, p := range []struct{ file, about string }{{"methods.svg", "Row 2: time of a sketch"}, {"lengths.svg", "Row 9: recall by length"}, {"searches.svg", "Rows 19 to 22: time of a query"}} {
		fmt.Fprintf(&b, "\n![%s](%s)\n", p.about, path.Join(path.Dir(raw), p.file))
	}
	return b.String()
}
