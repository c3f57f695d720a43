package table

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"simhashkit/bench/gobench/resultfile"
)

// The default output has at most 50 lines of 100 columns: the answer takes four.
func TestSummary(t *testing.T) {
	file, err := os.Open("testdata/default.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	results, err := resultfile.Read(file, "default.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	if err := WriteSummary(&out, results.Rows); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) > 45 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	at := -1 // good hashes come first, cheapest first, then those that are weak for something
	for _, start := range []string{
		"  fmix64                  0.60         63.8         63.9           1015  good",
		"  xxh64                   0.67         63.6         64.0           1011  good",
		"  lookup3                 0.65         58.5         63.1           1022  undecided for simhash",
		"  maphash                10.28            –            –              –  timed only",
		"  fnv1a64                 0.75         28.3         63.3           1020  weak for simhash",
		"  crc32c                  0.79    0.9 of 32            –           38.4  weak for simhash, hashing",
		"  stored Gaussian hyperplanes                  30493               256 MB            63.9",
		"  64 hash functions                            31967                    0            64.7",
		"  look up 43,745 neighbours                 2484               40",
		"fphash choose FILE",
	} {
		found := strings.Index(out.String(), start)
		if found <= at {
			t.Errorf("%q is missing or too early in\n%s", start, out.String())
			break
		}
		at = found
	}
}
