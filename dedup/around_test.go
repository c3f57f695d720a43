package dedup

import (
	"strings"
	"testing"
)

// Both texts are cut so that the first difference can be seen.
func TestAround(t *testing.T) {
	long := strings.Repeat("one two ", 20)
	for _, c := range []struct {
		a, b  string
		most  int
		wantA string
		wantB string
	}{
		{"a b", "a\n\tc", 10, "a b", "a c"},
		{"", "a", 10, "", "a"},
		{long, long, 12, "one two one…", "one two one…"},
		{long + "x end", long + "y end", 20, "… two x end", "… two y end"},
		{long + "x", long, 20, "…e two x", "…e two"},
		{"x" + long, "y", 10, "xone two …", "y"},
		{"東京東京東京", "東京東京大阪", 8, "…京東京", "…京大阪"},
		{"東京東京東京", "東京東京東京", 8, "東京東…", "東京東…"},
	} {
		if got := around(c.a, c.b, c.most); got != [2]string{c.wantA, c.wantB} {
			t.Errorf("%q, %q, %d: %q, expected %q and %q", c.a, c.b, c.most, got, c.wantA, c.wantB)
		}
	}
}
