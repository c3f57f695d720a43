package doctor

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/bench/terms"
)

// fingerprintsOf returns n fingerprints of one word each.
func fingerprintsOf(n int, make func(random *rand.Rand) uint64) []uint64 {
	random := rand.New(rand.NewPCG(1, 2))
	list := []uint64{}
	for range n {
		list = append(list, make(random))
	}
	return list
}

func examineStored(t *testing.T, bits int, words []uint64) *StoredExamination {
	t.Helper()
	c := NewCollector(bits)
	c.Add(words)
	e, err := c.Examine("stored")
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func fair(random *rand.Rand) uint64 { return random.Uint64() }

func TestStoredFingerprints(t *testing.T) {
	const low = 1<<32 - 1
	for _, tc := range []struct {
		name             string
		words            []uint64
		want             terms.Judgement
		constant, copied string
		effective        float64
		says             string
	}{
		{"fair", fingerprintsOf(20_000, fair), terms.Good, "", "", 64, "good: the fingerprints are worth 6"},
		{"upper half copies the lower", fingerprintsOf(20_000, func(r *rand.Rand) uint64 { x := r.Uint64() & low; return x<<32 | x }), terms.Weak, "", "32–63", 32,
			"weak: bits are constant or copied (copied 32–63); the fingerprints are worth 3"},
		{"complement", fingerprintsOf(20_000, func(r *rand.Rand) uint64 { x := r.Uint64() &^ 2; return x | ^x<<1&2 }), terms.Weak, "", "1", 62,
			"weak: bits are constant or copied (copied 1); "},
		{"zero-extended", fingerprintsOf(20_000, func(r *rand.Rand) uint64 { return r.Uint64() & low }), terms.Weak, "32–63", "", 32,
			"weak: bits are constant or copied (constant 32–63); the fingerprints are worth 3"},
		// the effective bits of a chain of correlations 0.8 are 64² / Σ 0.8^(2|i-j|)
		{"each bit equals its neighbour nine times in ten", fingerprintsOf(20_000, func(r *rand.Rand) uint64 {
			x := r.Uint64() & 1
			for range 63 {
				next := x & 1
				if r.IntN(10) == 0 {
					next ^= 1
				}
				x = x<<1 | next
			}
			return x
		}), terms.Undecided, "", "", 14.54, "undecided: the fingerprints are worth 1"},
		{"two bits differ from the same fingerprint", fingerprintsOf(20_000, func(r *rand.Rand) uint64 { return 1<<40 ^ 1<<(r.IntN(64)) ^ 1<<(r.IntN(64)) }), terms.Undecided, "", "", 64,
			"undecided: the records are too alike: two of them differ in 3."},
	} {
		e := examineStored(t, 64, tc.words)
		if e.Judgement != tc.want || bitRanges(e.Constant) != tc.constant || bitRanges(e.Copied) != tc.copied || !strings.HasPrefix(e.Words, tc.says) {
			t.Errorf("%s: %s, constant %v, copied %v\n%s", tc.name, e.Judgement, e.Constant, e.Copied, e.Words)
		}
		if math.Abs(e.Effective-tc.effective) > 0.05*tc.effective || e.Low > e.Effective || e.High < e.Effective {
			t.Errorf("%s: %+v effective bits, want about %v", tc.name, e.Effective, tc.effective)
		}
	}
}

// The intervals of ideal fingerprints cover 64 bits in about 95% of runs, even with few records.
func TestStoredIntervals(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	covered := 0
	const rounds = 400
	for range rounds {
		words := make([]uint64, 600)
		for i := range words {
			words[i] = random.Uint64()
		}
		if e := examineStored(t, 64, words); e.Low <= 64 && 64 <= e.High {
			covered++
		}
	}
	if covered < rounds*90/100 || covered > rounds*99/100 {
		t.Errorf("%d of %d intervals cover 64 bits", covered, rounds)
	}
}

// If records share most of their features, some ideal bits are constant by chance. More constant
// bits are defects.
func TestConstantByChance(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	const cosine, n, rounds = 0.9, 200, 20_000
	constant := 0
	for range rounds {
		shared, first, same := random.NormFloat64()*math.Sqrt(cosine), false, true
		for i := range n {
			bit := shared+random.NormFloat64()*math.Sqrt(1-cosine) > 0
			if i == 0 {
				first = bit
			}
			if bit != first {
				same = false
				break
			}
		}
		if same {
			constant++
		}
	}
	got, want := constantByChance(cosine, n), float64(constant)/rounds
	if deviation := 4 * math.Sqrt(want/rounds); math.Abs(got-want) > deviation {
		t.Errorf("probability %v, simulated %v ± %v", got, want, deviation)
	}
	for _, tc := range []struct {
		constant int
		defect   bool
	}{{0, false}, {25, false}, {45, true}, {64, true}} {
		e := &StoredExamination{Bits: 64, Sampled: n, Distance: math.Acos(cosine) / math.Pi * float64(64-tc.constant), Constant: make([]int, tc.constant)}
		if got := e.constantIsDefect(); got != tc.defect {
			t.Errorf("%d constant bits of 64, %.1f by chance: defect %v", tc.constant, 64*constantByChance(cosine, n), got)
		}
	}
}

func TestStoredFingerprintsRefused(t *testing.T) {
	c := NewCollector(64)
	c.Add(slices.Repeat([]uint64{1, 2, 3}, 1000))
	if _, err := c.Examine("stored"); err == nil || err.Error() != "doctor: 3 different fingerprints among 3000: expected at least 100" {
		t.Errorf("error %v", err)
	}
}

// Each fingerprint has the same chance to be in the sample, independent of the order.
func TestCollectorSamples(t *testing.T) {
	c := NewCollector(64)
	const n = 4 * sampleSize
	for i := range uint64(n) {
		c.Add([]uint64{i})
	}
	late := 0
	for _, row := range c.sample {
		if row[0] >= n/2 {
			late++
		}
	}
	if len(c.sample) != sampleSize || math.Abs(float64(late)-sampleSize/2) > 4*math.Sqrt(sampleSize)/2 {
		t.Errorf("%d fingerprints, %d of them from the second half", len(c.sample), late)
	}
}
