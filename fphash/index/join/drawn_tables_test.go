package join

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"testing"

	"simhashkit/fphash/index"
	"simhashkit/internal/binomial"
)

// sampledPlan returns a plan with drawn bits, which would not be worthwhile for so few
// fingerprints.
func sampledPlan(j *Join, d, errors, screens int) Plan {
	p := j.plan()
	p.bySampling(1, d, errors, screens, screens+p.beyondScreens(d))
	p.draw(j.Recall, j.Seed)
	return p
}

// A join with drawn bits finds exactly the pairs that one of its tables compares, each once, for
// any partitions.
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
				j := &Join{Set: s, K: k, Workers: 2, Differ: float64(k) / float64(2*width), Recall: 0.8, Seed: uint64(width)}
				for errors, first := range []uint{2, 0, 3} {
					p := sampledPlan(j, 8, errors, errors+k/3)
					p.first, p.second = first, uint(p.KeyBits)-first
					checkEqual(t, found(j, &p), collect(t, j, p))
				}
			})
		}
	}
}

// found returns the pairs that at least one table of a plan compares.
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
	for i, x := range j.Set.At(int(p.A)) {
		difference = append(difference, x^j.Set.At(int(p.B))[i])
	}
	return difference
}

// Drawn bits find the same pairs in groups.
func TestSampledGroups(t *testing.T) {
	r := newRandom(3)
	s := spreadSet(128, 700, 24, r)
	j := &Join{Set: s, K: 21, Differ: 0.1, Recall: 0.7}
	p := sampledPlan(j, 8, 1, 6)
	trees := newForest(s.Len())
	for pair := range found(j, &p) {
		trees.union(uint32(pair.A), uint32(pair.B))
	}
	want := collectGroups(s, j.K, trees)
	if got, err := j.groups(context.Background(), &p); err != nil || fmt.Sprint(got.starts, got.members) != fmt.Sprint(want.starts, want.members) || got.Len() == 0 {
		t.Errorf("groups %v, expected %v (%v)", got, want, err)
	}
}

// A window of drawn bits has bits of the fingerprint without repeats, and the keys of tables share
// no bits as long as there are unused ones.
func TestDrawer(t *testing.T) {
	for _, width := range []int{1, 33, 64, 65, 96, 128, 1000} {
		keyBits := min(7, width)
		d := newDrawer(width, keyBits, uint64(width))
		inKeys := make([]bool, width)
		for number := range 3 * (width/keyBits + 1) {
			drawn := d.window()
			if number%(width/keyBits) == 0 {
				clear(inKeys)
			}
			lanes := uint64(0)
			for bit := range width {
				words := make([]uint64, (width+63)/64)
				words[bit/64] = 1 << (bit % 64)
				x := drawn.of(words)
				if x&(x-1) != 0 || x&lanes != 0 {
					t.Fatalf("width %d: bit %d is in the window as %x, after %x", width, bit, x, lanes)
				}
				lanes |= x
				if x>>(windowBits(width)-keyBits) > 0 {
					if inKeys[bit] {
						t.Fatalf("width %d: bit %d is in two keys of a round", width, bit)
					}
					inKeys[bit] = true
				}
			}
			if want := ^uint64(0) >> (64 - windowBits(width)); lanes != want {
				t.Errorf("width %d: the window has the bits %x, expected %x", width, lanes, want)
			}
		}
	}
}

// The windows of many fingerprints equal those of single fingerprints.
func TestWindows(t *testing.T) {
	for _, width := range []int{33, 64, 128, 300} {
		set := randomSet(width, 50, newRandom(uint64(width)))
		for _, w := range []window{newDrawer(width, 9, 3).window(), blockWindow(width, width), blockWindow(7, width)} {
			table := table{window: w}
			for from, n := range []int{50, 1, 17, 0} {
				got := make([]uint64, min(n, 50-from))
				table.windowsOf(got, set, from)
				for i, x := range got {
					if want := w.of(set.At(from + i)); x != want {
						t.Fatalf("width %d: window %d from %d on is %x, expected %x", width, i, from, x, want)
					}
				}
			}
		}
	}
}

