package fphash

import (
	"math/rand/v2"
	"os"
	"strconv"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/internal/testing/long"
)

// Environment variables for longer runs: the number of random keys for each family, and the seed,
// so that a run can be split.
const (
	roundsVariable = "FPHASH_ROUNDS"
	seedVariable   = "FPHASH_SEED"
)

func fromEnvironment(t *testing.T, variable string, otherwise uint64) uint64 {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		return otherwise
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		t.Fatalf("%s: %v", variable, err)
	}
	return n
}

// splitMix64OneByOne is the definition, since there is no library. It is an oracle: do not change
// it.
type splitMix64OneByOne uint64

func (seed splitMix64OneByOne) HashUint64s(dst, keys []uint64) {
	mix := func(x uint64) uint64 {
		x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
		x = (x ^ x>>27) * 0x94D049BB133111EB
		return x ^ x>>31
	}
	for i, k := range keys {
		dst[i] = mix((k ^ mix(uint64(seed))) + 0x9E3779B97F4A7C15)
	}
}

// randomKey returns a key with everything that the family takes: a seed, bytes or both.
func randomKey(r *rand.Rand, f Family) (k Key) {
	if f.Seeded || f.KeyBytes > 0 {
		k.Seed = r.Uint64() >> r.IntN(64)
	}
	for range f.KeyBytes {
		k.Bytes = append(k.Bytes, byte(r.Uint32()))
	}
	return k
}

// TestKernelsAgainstLibraries hashes random keys in batches of every size, with random seeds and
// keys, with every kernel and with the library. Families are subtests, so that a long run can test
// a single one.
func TestKernelsAgainstLibraries(t *testing.T) {
	usual := uint64(10_000)
	if long.Enabled() {
		usual = 100_000
	}
	rounds := fromEnvironment(t, roundsVariable, usual)
	seed := fromEnvironment(t, seedVariable, 1)
	former := cpu.Active()
	defer cpu.SetTier(former)
	for _, f := range builtin() {
		library, ok := byLibrary(t, f)
		if f.Name == "splitmix64" {
			library.New = func(k Key) (Hash, error) { return splitMix64OneByOne(k.Seed), nil }
		} else if !ok {
			continue
		}
		t.Run(f.Name, func(t *testing.T) {
			r := rand.New(rand.NewPCG(seed, uint64(len(f.Name))<<32|uint64(f.Bits)))
			tiers := cpu.Supported()
			for done := uint64(0); done < rounds; {
				k := randomKey(r, f)
				n := 1 + r.IntN(70)
				if r.IntN(10) == 0 {
					n = 1 + r.IntN(1500)
				}
				keys := randomIndices(r, n)
				want, got := make([]uint64, n*f.Words()), make([]uint64, n*f.Words())
				plain, err := library.New(k)
				if err != nil {
					t.Fatal(err)
				}
				plain.HashUint64s(want, keys)
				h, err := f.New(k)
				if err != nil {
					t.Fatal(err)
				}
				for _, tier := range tiers {
					cpu.SetTier(tier)
					clear(got)
					h.HashUint64s(got, keys)
					for i, word := range got {
						if word != want[i] {
							t.Fatalf("%s at %v under %+v: word %d of key %#x, %d of %d, is %016x, want %016x", f.Name, tier, k, i/n, keys[i%n], i%n, n, word, want[i])
						}
					}
				}
				done += uint64(n)
			}
			t.Logf("%d random cases", rounds)
		})
	}
}
