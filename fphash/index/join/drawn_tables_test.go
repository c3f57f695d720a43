package join

import (
	"context"
	"fmt"
	"math"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/testing/long"
)

// sampledPlan returns a plan by drawn bits, which would not pay for so few fingerprints.
func sampledPlan(j *Join, d, errors, screens int) Plan {
	p := j.plan()
	p.bySampling(1, d, errors, screens)
	p.draw(j.Recall, j.Seed)
	return p
}

// A join by drawn bits finds the pairs that one of its tables brings together, each once: those of
// comparing all with all that it says it finds, whatever the partitions.
func TestSampledPairs(t *testing.T) {
	n := size(1100, 2000)
	for _, width := range []int{64, 96, 128, 256, 1000} {
		r := newRandom(uint64(width) + 9)
		k := min(21, width/5)
		for name, s := range map[string]*index.Set{
			"spread":     spreadSet(width, n, k+3, r),
			"correlated": correlatedSet(width, n, r),
			"copies":     joined(repeated(spreadSet(width, 40, k+1, r), n/80), spreadSet(width, n/2, k+1, r)),
		} {
			t.Run(fmt.Sprint(width, name), func(t *testing.T) {
				j := &Join{Set: s, K: k, Workers: 2, Recall: 0.8, Seed: uint64(width)}
				for errors, first := range []uint{2, 0, 3} {
					p := sampledPlan(j, 8, errors, errors+k/3)
					p.first, p.second = first, uint(p.KeyBits)-first
					hold(t, found(j, &p), collect(t, j, p))
				}
			})
		}
	}
}

// found returns the pairs that one of the tables of a plan brings together.
func found(j *Join, p *Plan) map[Pair]int {
	pairs := pairsOracle(j)
	for pair := range pairs {
		met := false
		for i := range p.tables {
			met = met || p.tables[i].meets(differenceOf(j, pair), j.Set.Bits, p.KeyBits)
		}
		if !met {
			delete(pairs, pair)
		}
	}
	return pairs
}

func differenceOf(j *Join, p Pair) (difference []uint64) {
	other := j.columns()
	for i, x := range j.Set.At(int(p.A)) {
		difference = append(difference, x^other.At(int(p.B))[i])
	}
	return difference
}

// Between two sets, and in groups, drawn bits find the same pairs.
func TestSampledPairsBetweenSets(t *testing.T) {
	r := newRandom(3)
	s := spreadSet(128, 700, 24, r)
	j := &Join{Set: s, Against: joined(randomSet(128, 500, r), s), K: 21, Recall: 0.7}
	p := sampledPlan(j, 8, 1, 6)
	hold(t, found(j, &p), collect(t, j, p))

	j.Against = nil
	trees := newForest(s.Len())
	for pair := range found(j, &p) {
		trees.union(uint32(pair.A), uint32(pair.B))
	}
	p = sampledPlan(j, 8, 1, 6)
	want := collectGroups(s, j.K, trees)
	if got, err := j.groups(context.Background(), &p); err != nil || fmt.Sprint(got.starts, got.members) != fmt.Sprint(want.starts, want.members) || got.Len() == 0 {
		t.Errorf("groups %v, expected %v (%v)", got, want, err)
	}
}

// A window of drawn bits has bits of the fingerprint, none twice.
func TestDrawWindow(t *testing.T) {
	for _, width := range []int{1, 33, 64, 65, 96, 128, 1000} {
		pieces := table{drawn: drawWindow(width, newRandom(uint64(width)))}
		lanes := uint64(0)
		for bit := range width {
			words := make([]uint64, (width+63)/64)
			words[bit/64] = 1 << (bit % 64)
			x := pieces.drawnWindow(words)
			if x&(x-1) != 0 || x&lanes != 0 {
				t.Fatalf("width %d: bit %d is in the window as %x, after %x", width, bit, x, lanes)
			}
			lanes |= x
		}
		if want := ^uint64(0) >> (64 - windowBits(width)); lanes != want {
			t.Errorf("width %d: the window has the bits %x, expected %x", width, lanes, want)
		}
	}
}

