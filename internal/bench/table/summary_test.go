package table

import (
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"simhashkit/bench/gobench/resultfile"
)

// The default output has at most 50 lines of 100 columns.
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
	if _, err := Write(&out, results.Rows, false); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimRight(out.String(), "\n"), "\n")
	if len(lines) > 50 {
		t.Errorf("%d lines", len(lines))
	}
	for _, line := range lines {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("%d columns: %s", utf8.RuneCountInString(line), line)
		}
	}
	at := -1 // good hashes come first, cheapest first, then those that are weak for something
	for _, start := range []string{
		"Use xxh64 with le64 keys: ",
		"  fmix64                0.55         63.8         70.6           1015  good",
		"  xxh64                 0.61         63.6         70.7           1011  good",
		"  murmur3-32            0.63   31.3 of 32            –           1028  good",
		"  lookup3               0.60         58.5         70.0           1022  undecided for simhash",
		"  maphash               8.59            –            –              –  timed only",
		"  fnv1a64               0.70         28.3         70.7           1020  weak for simhash",
		"  crc32c                0.73    0.9 of 32            –           38.4  weak for simhash, hashing",
		"good, but slower: wyhash, a5hash",
		"  stored Gaussian hyperplanes                  40283               256 MB            63.9",
		"  64 hash functions                            28350                    0            64.7",
		"  look up 43,745 neighbours                 2663               40",
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
