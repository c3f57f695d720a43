package advice

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

func source(t *testing.T, name, cpu string, lines ...string) Source {
	t.Helper()
	text := "# date: 2026-01-02T03:04:05Z\ngoos: linux\ngoarch: amd64\ncpu: " + cpu + "\n\n" + strings.Join(lines, "\n") + "\n"
	file, err := resultfile.Read(strings.NewReader(text), name)
	if err != nil {
		t.Fatal(err)
	}
	return Source{Name: name, File: file}
}

func namesOf(cells []Cell) []string {
	var list []string
	for _, c := range cells {
		list = append(list, c.Row())
	}
	return list
}

func TestExactOfAllFiles(t *testing.T) {
	s := NewSet([]Source{
		source(t, "a", "A", "BenchmarkQuality/hash=x/f=64 1 60 effective-bits 1 verdict", "BenchmarkQuality/hash=y/f=64 1 61 effective-bits"),
		source(t, "b", "B", "BenchmarkQuality/hash=x/f=64 1 50 effective-bits 1 verdict", "BenchmarkQuality/hash=z/f=64 1 62 effective-bits"),
	})
	cells := s.Exact("Quality")
	want := []string{"BenchmarkQuality/hash=x/f=64", "BenchmarkQuality/hash=y/f=64", "BenchmarkQuality/hash=z/f=64"}
	if diff := cmp.Diff(want, namesOf(cells)); diff != "" {
		t.Errorf("cells (-want +got):\n%s", diff)
	}
	if v, ok := cells[0].Value("effective-bits"); !ok || v != 50 || cells[0].Source != 1 {
		t.Errorf("got %v from file %d, want the value of the later file", v, cells[0].Source)
	}
}

// A run never has times of two files, even if one file has times that the other lacks.
func TestRunIsOneFile(t *testing.T) {
	s := NewSet([]Source{
		source(t, "a", "A", "BenchmarkHash/hash=x/n=1 9 1 ns/key", "BenchmarkHash/hash=y/n=1 9 2 ns/key"),
		source(t, "b", "A", "BenchmarkHash/hash=y/n=1 9 3 ns/key", "BenchmarkHash/hash=z/n=1 9 4 ns/key"),
		source(t, "c", "A", "BenchmarkHash/hash=x/n=1 9 5 ns/key"),
		source(t, "d", "B", "BenchmarkHash/hash=x/n=1 9 6 ns/key"),
	})
	if n := len(s.Runs("Hash")); n != 4 {
		t.Errorf("%d runs, want 4", n)
	}
	if runs := s.Runs("Sketch"); runs != nil {
		t.Errorf("runs of nothing: %v", runs)
	}
	if name := s.Sources[3].Machine(); name != "B, linux/amd64" {
		t.Errorf("the machine is %s", name)
	}
}

func TestFigures(t *testing.T) {
	s := NewSet([]Source{source(t, "a", "A",
		"# error: Hash/hash=broken/n=1: wrong answer: key 7",
		"BenchmarkQuality/f=64 1 NaN bias 2 rmse +Inf variance-ratio",
		"BenchmarkHash/n=1 9 1 ns/key", "BenchmarkHash/n=1 9 2 ns/key", "BenchmarkHash/n=1 9 3 ns/key", "BenchmarkHash/n=1 9 4 ns/key",
		"BenchmarkHash/n=1 9 5 ns/key", "BenchmarkHash/n=1 9 6 ns/key", "BenchmarkHash/n=1 9 7 ns/key",
	)})
	cells := s.Exact("Quality")
	if _, ok := cells[0].Get("bias"); ok || s.Dropped != 2 {
		t.Errorf("NaN and infinite values must be dropped; %d were", s.Dropped)
	}
	if v, ok := cells[0].Value("rmse"); !ok || v != 2 {
		t.Errorf("rmse %v, %v", v, ok)
	}
	if len(s.Broken) != 1 || s.Broken[0].Reason != "wrong answer: key 7" || s.Broken[0].Row() != "BenchmarkHash/hash=broken/n=1" {
		t.Errorf("broken %+v", s.Broken)
	}
	hash := s.Exact("Hash")
	f, ok := hash[0].Get("ns/key")
	if !ok || f.Median != 4 || !Bounded(f) || f.Lo >= 4 || f.Hi <= 4 {
		t.Errorf("figure %+v, want a median of 4 within an interval", f)
	}
	if hash[0].Encoding() != "le64" {
		t.Errorf("encoding %q", hash[0].Encoding())
	}
}