// The window of a block has the bits of the block on top, and below them the next lower bits of the
// fingerprint, whose lowest bit is followed by the highest.
func TestBlockWindow(t *testing.T) {
	for _, width := range []int{1, 33, 64, 65, 128, 300} {
		for end := 1; end <= width; end++ {
			w := blockWindow(end, width)
			for bit := range width {
				words := make([]uint64, (width+63)/64)
				words[bit/64] = 1 << (bit % 64)
				want, below := uint64(0), (end-1-bit+width)%width
				if lane := windowBits(width) - 1 - below; lane >= 0 {
					want = 1 << lane
				}
				if got := w.of(words); got != want {
					t.Fatalf("width %d, block to bit %d: bit %d is in the window as %x, expected %x", width, end, bit, got, want)
				}
			}
			if width == 64 && len(w) != 1 {
				t.Errorf("%d pieces, expected a single rotation", len(w))
			}
		}
	}
}

// A seed finds the same pairs on every machine.
func TestDrawnTablesAreFrozen(t *testing.T) {
	j := &Join{Set: randomSet(128, 1e6, newRandom(1)), K: 26, Differ: 0.123, Recall: 0.99, Seed: 1}
	p := j.plan()
	words := []uint64{0x0123456789abcdef, 0xfedcba9876543210}
	got := fmt.Sprint(p.Tables, p.KeyBits, p.Errors, p.tables[0].screens, p.tables[0].windows)
	for _, i := range []int{0, 1, p.Tables - 1} {
		got += fmt.Sprintf(" %016x", p.tables[i].window.of(words))
	}
	if want := "17 14 1 7 12 765374be4493551d dac74d4ee498ccdb 308cbcc37ce976f1"; got != want {
		t.Errorf("got %s, expected %s", got, want)
	}
}

// A plan with drawn bits costs less than the exact plan, and its recall is right for pairs that
// were not used to make it. If the exact plan costs less, or too few pairs are within K, the plan
// is exact.
func TestRecall(t *testing.T) {
	for _, c := range []struct {
		bits, k        int
		differ, recall float64
		sampled        bool
	}{
		{128, 26, 0.123, 0.99, true}, {128, 26, 0.101, 0.95, true}, {128, 40, 0.225, 0.9, true}, {256, 44, 0.123, 0.99, true}, {1000, 160, 0.13, 0.99, true},
		{128, 3, 0.01, 0.95, false}, {128, 20, 0.123, 0.99, false},
	} {
		large := randomSet(c.bits, 1e6, newRandom(3))
		j := &Join{Set: large, K: c.k, Differ: c.differ, Recall: c.recall, Seed: 7}
		p, err := j.Plan()
		if err != nil {
			t.Fatal(err)
		}
		if p.Tables > 0 != c.sampled || c.sampled && (p.cost >= p.exact || p.Recall() < c.recall || p.Recall() > c.recall+0.03) {
			t.Errorf("%+v: %d tables of cost %v, exact %v, with a recall of %v", c, p.Tables, p.cost, p.exact, p.Recall())
		}
		const pairs = 20_000
		r, found, far := newRandom(9), 0, 0
		for range pairs {
			x := make([]uint64, (c.bits+63)/64)
			distance := 0
			for bit := range c.bits {
				if r.Float64() < c.differ {
					x[bit/64] |= 1 << (bit % 64)
					distance++
				}
			}
			switch {
			case distance > c.k:
				far++
			case p.Tables == 0 || meetsOne(&p, x):
				found++
			}
		}
		share := float64(found) / pairs
		// Four standard deviations of both samples, of the plan and of this test.
		if most := 4 * math.Sqrt(share*(1-share)*(1.0/pairs+1.0/pairsDrawn)); math.Abs(share-p.Recall()) > most {
			t.Errorf("%+v: found %v, forecast %v, expected a difference of at most %.4f", c, share, p.Recall(), most)
		}
	}
	for _, c := range [][2]float64{{-0.1, 0.1}, {1, 0.1}, {95, 0.1}, {math.NaN(), 0.1}, {0.9, 0}, {0.9, 1}, {0.9, -0.1}, {0, math.NaN()}} {
		if _, err := (&Join{Set: &index.Set{Bits: 128}, K: 3, Recall: c[0], Differ: c[1]}).Plan(); err == nil {
			t.Errorf("a recall of %v with bits that differ with probability %v: no error", c[0], c[1])
		}
	}
}