// The plan of a join with a recall costs less than the exact one where it is by drawn bits, and its
// forecast is what it finds; where the exact one costs less, it is exact.
func TestRecall(t *testing.T) {
	large := &index.Set{Bits: 128, Words: make([]uint64, 2e6)}
	p, err := (&Join{Set: large, K: 30, Recall: 0.95}).Plan()
	if err != nil || p.Tables == 0 || p.Forecast >= p.Exact {
		t.Errorf("%+v, %v; expected tables by drawn bits", p, err)
	}
	if at, near := p.Recall(30), p.Recall(15); at < 0.95 || at > 0.97 || near < 0.99 {
		t.Errorf("a recall of %v at 30 bits and %v at 15, expected 0.95 and more", at, near)
	}
	if p, err := (&Join{Set: large, K: 3, Recall: 0.95}).Plan(); err != nil || p.Tables != 0 || p.Recall(3) != 1 {
		t.Errorf("%+v, %v; expected an exact join", p, err)
	}
	for _, recall := range []float64{-0.1, 1, 95, math.NaN()} {
		if _, err := (&Join{Set: large, K: 3, Recall: recall}).Plan(); err == nil {
			t.Errorf("a recall of %v: no error", recall)
		}
	}
}

// The interval of a measured recall has the true one in it, in nearly as many of the trials as it
// says, also where bits are correlated and pairs come in clusters.
func TestMeasureRecall(t *testing.T) {
	trials, least := 40, 34
	if long.Enabled() {
		trials, least = 200, 184
	}
	const n = 6000
	for name, draw := range map[string]func(seed uint64) *index.Set{
		"spread":     func(seed uint64) *index.Set { return spreadSet(128, n, 21, newRandom(seed)) },
		"correlated": func(seed uint64) *index.Set { return correlatedSet(128, n, newRandom(seed)) },
		"clusters": func(seed uint64) *index.Set {
			return joined(clusteredSet(128, n/2, n/20, newRandom(seed)), spreadSet(128, n/2, 21, newRandom(seed)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			covered, drawn := 0, 0
			for seed := range uint64(trials) {
				j := &Join{Set: draw(seed), K: 21, Recall: 0.8, Seed: seed}
				p := sampledPlan(j, 12, 1, 7)
				found := collect(t, j, p)
				all := (&Join{Set: j.Set, K: j.K}).plan()
				truth := float64(len(found)) / float64(len(collect(t, &Join{Set: j.Set, K: j.K}, all)))
				m, err := j.measure(context.Background(), n/10, func(a, b int) bool {
					a, b = min(a, b), max(a, b)
					return found[Pair{uint64(a), uint64(b), j.Set.Distance(a, j.Set, b)}] > 0
				})
				if err != nil {
					t.Fatal(err)
				}
				pairs, _ := m.Of()
				if drawn += pairs; m.Low <= truth && truth <= m.High {
					covered++
				}
			}
			t.Logf("%d of %d intervals cover the true recall, of %d pairs each", covered, trials, drawn/trials)
			if covered < least || drawn == 0 {
				t.Errorf("expected at least %d", least)
			}
		})
	}
}

// Where all fingerprints may be compared, but enough pairs end it, those that were compared are no
// part of one end of the set: here copies come first, which are all that is found.
func TestMeasureRecallOfASortedSet(t *testing.T) {
	const copies, apart = 3000, 9000 // fingerprints, in pairs one after the other
	r := newRandom(1)
	set := &index.Set{Bits: 128}
	for i := range (copies + apart) / 2 {
		a, b := r.Uint64(), r.Uint64()
		set.Words = append(set.Words, a, b, a, b)
		if i >= copies/2 {
			set.Words[len(set.Words)-1] ^= 1
		}
	}
	j := &Join{Set: set, K: 1}
	m, err := j.MeasureRecall(context.Background(), func(a, _ int) bool { return a < copies })
	if err != nil {
		t.Fatal(err)
	}
	if truth := float64(copies) / (copies + apart); m.Drawn == set.Len() || m.Low > truth || truth > m.High {
		t.Errorf("of %d fingerprints: %v to %v, the truth is %v", m.Drawn, m.Low, m.High, truth)
	}
}
