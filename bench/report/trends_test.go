package report

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/gobench/store"
)

// occasion is the results of a day in a made-up store.
type occasion struct{ date, goVersion, commit, lines string }

// sampleStore files results and returns their history.
func sampleStore(t testing.TB, occasions ...occasion) *store.History {
	t.Helper()
	root := t.TempDir()
	for i, o := range occasions {
		path := filepath.Join(root, "example", o.date, fmt.Sprintf("bench-%d.txt", i))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		text := fmt.Sprintf("# date: %sT01:02:03Z\n# go: %s\n# commit: %s\nUnit effective-bits assume=exact\ngoos: linux\ngoarch: amd64\ncpu: Example CPU\n\n%s\n", o.date, o.goVersion, o.commit, o.lines)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	h, err := store.Open(root).History(nil, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range h.Courses { // without the folder of the test
		for _, p := range c.Points {
			for i, f := range p.Files {
				p.Files[i] = filepath.ToSlash(strings.TrimPrefix(f, root+string(filepath.Separator)))
			}
		}
	}
	return h
}

func renderTrends(t testing.TB, h *Trends) string {
	t.Helper()
	var out strings.Builder
	if err := Write(&out, Contents{Trends: h}); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// sampleTrends has a hash that gets slower, one that stays, a quality that drops, and one that was
// measured once only.
func sampleTrends(t testing.TB) *store.History {
	var list []occasion
	for i, date := range []string{"2026-01-01", "2026-01-15", "2026-02-01", "2026-03-01", "2026-03-02"} {
		slow, bits := 5.0, 63.5
		if i == 4 {
			slow, bits = 8, 61.25
		}
		var b strings.Builder
		b.WriteString(timeRows("md5", slow) + "\n" + timeRows("xxh64", 1) + "\n")
		fmt.Fprintf(&b, "BenchmarkQuality/hash=xxh64/encoding=le64/pattern=p/weights=unit/f=64 1 %g effective-bits 0.5 bias\n", bits)
		if i == 2 {
			b.WriteString(timeRows("once", 1) + "\n")
		}
		list = append(list, occasion{date, []string{"go1.26.1", "go1.26.1", "go1.27.0", "go1.27.0", "go1.27.0"}[i], []string{"aaaaaaaaaaaaaaaa", "aaaaaaaaaaaaaaaa", "b", "c", "d"}[i], b.String()})
	}
	return sampleStore(t, list...)
}

// longTrends has many occasions, each by another version of Go with a long name.
func longTrends(t testing.TB) *store.History {
	var list []occasion
	for i := range 30 {
		list = append(list, occasion{fmt.Sprintf("2026-01-%02d", i+1), fmt.Sprintf("devel go1.27-%d", i), fmt.Sprint(i), timeRows("md5", 1+float64(i%7))})
	}
	return sampleStore(t, list...)
}

// Each commit that came without another Go has a dotted line of its own.
func TestDottedLines(t *testing.T) {
	m := pictures.FindStringSubmatch(renderTrends(t, &Trends{History: sampleTrends(t)}))
	if n := strings.Count(m[6], "stroke-dasharray:1,4"); n != 2 {
		t.Errorf("%d dotted lines, want 2", n)
	}
}

func TestTrendsThatMatch(t *testing.T) {
	page := plain(renderTrends(t, &Trends{History: sampleTrends(t), Run: regexp.MustCompile("bias$")}))
	says(t, page, []string{"Shown: 1 of 1 that were measured on two occasions or more and match bias$", "0.500 bias on 2026-03-02, as before"}, []string{"ns/key"})
	says(t, plain(renderTrends(t, &Trends{History: sampleTrends(t), Run: regexp.MustCompile("once|apples")})), []string{"No benchmark of two occasions or more matches once|apples."}, nil)
}

// Where there is no trend, it says why.
func TestNoTrend(t *testing.T) {
	page := renderTrends(t, &Trends{History: sampleStore(t, occasion{"2026-01-01", "go1", "", timeRows("a", 1)})})
	says(t, plain(page), []string{"There is only one occasion, 2026-01-01, in 1 file: a trend takes two. fphash results add files results."}, []string{"Shown"})
	if strings.Contains(page, "<svg") {
		t.Error("there is a picture of one point")
	}
	says(t, plain(renderTrends(t, &Trends{History: sampleStore(t, occasion{"2026-01-01", "go1", "", timeRows("a", 1)}, occasion{"2026-01-02", "go1", "", timeRows("b", 1)})})),
		[]string{"No benchmark was measured on two occasions or more."}, nil)
	says(t, plain(renderTrends(t, &Trends{History: sampleStore(t, occasion{"2026-01-01", "go1", "", timeRows("a", 1)}, occasion{"2026-01-02", "go1", "", timeRows("a", 1) + "\nBenchmarkB 1 x ns/op"})})),
		[]string{"These files do not parse, and are left out:", "bench-1.txt:"}, nil)
}

// A dozen of many: half of them what is out of line, the others one of each kind in turn.
func TestDozen(t *testing.T) {
	results := func(factor float64) string {
		var lines []string
		for i := range 20 {
			lines = append(lines, timeRows(fmt.Sprintf("a%d", i), 1+factor*float64(i)))
		}
		for _, kind := range []string{"Accumulate/weights=f32/f=64/kernel=naive/nnz=100", "Accumulate/weights=f32/f=64/kernel=avx2/nnz=100", "Other"} {
			lines = append(lines, "Benchmark"+kind+" 1 7 ns/op")
		}
		return strings.Join(lines, "\n")
	}
	h := &Trends{History: sampleStore(t, occasion{"2026-01-01", "go1", "", results(1)}, occasion{"2026-01-02", "go1", "", results(2)})}
	chosen, of := h.chosen()
	var names []string
	for _, c := range chosen {
		names = append(names, c.Name)
	}
	got := strings.NewReplacer("/encoding=le64/kernel=avx2/n=1024", "", "Hash/hash=", "", "/weights=f32/f=64", "", "/nnz=100", "").Replace(strings.Join(names, " "))
	if want := "a19 a18 a17 a16 a15 a14 a0 Accumulate/kernel=avx2 Other a1 Accumulate/kernel=naive a2"; got != want || of != 23 {
		t.Errorf("%s of %d, want %s of 23", got, of, want)
	}
}

// Out of line is what has moved beyond the intervals and by more than 3%, or at all where there is
// no noise; of zero there is no share.
func TestMoved(t *testing.T) {
	course := func(name string, exact bool, before, last store.Point) store.Course {
		return store.Course{Name: name, Exact: exact, Points: []store.Point{{Figure: resultfile.Figure{Median: 5}}, before, last}}
	}
	sampled := func(v float64) store.Point {
		return store.Point{Figure: resultfile.Figure{Median: v, Lo: v * 0.99, Hi: v * 1.01}}
	}
	single := func(v float64) store.Point {
		return store.Point{Figure: resultfile.Figure{Median: v, Lo: math.Inf(-1), Hi: math.Inf(1)}}
	}
	var names []string
	for _, c := range moved([]store.Course{
		course("still", false, sampled(1), sampled(1)),
		course("little", false, sampled(1), sampled(1.025)),
		course("within", false, store.Point{Figure: resultfile.Figure{Median: 1, Lo: 0.9, Hi: 1.2}}, sampled(1.1)),
		course("far", false, sampled(1), sampled(1.5)),
		course("exact", true, single(64), single(63.9)),
		course("still exact", true, single(64), single(64)),
		course("from zero", true, single(0), single(1)),
		course("down", false, sampled(1), sampled(0.9)),
		// without intervals only equal figures overlap
		course("single", false, single(1), single(1.2)),
		course("single, still", false, single(1), single(1)),
	}) {
		names = append(names, c.Name)
	}
	if got, want := strings.Join(names, ", "), "from zero, far, single, down, exact"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
