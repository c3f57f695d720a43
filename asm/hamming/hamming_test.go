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

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for words := range 70 {
		a, b := make([]uint64, words), make([]uint64, words)
		for i := range a {
			a[i], b[i] = r.Uint64(), r.Uint64()
		}
		if got, want := Distance(a, b), distanceOracle(a, b); got != want {
			t.Errorf("%d words: %d, want %d", words, got, want)
		}
	}
}