func meetsOne(p *Plan, difference []uint64) bool {
	for i := range p.tables {
		if p.tables[i].meets(difference, p.Bits, p.KeyBits) {
			return true
		}
	}
	return false
}

// A join finds the forecast share of planted pairs, within three standard deviations.
func TestRecallOfPlantedPairs(t *testing.T) {
	const pairs = 3000
	for _, width := range []int{64, 128, 200} {
		r := newRandom(uint64(width))
		s := randomSet(width, 2*pairs, r)
		const differ = 0.11
		for i := range pairs {
			b := s.At(pairs + i)
			copy(b, s.At(i))
			for bit := range width {
				if r.Float64() < differ {
					b[bit/64] ^= 1 << (bit % 64)
				}
			}
		}
		j := &Join{Set: s, K: binomial.Threshold(width, differ, 0.99), Differ: differ, Recall: 0.95, Seed: 3}
		p := sampledPlan(j, 9, 1, 8)
		found := 0
		for pair := range collect(t, j, p) {
			if pair.B == pair.A+pairs {
				found++
			}
		}
		share, want := float64(found)/pairs, p.Recall()
		if most := 3 * math.Sqrt(want*(1-want)/pairs); math.Abs(share-want) > most || want < 0.95 || want > 0.98 {
			t.Errorf("width %d: %d tables found %.4f of the pairs, forecast %.4f ± %.4f", width, p.Tables, share, want, most)
		}
	}
}

// The probability that a table compares a pair is the share of differences for which it does.
func TestMeeting(t *testing.T) {
	for _, c := range []struct{ width, distance, d, beyond int }{{34, 4, 3, 0}, {40, 3, 3, 1}, {100, 2, 5, 0}, {100, 2, 40, 0}, {70, 3, 6, 1}, {64, 3, 30, 0}, {20, 5, 4, 0}} {
		p := &Plan{Bits: c.width, KeyBits: c.d}
		got := p.meeting(c.distance, c.d, 3, c.beyond)
		drawn := newDrawer(c.width, c.d, 1).window()
		for errors := range 3 {
			for screens := errors; screens <= 4; screens++ {
				table := table{window: drawn, errors: errors, screens: screens, windows: screens + c.beyond}
				met, all := 0, 0
				eachDifference(c.width, c.distance, func(difference []uint64) {
					if all++; table.meets(difference, c.width, c.d) {
						met++
					}
				})
				if want := float64(met) / float64(all); math.Abs(got[errors][screens]-want) > 1e-9 {
					t.Errorf("%+v, %d errors, %d screens: probability %v, expected %v", c, errors, screens, got[errors][screens], want)
				}
			}
		}
	}
}

// eachDifference calls f for all differences of fingerprints with the given number of bits.
func eachDifference(width, distance int, f func([]uint64)) {
	words := make([]uint64, (width+63)/64)
	var set func(from, n int)
	set = func(from, n int) {
		if n == 0 {
			f(words)
			return
		}
		for bit := from; bit <= width-n; bit++ {
			words[bit/64] |= 1 << (bit % 64)
			set(bit+1, n-1)
			words[bit/64] &^= 1 << (bit % 64)
		}
	}
	set(0, distance)
}

// tablesFor returns the smallest number of tables that reaches the recall, computed naively for
// each distance.
func TestTablesFor(t *testing.T) {
	for _, c := range []struct {
		k              int
		differ, recall float64
	}{{26, 0.123, 0.99}, {26, 0.123, 0.9}, {20, 0.123, 0.95}, {128, 0.3, 0.5}, {3, 0.01, 0.98}} {
		p := &Plan{Bits: 128, K: c.k, differ: c.differ}
		meet := func(distance int) float64 { return math.Pow(1-float64(distance)/128, 8) }
		want := 1
		for recallOf(c.differ, c.k, want, meet) < c.recall && want <= 100 {
			want++
		}
		asked := p.asked()
		if got := tablesFor(c.recall, 100, asked, func(i int) float64 { return min(meet(asked[i].distance), 1-1e-15) }); got < want-1 || got > want+1 {
			t.Errorf("%+v: %d tables, expected %d", c, got, want)
		}
	}
}

