package fphash

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"simhashkit/asm/cpu"
)

// minHashOracle computes a fingerprint by the definition, bit by bit. It is an oracle: do not
// change it.
func minHashOracle(codes []uint64, bits int) []uint64 {
	generator := func(state uint64) uint64 { // SplitMix64
		z := state + 0x9E3779B97F4A7C15
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return z ^ z>>31
	}
	f := make([]uint64, (bits+63)/64)
	if len(codes) == 0 {
		return f
	}
	lanes := uint64(len(f)) * 64
	for lane := range uint64(bits) {
		least, a := uint32(math.MaxUint32), uint32(generator(lane))|1
		for _, code := range codes {
			key := generator(code)
			value := a*uint32(key)>>1 | 1<<31
			if key>>32*lanes>>32 == lane {
				value = uint32(key) >> 1
			}
			least = min(least, value)
		}
		f[lane/64] |= uint64((least^least>>15)*0x9E3779B1>>31) << (lane % 64)
	}
	return f
}

var minHashes = []Definition{
	{Bits: 1}, {Bits: 63}, {}, {Bits: 65}, {Hash: "md5", Bits: 128}, {Hash: "fnv1a64", Encoding: BE64, Bits: 100},
	{Hash: "splitmix64", Bits: 256, Seed: 5}, {Encoding: Dec, Bits: 1000}, {Hash: "highway256", Bits: MaxBits, Seed: 1},
}

// forMinHashes runs body for many MinHash Sketchers, with every kernel.
func forMinHashes(t *testing.T, body func(t *testing.T, s *Sketcher)) {
	t.Helper()
	setTier(t, cpu.Active()) // restores it at the end
	for _, tier := range cpu.Supported() {
		setTier(t, tier)
		for _, d := range minHashes {
			d.Kind = MinHash
			s := mustNew(t, d)
			t.Run(fmt.Sprintf("%v/%v", tier, s), func(t *testing.T) { body(t, s) })
		}
	}
}

// expectMinHash returns the result of the definition for indices.
func expectMinHash(s *Sketcher, indices []uint64) ([]uint64, Status) {
	var codes []uint64
	for _, index := range indices {
		codes = append(codes, codeOf(s.definition, index)[0])
	}
	if len(indices) == 0 {
		return minHashOracle(nil, s.Bits()), NoInformation
	}
	return minHashOracle(codes, s.Bits()), Informative
}

// Every function agrees with the definition, for repeated features, more features than a chunk, and
// no features.
func TestMinHashByEveryFunction(t *testing.T) {
	forMinHashes(t, func(t *testing.T, s *Sketcher) {
		r := rand.New(rand.NewPCG(1, uint64(s.Bits())))
		var all []uint64
		var want []uint64
		var wantStatus []Status
		offsets := []int{0}
		for _, n := range []int{0, 1, 2, 5, 16, 17, 40, chunkOf(s.definition) + 3} {
			if n > 100 && s.Bits() > 1000 {
				continue // the oracle is slow
			}
			indices := make([]uint64, n)
			for i := range indices {
				indices[i] = r.Uint64N(1 << (4 + 10*(n%4)))
			}
			f, status := expectMinHash(s, indices)
			all, offsets = append(all, indices...), append(offsets, len(all)+n)
			want, wantStatus = append(want, f...), append(wantStatus, status)
			got, gotStatus, err := AppendUnit(s, nil, indices)
			if err != nil || gotStatus != status || !slices.Equal(got, f) {
				t.Fatalf("%d features: %x, %v, %v, want %x, %v", n, got, gotStatus, err, f, status)
			}
			a := NewAccumulator[float32](s)
			for i, index := range indices {
				if i%3 == 0 {
					err = errors.Join(err, Add(a, 1, index, index)) // repeats change nothing
				} else {
					err = errors.Join(err, Add(a, 1, index))
				}
			}
			if got, gotStatus = a.Append(nil); err != nil || gotStatus != status || !slices.Equal(got, f) {
				t.Fatalf("accumulated, %d features: %x, %v, %v, want %x, %v", n, got, gotStatus, err, f, status)
			}
			many := NewAccumulator[int8](s)
			if err := Add(many, 1, indices...); err != nil {
				t.Fatal(err)
			}
			if got, _ := many.Append(nil); !slices.Equal(got, f) {
				t.Fatalf("accumulated at once, %d features: %x, want %x", n, got, f)
			}
		}
		got, status, err := AppendBatchUnit(s, nil, nil, offsets, all)
		if err != nil || !slices.Equal(got, want) || !slices.Equal(status, wantStatus) {
			t.Errorf("in a batch: %x, %v, %v, want %x, %v", got, status, err, want, wantStatus)
		}
	})
}

