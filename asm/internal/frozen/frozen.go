// Package frozen compares the outputs of kernels with recorded outputs. They must be the same on
// every architecture, at every tier and in every later version.
//
// Its inputs are computed from integers alone, so that the outputs depend neither on a library's
// random numbers nor on rounding.
package frozen

import (
	"errors"
	"flag"
	"io/fs"
	"math"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the frozen outputs anew instead of comparing with them")

// Check compares the lines with those of the op in the file testdata/frozen.txt of the package
// under test; each line begins with the op's name and a space. With -update it writes them to
// the file, which changes the definition.
func Check(t *testing.T, op string, lines []string) {
	t.Helper()
	const path = "testdata/frozen.txt"
	content, err := os.ReadFile(path)
	if err != nil && !(*update && errors.Is(err, fs.ErrNotExist)) {
		t.Fatal(err)
	}
	var want, others []string
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, op+" ") {
			want = append(want, line)
		} else {
			others = append(others, line)
		}
	}
	if *update {
		if err := os.WriteFile(path, []byte(strings.Join(append(others, lines...), "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if len(want) != len(lines) {
		t.Errorf("%s has %d lines, but the test produced %d", path, len(want), len(lines))
	}
	for i := range min(len(want), len(lines)) {
		if want[i] != lines[i] {
			t.Fatalf("%s has\n%s\nbut the test produced\n%s", path, want[i], lines[i])
		}
	}
}

// Source is a sequence of random numbers: SplitMix64, starting from its value.
type Source uint64

// Next returns the next number.
func (s *Source) Next() uint64 {
	*s += 0x9E3779B97F4A7C15
	return mix(uint64(*s))
}

func mix(x uint64) uint64 {
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}

// Code is a hash of a sequence of words.
type Code uint64

// Add adds one more word.
func (c *Code) Add(word uint64) { *c = Code(mix(uint64(*c)+word) + 1) }

// AddFloat adds the bits of v. All values that are not a number count as the same, because
// processors differ in which of these values an operation returns.
func (c *Code) AddFloat(v float64) {
	if v != v {
		c.Add(1<<64 - 1)
		return
	}
	c.Add(math.Float64bits(v))
}
