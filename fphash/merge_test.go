package fphash

import (
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// mergeProperty checks integers: merging equals one pass over both, subtracting undoes it, and the
// order of features does not matter.
func mergeProperty[W int32 | int64](s *Sketcher) func(*testing.T) {
	return func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
			n, m := rapid.IntRange(0, 150).Draw(t, "n"), rapid.IntRange(0, 150).Draw(t, "m")
			indices, weights := randomIndices(r, n+m), randomWeights[W](r, kind(rapid.IntRange(0, int(tied)).Draw(t, "kind")), n+m)
			a, b := NewAccumulator[W](s), NewAccumulator[W](s)
			AddVector(a, indices[:n], weights[:n])
			AddVector(b, indices[n:], weights[n:])
			read := func(a *Accumulator[W]) string {
				f, err := a.appendErr(nil)
				if err == nil {
					return Fingerprint(f).Hex(s.Bits())
				}
				return err.Error()
			}
			wantA, wantB := read(a), read(b)
			if err := a.Merge(b); err != nil {
				t.Fatal(err)
			}
			whole := NewAccumulator[W](s)
			for _, i := range r.Perm(n + m) {
				Add(whole, weights[i], indices[i])
			}
			if read(a) != read(whole) {
				t.Fatalf("merged %s, one pass in another order %s", read(a), read(whole))
			}
			if read(b) != wantB {
				t.Fatal("merging has changed the other accumulator")
			}
			if err := a.Subtract(b); err != nil {
				t.Fatal(err)
			}
			if read(a) != wantA || read(b) != wantB {
				t.Fatalf("%s and %s before merging, %s and %s after subtracting", wantA, wantB, read(a), read(b))
			}
			if err := a.Subtract(a); err != nil {
				t.Fatal(err)
			}
			if read(a) != errNoInformation.Error() {
				t.Fatalf("after subtracting it from itself: %s", read(a))
			}
		})
	}
}

func TestMergeIntegers(t *testing.T) {
	t.Run("int32", mergeProperty[int32](mustNew(t, Definition{Hash: "md5", Bits: 100})))
	t.Run("int64", mergeProperty[int64](mustNew(t, Definition{})))
}

// TestMergeFloats: merging closes the open groups of both accumulators and adds the lanes.
func TestMergeFloats(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	s := mustNew(t, Definition{Float32: true})
	for n := range 140 {
		indices, weights := randomIndices(r, n+5), randomWeights[float32](r, ordinary, n+5)
		a, b := NewAccumulator[float32](s), NewAccumulator[float32](s)
		AddVector(a, indices[:5], weights[:5])
		AddVector(b, indices[5:], weights[5:])
		before := b.pending
		lanesBefore := b.sums.f32[0]
		less := a.Clone()
		if err := errors.Join(a.Merge(b), less.Subtract(b)); err != nil {
			t.Fatal(err)
		}
		if b.pending.n != before.n || b.sums.f32[0] != lanesBefore {
			t.Fatal("merging has changed the other accumulator")
		}
		// The same computed directly: V of each side from its own groups, and one addition.
		sum := func(from, to, lane int) (v float32) {
			signed := func(i int) float32 {
				if i >= to {
					return 0
				}
				if codeOf(s.definition, indices[i])[0]>>lane&1 == 1 {
					return weights[i]
				}
				return -weights[i]
			}
			for i := from; i < to; i += 4 {
				v += (signed(i) + signed(i+1)) + (signed(i+2) + signed(i+3))
			}
			return v
		}
		own := newBuffers(s.definition, 1)
		for lane := range 64 {
			ofA, ofB := sum(0, 5, lane), sum(5, n+5, lane)
			if got := a.closed(own).f32[0][lane]; got != ofA+ofB {
				t.Fatalf("lane %d of 5 plus %d features: %v, want %v", lane, n, got, ofA+ofB)
			}
			if got := less.closed(own).f32[0][lane]; got != ofA-ofB {
				t.Fatalf("lane %d of 5 minus %d features: %v, want %v", lane, n, got, ofA-ofB)
			}
		}
		// The next feature begins a new group.
		Add(a, 1, uint64(9))
		Add(less, 1, uint64(9))
		if a.pending.n != 1 || less.pending.n != 1 {
			t.Fatalf("%d pending after merging and one feature, %d after subtracting and one", a.pending.n, less.pending.n)
		}
	}
}

func TestMergeNeedsTheSameDefinition(t *testing.T) {
	base := Definition{Hash: "highway128", Bits: 70}
	a := NewAccumulator[float64](mustNew(t, base))
	key := make([]byte, 32)
	for want, change := range map[string]func(d *Definition){
		"hash":               func(d *Definition) { d.Hash = "md5" },
		"width":              func(d *Definition) { d.Bits = 71 },
		"encoding":           func(d *Definition) { d.Encoding = BE64 },
		"order of summation": func(d *Definition) { d.Order = Sequential },
		"type of weights":    func(d *Definition) { d.Float32 = true },
		"seed":               func(d *Definition) { d.Seed = 2 },
		"key":                func(d *Definition) { d.Key = append([]byte{1}, key[1:]...) },
	} {
		changed := base
		change(&changed)
		b := NewAccumulator[float64](mustNew(t, changed))
		if want != "type of weights" {
			Add(b, 1, uint64(1))
		}
		for _, err := range []error{a.Merge(b), a.Subtract(b)} {
			if !errors.Is(err, ErrMismatch) || !strings.HasSuffix(err.Error(), "not the same "+want) {
				t.Errorf("%v, want a mismatch of the %s", err, want)
			}
		}
		if _, err := a.appendErr(nil); !errors.Is(err, errNoInformation) {
			t.Errorf("the refused accumulator has changed: %v", err)
		}
	}
	// Keys of the same length that differ anywhere.
	withKey := func(key []byte) *Accumulator[float64] {
		d := base
		d.Key = key
		return NewAccumulator[float64](mustNew(t, d))
	}
	keyed := withKey(key)
	for i := range key {
		other := slices.Clone(key)
		other[i] = 1
		b := withKey(other)
		if err := keyed.Merge(b); !errors.Is(err, ErrMismatch) {
			t.Errorf("keys that differ in byte %d: %v, want a mismatch", i, err)
		}
		if err := b.Subtract(keyed); !errors.Is(err, ErrMismatch) {
			t.Errorf("keys that differ in byte %d: %v, want a mismatch", i, err)
		}
	}
	if err := keyed.Merge(withKey(slices.Clone(key))); err != nil {
		t.Errorf("the same key: %v", err)
	}
	// The tie rule applies when a fingerprint is read.
	tied := base
	tied.Tie = TieOne
	b := NewAccumulator[float64](mustNew(t, tied))
	if err := a.Merge(b); err != nil {
		t.Error(err)
	}
}

// Subtracting an accumulator of float64 weights removes its vectors.
func TestSubtractFloat64(t *testing.T) {
	s := mustNew(t, Definition{})
	indices, weights := []uint64{1, 2, 3, 4, 5, 6, 7, 8}, []float64{1, 2, 3, 4, 5, 6, 7, 800}
	all, some := NewAccumulator[float64](s), NewAccumulator[float64](s)
	err := errors.Join(AddVector(all, indices, weights), AddVector(some, indices[4:], weights[4:]), all.Subtract(some))
	want, _, err2 := Append(s, nil, indices[:4], weights[:4])
	if got, _ := all.Append(nil); err != nil || err2 != nil || got[0] != want[0] {
		t.Errorf("%x, want %x, %v, %v", got, want, err, err2)
	}
}
