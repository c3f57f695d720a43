package report

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// skeleton returns a page without its style, and without the paths of pictures.
func skeleton(page string) string {
	return intervals.ReplaceAllString(styles.ReplaceAllString(page, "<style/>"), "[interval]")
}

func TestGolden(t *testing.T) {
	small := everything
	small.hashes, small.patterns, small.weights = []string{"fnv1a64"}, []string{"consecutive"}, []string{"unit"}
	for name, page := range map[string]string{
		"report":     render(t, small.source(t, "bench.txt")),
		"comparison": renderComparison(t, sampleComparison(t, fewRows...)),
	} {
		t.Run(name, func(t *testing.T) {
			got := skeleton(page)
			golden := filepath.Join("testdata", name+".golden")
			if *update {
				if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("page (-want +got); go test -update rewrites it:\n%s", diff)
			}
		})
	}
}

// The sections of a page are in order.
func TestContents(t *testing.T) {
	for _, tc := range []struct{ line, want, title string }{
		{qualityRow("a", "p", 63, 1), "recommendation speed sources", "Which hash"},
		{"BenchmarkOther 1 1 ns/op", "recommendation speed sources", "Which hash"},
	} {
		page := render(t, fromText(t, "A", tc.line))
		var got []string
		for _, m := range sectionIDs.FindAllStringSubmatch(page, -1) {
			got = append(got, m[1])
		}
		if strings.Join(got, " ") != tc.want || !strings.Contains(page, "<title>"+tc.title) {
			t.Errorf("sections %s, want %s; title should begin with %s", got, tc.want, tc.title)
		}
	}
}

var sectionIDs = regexp.MustCompile(`<section id="([^"]*)"`)
