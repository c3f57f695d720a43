// Package random gives tests the same random numbers in every run. The environment can ask for more
// inputs, or for another seed.
package random

import (
	"math/rand/v2"
	"os"
	"strconv"
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