// Byte strings are features like indices: alone, in batches, and accumulated among indices.
func TestMinHashOfByteStrings(t *testing.T) {
	s := mustNew(t, Definition{Bits: 128, Kind: MinHash})
	words := strings.Fields("a set of words of which some of the words come again")
	var codes []uint64
	for _, w := range words {
		code := make([]uint64, 1)
		s.bytes.HashBytes(code, []byte(w), []int{len(w)})
		codes = append(codes, code[0])
	}
	want := minHashOracle(codes, 128)
	if got, _, err := AppendUnit(s, nil, words); err != nil || !slices.Equal(got, want) {
		t.Errorf("%x, %v, want %x", got, err, want)
	}
	if got, _, err := AppendBatchUnit(s, nil, nil, []int{0, len(words)}, words); err != nil || !slices.Equal(got, want) {
		t.Errorf("in a batch %x, %v, want %x", got, err, want)
	}
	a := NewAccumulator[int](s)
	for i, w := range words {
		Add(a, 1, uint64(i))
		Add(a, 1, w)
		codes = append(codes, codeOf(s.definition, uint64(i))[0])
	}
	if got, _ := a.Append(nil); !slices.Equal(got, minHashOracle(codes, 128)) {
		t.Errorf("accumulated among indices: %x, want %x", got, minHashOracle(codes, 128))
	}
}

// Merged accumulators equal those of the union, in any order, also after marshaling.
func TestMinHashMergesToTheUnion(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		s := mustNew(t, Definition{Bits: 1 + r.IntN(200), Kind: MinHash})
		union, merged := NewAccumulator[int64](s), NewAccumulator[int64](s)
		for range 1 + r.IntN(4) {
			part := NewAccumulator[int64](s)
			for range r.IntN(40) {
				index := r.Uint64N(100)
				Add(part, 1, index)
				Add(union, 1, index)
			}
			state, err := part.MarshalBinary()
			var read Accumulator[int64]
			if err := errors.Join(err, read.UnmarshalBinary(state), merged.Merge(&read)); err != nil {
				t.Fatal(err)
			}
		}
		want, wantStatus := union.Append(nil)
		if got, status := merged.Append(nil); !slices.Equal(got, want) || status != wantStatus {
			t.Fatalf("%v: merged %x, %v, of the union %x, %v", s, got, status, want, wantStatus)
		}
		clone := merged.Clone()
		merged.Reset()
		if got, status := merged.Append(nil); status != NoInformation || slices.Max(got) != 0 {
			t.Fatalf("after Reset: %x, %v", got, status)
		}
		if got, _ := clone.Append(nil); !slices.Equal(got, want) {
			t.Fatalf("the clone: %x, want %x", got, want)
		}
	}
}

// Settings and calls that are meaningless for sets are refused, and change nothing.
func TestMinHashRefuses(t *testing.T) {
	s := mustNew(t, Definition{Kind: MinHash})
	a, other := NewAccumulator[float64](s), NewAccumulator[float64](mustNew(t, Definition{}))
	Add(a, 1, uint64(1), 2, 3)
	before, _ := a.Append(nil)
	indices, weights := []uint64{1, 2}, []float64{1, 1}
	for what, call := range map[string]func() error{
		"weights":            func() error { _, _, err := Append(s, nil, indices, weights); return err },
		"weights in a batch": func() error { _, _, err := AppendBatch(s, nil, nil, []int{0, 2}, indices, weights); return err },
		"weight 2":           func() error { return Add(a, 2, uint64(9)) },
		"weight -1":          func() error { return Add(a, -1, uint64(1)) },
		"a vector":           func() error { return AddVector(a, indices, weights) },
		"subtracting":        func() error { return a.Subtract(a.Clone()) },
	} {
		if err := call(); err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), "MinHash") {
			t.Errorf("%s: %v", what, err)
		}
	}
	for _, err := range []error{a.Merge(other), other.Merge(a)} {
		if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "not the same sketch") {
			t.Errorf("merged with another sketch: %v", err)
		}
	}
	if after, _ := a.Append(nil); !slices.Equal(after, before) {
		t.Errorf("refused calls have changed %x to %x", before, after)
	}
}

