package store

import (
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// results makes a file of results. Files of other arguments have other figures, as if they had been
// measured.
func results(date, goVersion, cpu string, names ...string) string {
	var b strings.Builder
	if date != "" {
		b.WriteString("# date: " + date + "\n")
	}
	b.WriteString("# go: " + goVersion + "\ngoos: linux\ngoarch: amd64\ncpu: " + cpu + "\n")
	for _, name := range names {
		fmt.Fprintf(&b, "Benchmark%s 1 %d ns/op\n", name, crc32.ChecksumIEEE([]byte(date+goVersion+cpu+strings.Join(names, " "))))
	}
	return b.String()
}

func write(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestAdd(t *testing.T) {
	folder := t.TempDir()
	s := Open(filepath.Join(folder, "results"))
	now := time.Date(2026, 5, 6, 7, 8, 9, 0, time.UTC)
	add := func(text, name string) (string, bool) {
		t.Helper()
		filed, added, err := s.Add(write(t, filepath.Join(folder, "new run.txt"), text), name, now)
		if err != nil {
			t.Fatal(err)
		}
		relative, err := filepath.Rel(folder, filed)
		if err != nil {
			t.Fatal(err)
		}
		return filepath.ToSlash(relative), added
	}
	for _, tc := range []struct {
		text, name, want string
		added            bool
	}{
		{results("2026-01-02T23:59:59Z", "go1.26", "AMD EPYC(TM) 9B45", "A"), "a", "results/amd-epyc-tm-9b45/2026-01-02/a.txt", true},
		{results("2026-01-02T23:59:59Z", "go1.26", "AMD EPYC(TM) 9B45", "A"), "a", "results/amd-epyc-tm-9b45/2026-01-02/a.txt", false},
		{results("2026-01-02T23:59:59Z", "go1.26", "AMD EPYC(TM) 9B45", "B"), "a", "results/amd-epyc-tm-9b45/2026-01-02/a-2.txt", true},
		{results("2026-01-02T23:59:59Z", "go1.26", "AMD EPYC(TM) 9B45", "B"), "a", "results/amd-epyc-tm-9b45/2026-01-02/a-2.txt", false},
		{results("", "go1.26", "X", "A"), "b", "results/x/2026-05-06/b.txt", true},
	} {
		if filed, added := add(tc.text, tc.name); filed != tc.want || added != tc.added {
			t.Errorf("filed as %s, added %v; want %s, %v", filed, added, tc.want, tc.added)
		}
	}
	for want, file := range map[string][2]string{
		"does not say its processor": {"a.txt", strings.Replace(results("", "go1.26", "X", "A"), "cpu: X\n", "", 1)},
		"no name for results":        {"new run.txt", results("", "go1.26", "X", "A")},
		"no benchmark results":       {"a.txt", "goos: linux\n"},
	} {
		if _, _, err := s.Add(write(t, filepath.Join(folder, file[0]), file[1]), "", now); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

func TestList(t *testing.T) {
	root := t.TempDir()
	for path, text := range map[string]string{
		"x/2026-01-01/bench.txt":       results("", "go1", "X", "A", "B"),
		"x/2026-01-02/bench.txt":       results("", "go1", "X", "A"),
		"y/2026-01-03/bench.txt":       results("", "go1", "Y", "A"),
		"y/2026-01-03/only.txt":        results("", "go1", "Y", "A"),
		"x/2026-01-01/bench-table.txt": "a table\n",
		"x/2026-01-01/machine.txt":     "Linux\n",
		"x/2026-01-01/utf16.txt":       "\xff\xfeB\x00",
		"bars/kernels/x.txt":           results("", "go1", "X", "A"),
		"bars/kernels.txt":             results("", "go1", "X", "A"),
	} {
		write(t, filepath.Join(root, filepath.FromSlash(path)), text)
	}
	s := Open(root)
	entries, err := s.List()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.CPU+"/"+e.Date+"/"+e.Name)
	}
	if diff := cmp.Diff([]string{"x/2026-01-01/bench", "x/2026-01-02/bench", "y/2026-01-03/bench", "y/2026-01-03/only"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if entries, err := Open(filepath.Join(root, "absent")).List(); err != nil || len(entries) != 0 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestNearest(t *testing.T) {
	many := strings.Fields("A B C D E F G H I J")
	for _, tc := range []struct {
		name  string
		store map[string]string
		file  string
		want  string // the entry's name, or part of the error
	}{
		{"the latest", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A"), "x/2026-01-03/b": results("", "go1", "X", "A", "B"), "x/2026-01-02/c": results("", "go1", "X", "A")}, results("2026-02-01T00:00:00Z", "go1", "X", "A"), "b"},
		{"not newer", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A"), "x/2026-01-03/b": results("", "go1", "X", "A", "B")}, results("2026-01-02T12:00:00Z", "go1", "X", "A"), "a"},
		{"earlier that day", map[string]string{"x/2026-01-01/a": results("2026-01-01T08:00:00Z", "go1", "X", "A"), "x/2026-01-01/b": results("2026-01-01T10:00:00Z", "go1", "X", "A")}, results("2026-01-01T09:00:00Z", "go1", "X", "A"), "a"},
		{"most in common", map[string]string{"x/2026-01-01/a": results("", "go1", "X", many...), "x/2026-01-03/b": results("", "go1", "X", "A", "B")}, results("2026-02-01T00:00:00Z", "go1", "X", many...), "a"},
		{"nearly as many in common", map[string]string{"x/2026-01-01/a": results("", "go1", "X", many...), "x/2026-01-03/b": results("", "go1", "X", many[1:]...)}, results("2026-02-01T00:00:00Z", "go1", "X", many...), "b"},
		{"same Go", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A"), "x/2026-01-03/b": results("", "go2", "X", "A")}, results("2026-02-01T00:00:00Z", "go1", "X", "A"), "a"},
		{"not itself", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A"), "x/2026-02-01/b": results("2026-02-01T00:00:00Z", "go1", "X", "A")}, results("2026-02-01T00:00:00Z", "go1", "X", "A"), "a"},
		{"not one of its own runs", map[string]string{"x/2026-01-01/a": results("2026-01-01T08:00:00Z", "go1", "X", "B", "A"), "x/2026-01-03/b": results("2026-01-03T08:00:00Z", "go1", "X", "A", "B")}, results("2026-01-03T08:00:00Z", "go1", "X", "A", "B") + results("2026-01-03T08:10:00Z", "go1", "X", "A", "B"), "a"},
		{"not what it is a run of", map[string]string{"x/2026-01-01/a": results("2026-01-01T08:00:00Z", "go1", "X", "A"), "x/2026-01-03/b": results("2026-01-03T08:00:00Z", "go1", "X", "A", "B") + results("2026-01-03T08:10:00Z", "go1", "X", "A", "B")}, results("2026-01-03T08:10:00Z", "go1", "X", "A", "B"), "a"},
		{"several processors and days", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A"), "x/2026-01-02/b": results("", "go1", "X", "A"), "y/2026-01-03/c": results("", "go1", "Y", "A"), "y/2026-01-01/d": results("", "go1", "Y", "A")}, results("2026-02-01T00:00:00Z", "go1", "X", "A"), "b"},
		{"another machine", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A")}, results("", "go1", "Y", "A"), "on Y that share a benchmark with "},
		{"nothing in common", map[string]string{"x/2026-01-01/a": results("", "go1", "X", "A")}, results("", "go1", "X", "B"), "no baseline: "},
	} {
		t.Run(tc.name, func(t *testing.T) {
			root := t.TempDir()
			for path, text := range tc.store {
				write(t, filepath.Join(root, filepath.FromSlash(path))+".txt", text)
			}
			e, err := Open(root).Nearest(write(t, filepath.Join(t.TempDir(), "new.txt"), tc.file))
			if err != nil && strings.Contains(err.Error(), tc.want) && e.Name == "" && len(tc.want) > 1 {
				return
			}
			if err != nil || e.Name != tc.want {
				t.Errorf("%s, %v; want %s", e.Name, err, tc.want)
			}
		})
	}
	if _, err := Open(t.TempDir()).Nearest(filepath.Join(t.TempDir(), "absent")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("error %v", err)
	}
}

func TestPackedResults(t *testing.T) {
	root := t.TempDir()
	if _, err := ReadFile(write(t, filepath.Join(root, "cut.gz"), "\x1f\x8b\x08\x00")); err == nil || !strings.Contains(err.Error(), "cut.gz") {
		t.Errorf("error %v", err)
	}
}
