package hamming

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"simhashkit/asm/internal/guard"
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

func TestScan(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	for _, k := range ScanKernels() {
		if !k.Available() {
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			for words := 1; words <= 4; words++ {
				for n := range 67 {
					first, last := guard.Slices[uint64](t, n*words)
					for _, fingerprints := range [][]uint64{first, last} {
						query := make([]uint64, words)
						for i := range query {
							query[i] = r.Uint64()
						}
						for i := range fingerprints {
							fingerprints[i] = query[i%words] ^ r.Uint64()&r.Uint64()&r.Uint64()&r.Uint64()
						}
						for _, limit := range []int{-1, 0, 3, 4 * words, 64 * words} {
							want := []Match{{-7, -7}}
							for i := range n {
								if d := distanceOracle(fingerprints[i*words:(i+1)*words], query); d <= limit {
									want = append(want, Match{i, d})
								}
							}
							if got := k.AppendWithin([]Match{{-7, -7}}, fingerprints, query, limit); !slices.Equal(got, want) {
								t.Fatalf("words=%d n=%d k=%d: %v, want %v", words, n, limit, got, want)
							}
							if got := AppendWithin([]Match{{-7, -7}}, fingerprints, query, limit); !slices.Equal(got, want) {
								t.Fatalf("dispatch: words=%d n=%d k=%d: %v, want %v", words, n, limit, got, want)
							}
						}
					}
				}
			}
		})
	}
}

func TestReadTouchesEveryWord(t *testing.T) {
	for n := range 40 {
		words := make([]uint64, n)
		for i := range words {
			words[i] = 1 << i
		}
		if got := Read(words); bits.OnesCount64(got) != n {
			t.Errorf("%d words: %#x", n, got)
		}
	}
}

func TestMisuse(t *testing.T) {
	for name, call := range map[string]func(){
		"distance of different lengths": func() { Distance([]uint64{1}, nil) },
		"no query":                      func() { AppendWithin(nil, []uint64{1}, nil, 3) },
		"part of a fingerprint":         func() { AppendWithin(nil, []uint64{1, 2, 3}, []uint64{1, 2}, 3) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}