func TestMinHashAllocatesNothing(t *testing.T) {
	s := mustNew(t, Definition{Bits: 200, Kind: MinHash}).Local()
	var dst [4]uint64
	var indices [700]uint64
	if n := testing.AllocsPerRun(5, func() { AppendUnit(s, dst[:0], indices[:]); AppendUnit(s, dst[:0], indices[:20]) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// Frozen fingerprints.
func TestFrozenMinHash(t *testing.T) {
	for _, c := range []struct{ text, fingerprint string }{
		{"xxh64,le64,64,sketch=minhash", "1866fe1a3dbb6100"},
		{"xxh64,le64,33,sketch=minhash", "03dbb6100"},
		{"md5,dec,128,sketch=minhash", "2dd74b3ea713471daf7ddfc7806b55b7"},
		{"splitmix64,le64,256,sketch=minhash,seed=7", "3292e48dfc957d02b168b29fb1cc3a4f5e436216db328627907945045cbf3ed9"},
	} {
		d, err := ParseDefinition(c.text)
		if err != nil || d.String() != c.text {
			t.Errorf("%s: read as %s, %v", c.text, d, err)
			continue
		}
		s := mustNew(t, d)
		if s.String() != c.text {
			t.Errorf("%s: made, it is %s", c.text, s)
		}
		words, _, err := AppendUnit(s, nil, []uint64{1, 2, 3, 1 << 40})
		if got := Fingerprint(words).Hex(s.Bits()); err != nil || got != c.fingerprint {
			t.Errorf("%s: fingerprint %s, want %s (%v)", c.text, got, c.fingerprint, err)
		}
	}
}

// The interval contains the similarity with about the stated probability, for any similarity.
func TestJaccardInterval(t *testing.T) {
	for _, bits := range []int{16, 64, 128, 1024} {
		for step := range 21 {
			similarity := float64(step) / 20
			p, covered := (1-similarity)/2, 0.0
			for d := range bits + 1 {
				estimate, low, high := Jaccard(d, bits)
				if low < 0 || low > estimate || estimate > high || high > 1 {
					t.Fatalf("%d of %d bits: %v, from %v to %v", d, bits, estimate, low, high)
				}
				if low <= similarity && similarity <= high {
					covered += binomial(bits, d, p)
				}
			}
			if covered < 0.91 {
				t.Errorf("%d bits, similarity %v: the interval contains it with probability %.3f, expected 0.95", bits, similarity, covered)
			}
		}
	}
	if estimate, low, high := Jaccard(6, 128); estimate != 1-12.0/128 || math.Abs(low-0.803) > 1e-3 || math.Abs(high-0.957) > 1e-3 {
		t.Errorf("6 of 128 bits: %v, from %v to %v", estimate, low, high)
	}
	for _, c := range [][2]int{{0, 0}, {-1, 64}, {65, 64}} {
		func() {
			defer func() { _ = recover().(string) }()
			Jaccard(c[0], c[1])
			t.Errorf("%v: no panic", c)
		}()
	}
}

// binomial returns the binomial probability of k of n.
func binomial(n, k int, p float64) float64 {
	if p == 0 {
		return float64(1 - min(k, 1))
	}
	gamma := func(x int) float64 { v, _ := math.Lgamma(float64(x + 1)); return v }
	return math.Exp(gamma(n) - gamma(k) - gamma(n-k) + float64(k)*math.Log(p) + float64(n-k)*math.Log1p(-p))
}
