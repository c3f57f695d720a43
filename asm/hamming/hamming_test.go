package hamming

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// distanceOracle counts differing bits one by one. Do not alter it.
func distanceOracle(a, b []uint64) (d int) {
	for i := range a {
		for j := range 64 {
			if a[i]>>j&1 != b[i]>>j&1 {
				d++
			}
		}
	}
	return d
}

func TestDistanceOfWorkedExamples(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"100111", "101010", 3}, {"10101", "00110", 3}, {"00101110", "00001111", 2}} {
		a, errA := strconv.ParseUint(c.a, 2, 64)
		b, errB := strconv.ParseUint(c.b, 2, 64)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if got := Distance([]uint64{a}, []uint64{b}); got != c.want {
			t.Errorf("Distance(%s, %s) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

// Fingerprints of all widths up to 69 words, and of so many that the distance needs more than 16
// bits: random ones, and those that differ in every bit.
func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	widths := []int{127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 1025, 2500}
	for words := range 70 {
		widths = append(widths, words)
	}
	for _, words := range widths {
		a, b, opposite := make([]uint64, words), make([]uint64, words), make([]uint64, words)
		for i := range a {
			a[i], b[i] = r.Uint64(), r.Uint64()
			opposite[i] = ^a[i]
		}
		if got, want := Distance(a, b), distanceOracle(a, b); got != want {
			t.Errorf("%d words: %d, want %d", words, got, want)
		}
		if got := Distance(a, opposite); got != 64*words {
			t.Errorf("%d words that differ in every bit: %d, want %d", words, got, 64*words)
		}
	}
}
