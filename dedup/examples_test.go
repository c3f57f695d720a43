package dedup

import (
	"regexp"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWordDiff(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("w ", 30))
	for _, c := range []struct{ a, b, want string }{
		{"", "", ""},
		{"the same", " the\n same ", "the same"},
		{"a quick brown fox", "a slow brown fox", "a [-quick-] {+slow+} brown fox"},
		{"a b c", "a c", "a [-b-] c"},
		{"a c", "a b c", "a {+b+} c"},
		{"one two", "", "[-one two-]"},
		{"a x b y c", "a b z c", "a [-x-] b [-y-] {+z+} c"},
		{long + " x", long + " y", "… w w w w w w [-x-] {+y+}"},
		{"x " + long, "y " + long, "[-x-] {+y+} w w w w w w …"},
		{"x " + long + " p", "y " + long + " q", "[-x-] {+y+} w w w w w w … w w w w w w [-p-] {+q+}"},
		{"東京は日本の首都です。人口は", "東京は日本国の首都だ。人口は", "東京は日本{+国+} の首都[-です。-] {+だ。+} 人口は"},
		{"一二三四五六七八九十一二 x", "三三三四五六七八九十一二 x", "[-一二-] {+三三+} 三四五六七八…"},
		{"GPUは1つ", "GPUは 2つ", "GPUは[-1-] {+2+} つ"},
		{"我们很好", "我们很好吗", "我们很好 {+吗+}"},
		{"我们很好吗", "我们很好", "我们很好[-吗-]"},
		{"我们 很好", "我们很好 啊", "我们 很好 {+啊+}"},
		{long, long, "w w w w w w w w w w w w …"},
	} {
		if got := wordDiff(c.a, c.b); got != c.want {
			t.Errorf("%q to %q: %q, want %q", c.a, c.b, got, c.want)
		}
	}
	x, y := strings.Repeat("x ", 5000), strings.Repeat("y ", 3000)
	if got := wordDiff(x, y); !strings.HasSuffix(got, "+} …") || len(got) > 4*mostDiffed+20 {
		t.Errorf("%d characters, ends %q", len(got), got[len(got)-20:])
	}
}

// Both short texts can be reconstructed from their difference.
func TestWordDiffHasBoth(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b", "c"}), 0, 9)
		a, b := strings.Join(words.Draw(t, "a"), " "), strings.Join(words.Draw(t, "b"), " ")
		got := wordDiff(a, b)
		if strings.Contains(got, "…") {
			t.Skip("shortened")
		}
		onlyA, onlyB := regexp.MustCompile(`\[-(.*?)-\]`), regexp.MustCompile(`\{\+(.*?)\+\}`)
		tidy := func(s string) string { return strings.Join(strings.Fields(s), " ") }
		if back := tidy(onlyA.ReplaceAllString(onlyB.ReplaceAllString(got, ""), "$1")); back != a {
			t.Fatalf("%q of %q and %q has %q for the first", got, a, b, back)
		}
		if back := tidy(onlyB.ReplaceAllString(onlyA.ReplaceAllString(got, ""), "$1")); back != b {
			t.Fatalf("%q of %q and %q has %q for the second", got, a, b, back)
		}
	})
}

// Texts of scripts with and without spaces can be reconstructed except for their spaces.
func TestWordDiffHasBothWithoutSpaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := rapid.SliceOfN(rapid.SampledFrom([]string{"a", "b1", " ", "我", "们", "。", "は"}), 0, 9)
		a, b := strings.Join(parts.Draw(t, "a"), ""), strings.Join(parts.Draw(t, "b"), "")
		got := wordDiff(a, b)
		if strings.Contains(got, "…") {
			t.Skip("shortened")
		}
		onlyA, onlyB := regexp.MustCompile(`\[-(.*?)-\]`), regexp.MustCompile(`\{\+(.*?)\+\}`)
		joined := func(s string) string { return strings.Join(strings.Fields(s), "") }
		if back := joined(onlyA.ReplaceAllString(onlyB.ReplaceAllString(got, ""), "$1")); back != joined(a) {
			t.Fatalf("%q of %q and %q has %q for the first", got, a, b, back)
		}
		if back := joined(onlyB.ReplaceAllString(onlyA.ReplaceAllString(got, ""), "$1")); back != joined(b) {
			t.Fatalf("%q of %q and %q has %q for the second", got, a, b, back)
		}
	})
}