// recallOf computes the recall of the given number of tables naively.
func recallOf(differ float64, k, tables int, meet func(distance int) float64) (recall float64) {
	for d := 0; d <= k; d++ {
		ways := new(big.Int).Binomial(128, int64(d))
		share, _ := new(big.Float).SetInt(ways).Float64()
		recall += share * math.Pow(differ, float64(d)) * math.Pow(1-differ, float64(128-d)) * (1 - math.Pow(1-meet(d), float64(tables)))
	}
	return recall
}

// On average over some trials, the measured recall equals the true recall, also for correlated bits
// and for clusters that are found or missed as a whole.
func TestMeasureRecall(t *testing.T) {
	t.Parallel()
	const n = 6000
	trials := size(20, 40)
	for name, draw := range map[string]func(seed uint64) *index.Set{
		"spread":     func(seed uint64) *index.Set { return spreadSet(128, n, 21, newRandom(seed)) },
		"correlated": func(seed uint64) *index.Set { return correlatedSet(128, n, newRandom(seed)) },
		"clusters": func(seed uint64) *index.Set {
			return joined(clusteredSet(128, n/2, n/20, newRandom(seed)), spreadSet(128, n/2, 21, newRandom(seed)))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			measured, truth := 0.0, 0.0
			for seed := range uint64(trials) {
				j := &Join{Set: draw(seed), K: 21, Differ: 0.1, Recall: 0.8, Seed: seed}
				found := collect(t, j, sampledPlan(j, 12, 1, 7))
				all := (&Join{Set: j.Set, K: j.K}).plan()
				truth += float64(len(found)) / float64(len(collect(t, &Join{Set: j.Set, K: j.K}, all)))
				pairs, hits := 0, 0
				if _, err := j.sample(context.Background(), n/10, func(a, b int) {
					a, b = min(a, b), max(a, b)
					if pairs++; found[Pair{uint64(a), uint64(b), j.Set.Distance(a, j.Set, b)}] > 0 {
						hits++
					}
				}); err != nil {
					t.Fatal(err)
				}
				measured += float64(hits) / float64(pairs)
			}
			if math.Abs(measured-truth) > 0.03*float64(trials) {
				t.Errorf("on average %.3f, expected %.3f", measured/float64(trials), truth/float64(trials))
			}
		})
	}
}

// If a sample could have all fingerprints but ends early, the compared ones must not come
// from one end of the set. Here only the first ones are found.
func TestSamplePairsOfASortedSet(t *testing.T) {
	const early, late = 3000, 9000 // numbers of fingerprints, in consecutive pairs
	r := newRandom(1)
	set := &index.Set{Bits: 128}
	for range (early + late) / 2 {
		a, b := r.Uint64(), r.Uint64()
		set.Words = append(set.Words, a, b, a, b)
		set.Words[len(set.Words)-1] ^= 1
	}
	j := &Join{Set: set, K: 1}
	pairs, found := 0, 0
	drawn, err := j.SamplePairs(context.Background(), func(a, _ int) {
		if pairs++; a < early {
			found++
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if share, truth := float64(found)/float64(pairs), float64(early)/(early+late); drawn == set.Len() || math.Abs(share-truth) > 0.1 {
		t.Errorf("of %d fingerprints: %v, true recall %v", drawn, share, truth)
	}
}

// There is no plan with drawn bits if the exact join costs less than making such a plan.
func TestFewAreJoinedExactly(t *testing.T) {
	for n, sampled := range map[int]bool{10_000: false, 20_000: true} {
		j := &Join{Set: randomSet(128, n, newRandom(1)), K: 26, Differ: 0.123, Recall: 0.99}
		if p, err := j.Plan(); err != nil || p.Tables > 0 != sampled {
			t.Errorf("%d fingerprints: %d tables of cost %v, exact %v (%v)", n, p.Tables, p.cost, p.exact, err)
		}
	}
}
