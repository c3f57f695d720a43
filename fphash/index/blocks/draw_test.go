package blocks

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"simhashkit/asm/hamming"
	"simhashkit/fphash/index/join"
)

// All blocks of drawn tables together have the near pairs that share a key, each once.
func TestDrawnPairsOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.SampledFrom([]int{16, 63, 64, 100, 128, 300}).Draw(t, "bits")
		k := rapid.IntRange(0, bits/4).Draw(t, "k")
		keyBits := rapid.IntRange(1, 8).Draw(t, "bits of a key")
		tables, err := Draw(bits, k, 0.9, keyBits, rapid.Uint64().Draw(t, "seed"))
		if err != nil {
			t.Fatal(err)
		}
		set := fingerprints(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "fingerprints"), 1)), bits, 120, 8)
		var want []join.Pair
		for _, p := range joinedPairs(t, set, k) {
			for table := range tables.Len() {
				if string(tables.AppendKey(nil, table, set.At(int(p.A)))) == string(tables.AppendKey(nil, table, set.At(int(p.B)))) {
					want = append(want, p)
					break
				}
			}
		}
		batch := rapid.SampledFrom([]int{0, 1, 7}).Draw(t, "batch")
		if diff := cmp.Diff(want, searchBlocks(t, tables, set, batch)); diff != "" {
			t.Fatal(diff)
		}
	})
}

// Drawn tables find the share of the pairs at distance k that they promise, and more nearer ones.
func TestDrawnRecall(t *testing.T) {
	for _, c := range []struct {
		bits, k, keyBits int
		recall           float64
		tables           int
	}{{128, 24, 16, 0.95, 104}, {128, 21, 12, 0.9, 21}, {64, 10, 10, 0.99, 27}, {1000, 200, 20, 0.5, 63}} {
		tables, err := Draw(c.bits, c.k, c.recall, c.keyBits, 1)
		if err != nil {
			t.Fatal(err)
		}
		if tables.Len() != c.tables {
			t.Errorf("%+v: %d tables", c, tables.Len())
		}
		far, near := sharedKeys(tables, c.k), sharedKeys(tables, c.k/2)
		if far < c.recall-0.02 || far > c.recall+0.03 || near <= far {
			t.Errorf("%+v: recall %.3f, %.3f at half the distance", c, far, near)
		}
	}
}

// sharedKeys returns which share of 4,000 pairs that differ in so many bits have a common key.
func sharedKeys(t *Tables, distance int) float64 {
	const pairs = 4000
	r, found := rand.New(rand.NewPCG(2, uint64(distance))), 0
	a := make([]uint64, (t.bits+63)/64)
	for range pairs {
		b := make([]uint64, len(a))
		for hamming.Distance(a, b) < distance {
			bit := r.IntN(t.bits)
			b[bit/64] |= 1 << (bit % 64)
		}
		for _, mask := range t.masks {
			if agree(a, b, mask) {
				found++
				break
			}
		}
	}
	return float64(found) / pairs
}

// Machines of one cluster draw the same tables.
func TestDrawnTablesAreFrozen(t *testing.T) {
	tables, err := Draw(64, 6, 0.9, 24, 3)
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(tables.Len(), " ")
	for table := range 3 {
		got += fmt.Sprintf("%x ", tables.masks[table])
	}
	if want := "44 [6b080a40d99101f9] [489281d732d0490c] [3c1271c62d20a40c] "; got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
}

func TestDrawRefuses(t *testing.T) {
	for _, c := range []struct {
		bits, k int
		recall  float64
		keyBits int
		want    string
	}{
		{0, 0, 0.9, 1, "fingerprints of 0 bits"},
		{64, 64, 0.9, 1, "within 64 bits"},
		{64, 3, 0, 16, "recall 0, expected more than 0 and less than 1"},
		{64, 3, 1, 16, "recall 1, expected more than 0 and less than 1"},
		{64, 3, 0.9, 0, "keys of 0 bits, expected 1 to 61"},
		{64, 3, 0.9, 62, "keys of 62 bits, expected 1 to 61"},
		{128, 24, 0.95, 32, "expected keys of fewer than 32 bits, or a smaller recall: 0.95 takes more than 512 tables"},
	} {
		if _, err := Draw(c.bits, c.k, c.recall, c.keyBits, 0); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
