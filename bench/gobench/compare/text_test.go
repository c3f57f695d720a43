package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCommonParts(t *testing.T) {
	for _, c := range []struct {
		names  []string
		common string
		rest   []string
	}{
		{[]string{"Sketch/hash=a/f=64", "Sketch/hash=b/f=64"}, "Sketch/f=64", []string{"hash=a", "hash=b"}},
		{[]string{"A/x", "B/x"}, "x", []string{"A", "B"}},
		{[]string{"A/x", "A"}, "A", []string{"x", "A"}},
		{[]string{"A/x/y"}, "A/x", []string{"y"}},
		{[]string{"A", "B"}, "", []string{"A", "B"}},
	} {
		if common, rest := commonParts(c.names); common != c.common || !slices.Equal(rest, c.rest) {
			t.Errorf("%q: %q and %q, want %q and %q", c.names, common, rest, c.common, c.rest)
		}
	}
}

// Tables of long names fit the width of all texts: what the names have in common stands above.
func TestLongNamesFit(t *testing.T) {
	long := "Sketch/hash=xxh64/weights=W/f=64/kernel=avx512gfni/data=url_Instances_1000.svm.gz/nnz=mixed"
	file := func(value float64) string {
		var text strings.Builder
		for range 12 {
			for _, weights := range []string{"unit", "f32"} {
				fmt.Fprintf(&text, "Benchmark%s 1 %v ns/nnz\n", strings.Replace(long, "=W", "="+weights, 1), value)
			}
		}
		return text.String()
	}
	text := compareTexts(t, file(2), file(6), Options{}).text()
	if !strings.Contains(text, "\nSketch/hash=xxh64/f=64/kernel=avx512gfni/data=url_Instances_1000.svm.gz/nnz=mixed:\n") || !strings.Contains(text, "\n  weights=unit  ") {
		t.Errorf("%s", text)
	}
	for line := range strings.SplitSeq(text, "\n") {
		if utf8.RuneCountInString(line) > textWidth {
			t.Errorf("longer than %d: %s", textWidth, line)
		}
	}
}
