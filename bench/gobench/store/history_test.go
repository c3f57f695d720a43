package store

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/bench/gobench/resultfile"
)

// measured makes a file of results with these lines.
func measured(date, goVersion, commit, cpu string, lines ...string) string {
	return fmt.Sprintf("# date: %s\n# go: %s\n# commit: %s\nUnit bits assume=exact\ngoos: linux\ngoarch: amd64\ncpu: %s\n\nBenchmark%s\n", date, goVersion, commit, cpu, strings.Join(lines, "\nBenchmark"))
}

func TestHistory(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"x/2026-01-01/bench":   measured("2026-01-01T08:00:00Z", "go1", "a", "X", "A 1 5 ns/op", "Q 1 60 bits 0.1 bias"),
		"x/2026-01-01/kernels": measured("2026-01-01T07:00:00Z", "go1", "a", "X", "A 1 7 ns/op", "K 1 1 ns/op"),
		"x/2026-01-01/bench-2": measured("2026-01-01T09:00:00Z", "go1", "b", "X", "A 1 3 ns/op"),
		"x/2026-01-02/bench":   measured("2026-01-02T08:00:00Z", "go2", "b", "X", "N 1 1 ns/op", "A 1 1 ns/op", "A 1 2 ns/op", "A 1 3 ns/op", "A 1 4 ns/op", "A 1 5 ns/op", "A 1 6 ns/op", "A 1 7 ns/op", "Q 1 61 bits 0.2 bias"),
		"x/2026-01-02/broken":  measured("2026-01-02T08:00:00Z", "go2", "b", "X", "A 1 5 ns/op", "B 1 x ns/op"),
		"y/2026-01-09/other":   measured("2025-01-09T08:00:00Z", "go2", "b", "Y", "A 1 5 ns/op"),
	} {
		write(t, filepath.Join(root, filepath.FromSlash(path))+".txt", text)
	}
	// A file that is not filed decides the machine, and is part of it.
	h, err := Open(root).History([]string{write(t, filepath.Join(t.TempDir(), "new.txt"), measured("", "go2", "c", "X", "A 1 9 ns/op"))}, time.Date(2026, 1, 3, 0, 0, 0, 0, time.UTC))
	if err != nil {
		t.Fatal(err)
	}
	var occasions []string
	for _, o := range h.Occasions {
		occasions = append(occasions, fmt.Sprint(o.Date, " ", o.Go, " ", o.Commit, " ", len(o.Files)))
	}
	if diff := cmp.Diff([]string{"2026-01-01 go1 a 2", "2026-01-01 go1 b 1", "2026-01-02 go2 b 2", "2026-01-03 go2 c 1"}, occasions); diff != "" {
		t.Errorf("occasions (-want +got):\n%s", diff)
	}
	if h.Machine != "X, linux/amd64" || h.Others != 1 || len(h.Broken) != 1 || !strings.Contains(h.Broken[0], "broken.txt:") {
		t.Errorf("machine %q, %d others, broken %q", h.Machine, h.Others, h.Broken)
	}
	for _, c := range h.Courses { // without folders of the test
		for _, p := range c.Points {
			for i, f := range p.Files {
				if inside, err := filepath.Rel(root, f); err == nil && filepath.IsLocal(inside) {
					f = inside
				} else {
					f = filepath.Base(f)
				}
				p.Files[i] = strings.TrimSuffix(filepath.ToSlash(f), ".txt")
			}
		}
	}
	single := func(v float64) resultfile.Figure {
		return resultfile.Figure{Median: v, Lo: math.Inf(-1), Hi: math.Inf(1), Samples: 1}
	}
	want := []Course{
		{"A", "ns/op", true, false, []Point{{0, []string{"x/2026-01-01/bench"}, single(5)}, {1, []string{"x/2026-01-01/bench-2"}, single(3)}, {2, []string{"x/2026-01-02/bench"}, resultfile.Figure{Median: 4, Lo: 1, Hi: 7, Samples: 7}}, {3, []string{"new"}, single(9)}}},
		{"N", "ns/op", true, false, []Point{{2, []string{"x/2026-01-02/bench"}, single(1)}}},
		{"Q", "bits", true, true, []Point{{0, []string{"x/2026-01-01/bench"}, single(60)}, {2, []string{"x/2026-01-02/bench"}, single(61)}}},
		{"Q", "bias", false, false, []Point{{0, []string{"x/2026-01-01/bench"}, single(0.1)}, {2, []string{"x/2026-01-02/bench"}, single(0.2)}}},
		{"K", "ns/op", true, false, []Point{{0, []string{"x/2026-01-01/kernels"}, single(1)}}},
	}
	if diff := cmp.Diff(want, h.Courses); diff != "" {
		t.Errorf("courses (-want +got):\n%s", diff)
	}

	// Without a file it is the machine of the newest results; a file that is filed is not there
	// twice.
	h, err = Open(root).History(nil, time.Time{})
	if err != nil || h.Machine != "Y, linux/amd64" || len(h.Occasions) != 1 || h.Others != 5 {
		t.Errorf("%+v, %v", h, err)
	}
	filed := filepath.Join(root, "x", "2026-01-01", "bench-2.txt")
	h, err = Open(root).History([]string{filed}, time.Time{})
	if err != nil || h.Machine != "X, linux/amd64" || len(h.Occasions) != 3 || len(h.Occasions[1].Files) != 1 {
		t.Errorf("%+v, %v", h, err)
	}
	if _, err := Open(t.TempDir()).History(nil, time.Time{}); err == nil || !strings.Contains(err.Error(), "no results in") {
		t.Errorf("error %v", err)
	}
}

// Of several files of an occasion those of the name count that most occasions have, or all.
func TestSamplesOfSeveralFiles(t *testing.T) {
	root := t.TempDir()
	for path, ns := range map[string]string{
		"01/bench": "1", "01/kernels": "10", "01/kernels-2": "20",
		"02/kernels": "11", "02/bench": "2",
		"03/kernels": "12",
		"04/a":       "4", "04/b": "6",
	} {
		date, name, _ := strings.Cut(path, "/")
		write(t, filepath.Join(root, "x", "2026-01-"+date, name+".txt"), measured("2026-01-"+date, "go1", "", "X", "A 1 "+ns+" ns/op"))
	}
	h, err := Open(root).History(nil, time.Time{})
	if err != nil {
		t.Fatal(err)
	}
	var got []float64
	for _, p := range h.Courses[0].Points {
		got = append(got, p.Median)
	}
	if diff := cmp.Diff([]float64{15, 11, 12, 5}, got); diff != "" {
		t.Errorf("medians (-want +got):\n%s", diff)
	}
}
