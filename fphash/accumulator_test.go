package fphash

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestAccumulatorOnEveryType runs the property below for every type of weight and order and for
// some widths, at every tier.
func TestAccumulatorOnEveryType(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		for _, order := range []Order{Grouped, Sequential} {
			for _, hash := range []string{"xxh64", "highway256"} {
				s := mustNew(t, Definition{Hash: hash, Bits: 63, Tie: TieAlternate, Order: order})
				t.Run("int32", piecesProperty[int32](s))
				t.Run("int64", piecesProperty[int64](s))
				t.Run("float32", piecesProperty[float32](s))
				t.Run("float64", piecesProperty[float64](s))
			}
		}
	})
}

// piecesProperty checks that the fingerprint equals that of Append on all features so far, for any
// split of the features into calls and with any number of reads in between.
func piecesProperty[W Weight](s *Sketcher) func(*testing.T) {
	s = lanesFor[W](s)
	return func(t *testing.T) {
		rapid.Check(t, func(t *rapid.T) {
			r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
			a := NewAccumulator[W](s)
			var indices []uint64
			var weights []W
			for range rapid.IntRange(1, 8).Draw(t, "calls") {
				n := rapid.OneOf(rapid.IntRange(0, 9), rapid.IntRange(0, 200)).Draw(t, "n")
				more := randomIndices(r, n)
				values := randomWeights[W](r, kind(rapid.IntRange(0, int(tied)).Draw(t, "kind")), n)
				switch rapid.IntRange(0, 9).Draw(t, "call") {
				case 7: // the bytes of an index are the same feature
					for i, index := range more {
						if err := Add(a, values[i], LE64.AppendIndex(nil, index)); err != nil {
							t.Fatal(err)
						}
					}
				case 8:
					for i, index := range more {
						if err := Add(a, values[i], string(LE64.AppendIndex(nil, index))); err != nil {
							t.Fatal(err)
						}
					}
				case 9: // mixed features, at any position in a group
					for i, index := range more {
						if r.IntN(3) == 0 {
							Add(a, values[i], index)
						} else if err := Add(a, values[i], LE64.AppendIndex(nil, index)); err != nil {
							t.Fatal(err)
						}
					}
				case 0:
					for i, index := range more {
						Add(a, values[i], index)
					}
				case 1:
					if err := AddVector(a, more, values); err != nil {
						t.Fatal(err)
					}
				case 2:
					var short []uint32
					short, more = narrow(more)
					if err := AddVector(a, short, values); err != nil {
						t.Fatal(err)
					}
				case 3:
					Add(a, 1, more...)
					for i := range values {
						values[i] = 1
					}
				case 4:
					a, more, values = a.Clone(), nil, nil
				case 5:
					a.Reset()
					indices, weights, more, values = nil, nil, nil, nil
				case 6:
					before := a.pending
					a.appendErr(nil)
					if got, was := &a.pending, &before; got.n != was.n || got.hashed != was.hashed || got.indices != was.indices || got.weights != was.weights {
						t.Fatal("reading has changed the pending features")
					}
					more, values = nil, nil
				}
				indices, weights = append(indices, more...), append(weights, values...)
				if diff := compareSums(a, indices, weights); diff != "" {
					t.Fatalf("after %d features: %s", len(indices), diff)
				}
				got, err := a.appendErr(nil)
				want, wantErr := appendErr(s, nil, indices, weights)
				if !slices.Equal(got, want) || err != wantErr {
					t.Fatalf("after %d features: %x, %v; Append gives %x, %v", len(indices), got, err, want, wantErr)
				}
			}
		})
	}
}

// compareSums describes where the accumulator's sums differ from those of one pass over the
// features. Comparing fingerprints alone would miss most wrong sums, since few change a sign.
func compareSums[W Weight](a *Accumulator[W], indices []uint64, weights []W) string {
	s := a.sketcher
	want, b := new(lanes).of(s.definition, kindOf[W]()), newBuffers(s.definition, 1)
	b.add(want, columnOf(indices), columnOf(weights))
	got := a.closed(newBuffers(s.definition, 1))
	return differentSum(got.i64, want.i64) + differentSum(got.f32, want.f32) + differentSum(got.f64, want.f64)
}

func differentSum[T int64 | float32 | float64](got, want [][64]T) string {
	for t := range want {
		for j, w := range want[t] {
			if g := got[t][j]; g != w && (g == g || w == w) {
				return fmt.Sprintf("lane %d is %v, expected %v", 64*t+j, g, w)
			}
		}
	}
	return ""
}

func TestAccumulatorAgainstOracle(t *testing.T) {
	atEachTier(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for _, w := range widths {
			s := mustNew(t, Definition{Bits: w.bits, Tie: TieOne, Float32: true}, WithFamily(w.hash))
			for n := 0; n < 200; n += 7 {
				indices, weights := randomIndices(r, n), randomWeights[float32](r, ordinary, n)
				a := NewAccumulator[float32](s)
				for i, index := range indices {
					Add(a, weights[i], index)
				}
				got, err := a.appendErr(nil)
				wantSketch(t, s, indices, weights, got, err)
				if diff := compareSums(a, indices, weights); diff != "" {
					t.Fatalf("%d features: %s", n, diff)
				}
			}
		}
	})
}

func TestClonesAreIndependent(t *testing.T) {
	s := mustNew(t, Definition{})
	a := NewAccumulator[int32](s)
	AddVector(a, []uint64{1, 2, 3}, []int32{1, 2, 3})
	want, _ := a.appendErr(nil)
	b := a.Clone()
	for i := range uint64(100) {
		Add(b, 50, i)
	}
	if got, _ := a.appendErr(nil); got[0] != want[0] {
		t.Error("adding to the clone changes the original")
	}
	was, _ := b.appendErr(nil)
	a.Reset()
	if got, _ := b.appendErr(nil); got[0] != was[0] {
		t.Error("resetting the original changes the clone")
	}
}

func TestOverflowIsSeenWhenRead(t *testing.T) {
	a := NewAccumulator[float32](mustNew(t, Definition{Tie: TieOne, Float32: true}))
	Add(a, 3e38, uint64(1))
	Add(a, 3e38, uint64(1))
	if got, err := a.appendErr([]uint64{5}); !errors.Is(err, errNotFinite) || !slices.Equal(got, []uint64{5, 0}) {
		t.Errorf("%x, %v", got, err)
	}
	a.Reset()
	if got, err := a.appendErr(nil); !errors.Is(err, errNoInformation) || got[0] != ^uint64(0) {
		t.Errorf("after Reset: %x, %v", got, err)
	}
}
