// Package cases has what the tests of kernels share: random inputs, outputs that are recorded, and
// smaller inputs on which a kernel fails.
//
// Recorded outputs must be the same on every architecture, at every tier and in every later
// version. Their inputs are computed from integers alone, so that they depend neither on a
// library's random numbers nor on rounding. Random inputs are the same in every run, but the
// environment can ask for more of them, or for another seed.
package cases

import (
	"errors"
	"flag"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// RoundsVariable names the environment variable that sets the number of random inputs of a test,
// SeedVariable the one that sets their seed, and LongVariable the one that enables tests that take
// long.
const (
	RoundsVariable = "FPHASH_ROUNDS"
	SeedVariable   = "FPHASH_SEED"
	LongVariable   = "FPHASH_LONG"
)

// Long reports whether tests that take long are enabled. It works like package
// internal/testing/long, which asm does not import.
func Long() bool { return os.Getenv(LongVariable) != "" }

// Rounds returns the number of random inputs: the number that the environment sets, or else few, or
// more in a long run. If the environment set the number and the test has not failed, the test logs
// that number at its end. The proof relies on that log, because a test that does not exist logs
// nothing.
func Rounds(t testing.TB, few, more int) int {
	t.Helper()
	if n := int(number(t, RoundsVariable, 0)); n != 0 {
		t.Cleanup(func() {
			if !t.Failed() {
				t.Logf("%d random cases", n)
			}
		})
		return n
	}
	if Long() {
		return more
	}
	return few
}

// Seeded returns a source of random numbers that differs from test to test. It differs from run to
// run only if the environment sets a different seed.
func Seeded(t testing.TB) *rand.Rand {
	t.Helper()
	var h uint64 = 14695981039346656037 // FNV-1a
	for _, c := range []byte(t.Name()) {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return rand.New(rand.NewPCG(h, number(t, SeedVariable, 1)))
}

func number(t testing.TB, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 31)
	if err != nil || n < 1 {
		t.Fatalf("%s=%s is not a number from 1 to 2^31-1", variable, text)
	}
	return n
}

// ToZero returns zero as the only simpler form of a word, or nothing if the word is zero.
func ToZero(word uint64) (simpler []uint64) {
	if word != 0 {
		simpler = append(simpler, 0)
	}
	return simpler
}

// Shrink returns a part of the input, with elements made simpler, that still fails: it drops
// halves, quarters and so on down to single elements, then replaces each element by the first of
// its simpler forms that fails, until nothing changes. The input must fail. Shrink does not change
// it.
func Shrink[T any](input []T, simpler func(T) []T, fails func([]T) bool) []T {
	input = slices.Clone(input)
	for changed := true; changed; {
		changed = false
		for size := (len(input) + 1) / 2; size > 0; size /= 2 {
			for from := 0; from < len(input); {
				rest := slices.Delete(slices.Clone(input), from, min(from+size, len(input)))
				if fails(rest) {
					input, changed = rest, true
				} else {
					from += size
				}
			}
		}
		for i, element := range input {
			for _, form := range simpler(element) {
				input[i] = form
				if fails(input) {
					changed = true
					break
				}
				input[i] = element
			}
		}
	}
	return input
}

var update = flag.Bool("update", false, "write the frozen outputs anew instead of comparing with them")

// CheckFrozen compares the lines with those of the op in the file testdata/frozen.txt of the
// package under test; each line begins with the op's name and a space. With -update it writes them
// to the file, which changes the definition.
func CheckFrozen(t *testing.T, op string, lines []string) {
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
