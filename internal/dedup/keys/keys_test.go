package keys

import (
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/testing/long"
	"simhashkit/textsketch"
)

// keySketcher returns a Sketcher of the candidates of a specification, with keys.
func keySketcher(t *testing.T, spec dedup.Spec, keys textsketch.Keys) *textsketch.Sketcher {
	t.Helper()
	s, err := spec.Sketcher(&keys)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestNew(t *testing.T) {
	for _, c := range []struct {
		similarity    float64
		minima        int
		made, count   int
		least, atMost float64
	}{
		{0.9, 0, 8, 22, 0.99, 0.993},
		{0.9, 12, 12, 50, 0.99, 0.993},
		{0.8, 0, 4, 22, 0.99, 0.993},
		{0.95, 0, 17, 24, 0.99, 0.993},
		{1, 0, 32, 1, 1, 1},
	} {
		spec := dedup.Spec{Similarity: c.similarity, Recall: 0.99}
		k, err := New(spec, c.minima)
		if err != nil || k.Minima != c.made || k.Count != c.count || k.Recall < c.least || k.Recall > c.atMost {
			t.Errorf("similarity %v, %d minima: %+v, %v", c.similarity, c.minima, k, err)
		}
	}
	for _, c := range []struct {
		spec   dedup.Spec
		minima int
		want   string
	}{
		{dedup.Spec{Similarity: 0.9, Recall: 0.99}, 33, "keys of 33 minima, expected 1 to 32"},
		{dedup.Spec{Similarity: 0.9, Recall: 0.99}, 24, "would need"},
		{dedup.Spec{Similarity: 0.9, Recall: 0.99, Measure: dedup.Cosine}, 8, "require texts"},
	} {
		if _, err := New(c.spec, c.minima); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}

// pairOf returns two texts of n words with the similarity 0.9 and the least Jaccard similarity that
// it allows: every tenth word is another one. If cycle is not 0, the other words repeat so many.
func pairOf(r *rand.Rand, n, cycle int) (a, b string) {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("w%x", r.Uint64())
		if cycle > 0 && i >= cycle {
			words[i] = words[i%cycle]
		}
	}
	other := slices.Clone(words)
	for _, i := range r.Perm(n)[:n/10] {
		other[i] = fmt.Sprintf("x%x", r.Uint64())
	}
	return strings.Join(words, " "), strings.Join(other, " ")
}

// The share of the pairs with similarity 0.9 that share a key and are within K bits is the stated
// recall, although the lanes of a MinHash are not independent.
func TestKeysFindTheStatedShare(t *testing.T) {
	pairs := 3000
	if long.Enabled() {
		pairs = 30_000
	}
	for _, minima := range []int{0, 12} {
		spec := dedup.Spec{Similarity: 0.9, Recall: 0.99}
		keys, err := New(spec, minima)
		if err != nil {
			t.Fatal(err)
		}
		local := keySketcher(t, spec, keys.Keys).Local()
		for _, c := range []struct{ n, cycle int }{{10, 0}, {50, 0}, {200, 0}, {1000, 0}, {100, 1}, {100, 2}, {100, 10}, {1000, 3}, {1000, 20}} {
			r := rand.New(rand.NewPCG(uint64(c.n), uint64(c.cycle)))
			both, shared := 0, 0
			number := min(pairs, 10*pairs*10/c.n)
			for range number {
				a, b := pairOf(r, c.n, c.cycle)
				first, _, err := local.Append(nil, []byte(a))
				if err != nil {
					t.Fatal(err)
				}
				keysA := slices.Clone(local.Keys())
				second, _, err := local.Append(nil, []byte(b))
				if err != nil {
					t.Fatal(err)
				}
				found := false
				for i, key := range local.Keys() {
					found = found || key == keysA[i]
				}
				if found {
					shared++
					if fphash.Distance(first, second) <= keys.K {
						both++
					}
				}
			}
			share := func(n int) float64 { return float64(n) / float64(number) }
			t.Logf("%d minima, %d words, cycle %d: %.4f share a key, %.4f are found, stated %.4f", keys.Minima, c.n, c.cycle, share(shared), share(both), keys.Recall)
			if share(both) < keys.Recall-3*math.Sqrt(keys.Recall*(1-keys.Recall)/float64(number)) {
				t.Errorf("%d minima, %d words, cycle %d: found %.4f", keys.Minima, c.n, c.cycle, share(both))
			}
		}
	}
}

// sampleOf returns texts of different words, as sets and with their fingerprints and SampleKeys in
// a Sample. Any two texts share frequent words; every tenth text is a near-copy of the one before.
func sampleOf(t *testing.T, n int) (*Sample, []map[string]bool) {
	t.Helper()
	spec := dedup.Spec{Similarity: 0.9, Recall: 0.99}
	sample, err := NewSample(spec)
	if err != nil {
		t.Fatal(err)
	}
	r, local := rand.New(rand.NewPCG(3, 3)), keySketcher(t, spec, SampleKeys).Local()
	var sets []map[string]bool
	for i := range n {
		set := map[string]bool{}
		for j := range 200 {
			if r.IntN(200) < 120-j/2 {
				set[fmt.Sprint("frequent", j)] = true
			}
		}
		for len(set) < 150 {
			set[fmt.Sprintf("rare%x", r.Uint64())] = true
		}
		if i%10 == 9 {
			set = maps.Clone(sets[i-1])
			set["new"] = true
		}
		sets = append(sets, set)
		fingerprint, _, err := local.Append(nil, []byte(strings.Join(slices.Sorted(maps.Keys(set)), " ")))
		if err != nil {
			t.Fatal(err)
		}
		sample.Add(fingerprint, local.Keys())
	}
	return sample, sets
}

// similarities returns the Jaccard similarities of all pairs of texts that are not near-copies.
func similarities(sets []map[string]bool) (list []float64) {
	for i, a := range sets {
		for _, b := range sets[:i] {
			both := 0
			for word := range a {
				if b[word] {
					both++
				}
			}
			if j := float64(both) / float64(len(a)+len(b)-both); j < 0.9 {
				list = append(list, j)
			}
		}
	}
	return list
}

// sharing returns how many of n texts share a key with a text, on average: n times the mean of the
// Jaccard similarity to the power of the minima. This is an oracle: do not change it.
func sharing(similarities []float64, n float64, minima int) float64 {
	sum := 0.0
	for _, j := range similarities {
		sum += math.Pow(j, float64(minima))
	}
	return n * sum / float64(len(similarities))
}

// A sample chooses the fewest minima with which at most 100 unrelated texts share a key.
func TestChoose(t *testing.T) {
	sample, sets := sampleOf(t, 400)
	equal, jaccards := sample.equal(), similarities(sets)
	for minima := 1; minima <= 10; minima++ {
		if got, want := probability(equal, minima), sharing(jaccards, 1, minima); math.Abs(got/want-1) > 0.1 {
			t.Errorf("%d minima: probability %.3g, want %.3g", minima, got, want)
		}
	}
	seen := map[int]bool{}
	for _, n := range []int{10, 1000, 100_000, 3_000_000, 100_000_000, 10_000_000_000} {
		k, shared := sample.Choose(n)
		seen[k.Minima] = true
		if want := sharing(jaccards, float64(n), k.Minima); math.Abs(shared/want-1) > 0.1 || want > 1.1*mostShared {
			t.Errorf("%d texts: %d minima, %.3g share a key, want %.3g", n, k.Minima, shared, want)
		}
		if k.Minima > 1 && sharing(jaccards, float64(n), k.Minima-1) < mostShared/1.1 {
			t.Errorf("%d texts: %d minima, but one less suffices", n, k.Minima)
		}
		if stated, err := New(sample.spec, k.Minima); err != nil || stated != k {
			t.Errorf("%d texts: keys %+v, want %+v, %v", n, k, stated, err)
		}
	}
	if len(seen) < 5 {
		t.Errorf("the numbers of minima are %v, expected one for each size", slices.Sorted(maps.Keys(seen)))
	}
}

// If the texts of a sample are too similar for any keys, the largest ones of 400 bytes are chosen.
// A sample of few texts gives the usual keys, and of many texts it keeps 2000.
func TestChooseAtTheLimits(t *testing.T) {
	sample, _ := sampleOf(t, 100)
	k, shared := sample.Choose(math.MaxInt64)
	if k.Minima != 12 || 8*k.Count > mostBytes || shared <= mostShared {
		t.Errorf("%+v, %v shared", k, shared)
	}
	sample.fingerprints, sample.minima = sample.fingerprints[:99], sample.minima[:99]
	if k, shared := sample.Choose(1000); k != sample.usual || !math.IsNaN(shared) {
		t.Errorf("%+v, %v shared", k, shared)
	}
	for i := range uint64(5000) {
		keys := make([]uint64, lanes)
		keys[0] = i
		sample.Add([]uint64{i, 0}, keys)
	}
	sample.Add([]uint64{0, 0}, nil)
	late := 0
	for _, keys := range sample.minima[99:] {
		if keys[0] >= 2500 {
			late++
		}
	}
	if sample.Len() != mostSampled || late < 850 || late > 1050 {
		t.Errorf("%d texts in the sample, %d of the second half", sample.Len(), late)
	}
}
