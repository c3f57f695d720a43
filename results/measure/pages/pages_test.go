package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

const root = "../../.."

// The tables on the pages show the files that they name: update fills emptied tables with the same
// content.
func TestPagesShowTheFiledResults(t *testing.T) {
	for _, page := range pages {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		emptied := regexp.MustCompile(`(?s)(<!-- [a-z0-9-]+ from [^>]+ -->\n).+?(<!-- end of )`).ReplaceAllString(string(text), "$1$2")
		if got, err := update(root, emptied); err != nil || got != string(text) || emptied == string(text) {
			t.Errorf("%s does not show the content of its result files; run go -C results run ./measure/pages: %v", page, err)
		}
	}
}

// The picture shows the figures of its result file.
func TestPictureShowsTheFiledResults(t *testing.T) {
	f, err := read(root, []string{pictureSource})
	if err != nil {
		t.Fatal(err)
	}
	want, err := picture(f)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(pictureFile))); err != nil || string(got) != want {
		t.Errorf("%s does not show the content of %s; run go -C results run ./measure/pages: %v", pictureFile, pictureSource, err)
	}
	if _, err := picture(filedOf("Sketch/hash=xxh64", "ns/nnz", 1.0)); err == nil {
		t.Error("no error for a picture without figures")
	}
}

// Faulty marks are errors.
func TestMarks(t *testing.T) {
	const file = "results/amd-epyc/2026-11-29/hashes.txt"
	for text, want := range map[string]string{
		"no mark\n":                           "no mark",
		"<!-- hashes from " + file + " -->\n": "no end of hashes",
		"<!-- hash from " + file + " -->\n<!-- end of hash -->\n":                       "no table with this name",
		"<!-- hashes from results/none.txt -->\n<!-- end of hashes -->\n":               "none.txt",
		"<!-- hashes from " + file + " -->\n<!-- end of hashes -->\n":                   "no figure in the column bits of simhash",
		"<!-- pairs from " + file + " -->\n<!-- end of pairs -->\n":                     "no figure in the row simhashkit, one core",
		"<!-- near-duplicates from " + file + " -->\n<!-- end of near-duplicates -->\n": "no rows of `{collection}`",
	} {
		if got, err := update(root, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q became %q, %v; expected an error with %q", text, got, err, want)
		}
	}
}

// measured matches a number with a unit of time, memory, speed or a share.
var measured = regexp.MustCompile(`[0-9](\.[0-9]+)? ?(%|×|(ns|µs|ms|s|seconds|minutes|KB|MB|GB)\b)`)

// README has measured figures only in its tables and in the output of programs, because other
// figures could become outdated unnoticed.
func TestReadmeHasNoOtherFigures(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	prose := regexp.MustCompile("(?ms)^```.*?^```$|^<!-- [a-z]+ from .*?<!-- end of [a-z]+ -->$").ReplaceAllString(string(text), "")
	if found := measured.FindString(prose); found != "" {
		t.Errorf("README has the figure %q outside of the tables", found)
	}
	for _, lie := range []string{"finds 51% of them", "in 10 s on two cores", "0.9 GB"} {
		if !measured.MatchString(lie) {
			t.Errorf("%q is not recognized as a figure", lie)
		}
	}
}

// rowsOf returns rows of one sample each. The arguments are names, units and values in turn.
func rowsOf(rows ...any) (list []resultfile.Row) {
	for i := 0; i < len(rows); i += 3 {
		list = append(list, resultfile.Row{Name: rows[i].(string), Unit: rows[i+1].(string), Samples: []resultfile.Sample{{Iterations: 1, Value: rows[i+2].(float64)}}})
	}
	return list
}

func filedOf(rows ...any) *filed {
	f := newFiled()
	f.add(rowsOf(rows...))
	return f
}

// The best sample of all rows counts, of the first file that has them.
func TestBestSample(t *testing.T) {
	rows := rowsOf("A/x=1", "ns/op", 20.0, "A/x=2", "ns/op", 40.0)
	rows[1].Samples = append(rows[1].Samples, resultfile.Sample{Iterations: 1, Value: 10}, resultfile.Sample{Iterations: 1, Value: 30})
	f := newFiled()
	f.add(rows)
	f.add(rowsOf("A/x=1", "ns/op", 1.0))
	for text, want := range map[string]string{"best short ns/op x=2": "10", "best short ns/op x=1": "20", "best short ns/op": "10", "short ns/op x=2": "30"} {
		if got, _, err := f.figure(text, keys{}); err != nil || got != want {
			t.Errorf("%s: %q, %v; expected %q", text, got, err, want)
		}
	}
}

func TestFigures(t *testing.T) {
	f := filedOf("A/x=1/n=10", "ns/op", 20.0, "A/x=2/n=10", "ns/op", 40.0, "A/x=2/y=3/n=100", "ns/op", 1e10, "B/x=2", "recall", 0.995)
	for text, want := range map[string]string{
		"short ns/op x=1": "20", "short*0.1/n ns/op x=1": "0.2", "%.3f ns/op A x=2 y=": "40.000", "duration ns/op y=3": "10 s",
		"sum short ns/op n=10": "60", "max short ns/op x=1+2 y=": "40", "min short ns/op": "20", "short ns/op x=7|1|2": "20",
		"hundred recall B": "99.5", "min short ns/op+recall x=2": "0.99", "short ns/op x=3": gap, "short bytes x=1": gap,
	} {
		if got, _, err := f.figure(text, keys{}); err != nil || got != want {
			t.Errorf("%s: %q, %v; expected %q", text, got, err, want)
		}
	}
	for _, text := range []string{"short ns/op x=2", "short/n recall B", "short*a ns/op x=1"} {
		if got, _, err := f.figure(text, keys{}); err == nil {
			t.Errorf("%s: %q and no error", text, got)
		}
	}
}

// A row with Each is written once for each value in the files. Rows are sorted by the first figure,
// and figures of earlier files take precedence.
func TestTable(t *testing.T) {
	f := filedOf("A/x=b/n=1", "ns/op", 9.0, "A/x=a/n=1", "ns/op", 3.0, "A/x=a/n=2", "ns/op", 4.0)
	f.add(rowsOf("A/x=a/n=1", "ns/op", 100.0, "A/x=c/n=1", "ns/op", 5.0))
	list := table{Of: "A", Head: "name | of", Sorted: true, Rows: []row{{Words: "`{x}` | A", Each: "x"}}, Columns: []column{{"1", "{%.0f ns/op n=1}"}, {"2, 1", "{%.0f ns/op n=2}, {%.0f ns/op n=1}"}}}
	const want = "| name | of | 1 | 2, 1 |\n| --- | --- | ---: | ---: |\n| `a` | A | 3 | 4, 3 |\n| `c` | A | 5 | –, 5 |\n| `b` | A | 9 | –, 9 |\n"
	if got, err := list.written(f); err != nil || got != want {
		t.Errorf("%s, %v; expected\n%s", got, err, want)
	}
}

func TestFormats(t *testing.T) {
	for got, want := range map[string]string{
		short(0): "0", short(3.14159): "3.1", short(99.7): "100", short(1234567): "1.2·10^6", digits(0.12345): "0.123", digits(12.345): "12.3", digits(123.45): "123",
		duration(1.5e9): "1.5 s", duration(42e9): "42 s", duration(150e9): "2.5 min", duration(600e9): "10 min", duration(7200e9): "2.0 h",
		memory(5e6): "5 MB", memory(1.25e9): "1.2 GB", memory(2e12): "2.0 TB",
	} {
		if got != want {
			t.Errorf("%s, expected %s", got, want)
		}
	}
}
