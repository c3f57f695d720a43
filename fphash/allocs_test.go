package fphash

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"simhashkit/internal/testing/long"
)

// TestNoAllocation checks every function that promises not to allocate, for short and long vectors
// and every family, encoding and type. Short runs test only one type for other encodings and for
// widenings.
func TestNoAllocation(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // the garbage collector empties pools
	r := rand.New(rand.NewPCG(19, 20))
	atEachTier(t, func(t *testing.T) {
		for _, f := range append(Families(), wideHash(200)) {
			for e := range Dec + 1 {
				if e != LE64 && f.Integer {
					continue
				}
				noAllocation(t, f.Name+"/"+e.String(), r, 100, Definition{Encoding: e, Bits: f.Bits}, WithFamily(f))
			}
			for _, w := range f.Widenings() {
				noAllocation(t, f.Name+"-"+w.String(), r, 100, Definition{Widen: w, Bits: 2*f.Bits + 9}, WithFamily(f))
			}
		}
		for _, n := range []int{3, 1100} {
			noAllocation(t, fmt.Sprint(n, " features"), r, n, Definition{})
			noAllocation(t, fmt.Sprint(n, " features by md5"), r, n, Definition{Hash: "md5", Bits: 100})
			noAllocation(t, fmt.Sprint(n, " features, widened"), r, n, Definition{Hash: "sha1", Widen: WidenCounter, Bits: 1000})
		}
	})
}

func noAllocation(t *testing.T, name string, r *rand.Rand, n int, d Definition, options ...Option) {
	s := mustNew(t, d, append(options, WithWorkers(1))...)
	noAllocationOf[float32](t, name+"/f32", s, n, r)
	if (s.encoding != LE64 || s.widen != WidenNone) && !long.Enabled() {
		return
	}
	noAllocationOf[float64](t, name+"/f64", s.Local(), n, r)
	noAllocationOf[int32](t, name+"/i32", s, n, r)
	noAllocationOf[int64](t, name+"/i64", s.Local(), n, r)
}

func noAllocationOf[W Weight](t *testing.T, name string, s *Sketcher, n int, r *rand.Rand) {
	s = lanesFor[W](s)
	indices := randomIndices(r, n)
	short, _ := narrow(indices)
	weights := randomWeights[W](r, ordinary, len(indices))
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprint("word ", i)
	}
	keys := asBytes(words)
	dst := make([]uint64, 0, 4*s.Words())
	status := make([]Status, 0, 4)
	offsets := []int{0, 1, len(indices)}
	a, b := NewAccumulator[W](s), NewAccumulator[W](s)
	Add(b, 2, uint64(1))
	calls := map[string]func(){
		"Append":               func() { appendErr(s, dst, indices, weights) },
		"Append32":             func() { appendErr(s, dst, short, weights) },
		"AppendUnit":           func() { appendUnitErr(s, dst, indices) },
		"AppendBatch":          func() { AppendBatch(s, dst, status, offsets, indices, weights) },
		"AppendBatchUnit":      func() { AppendBatchUnit(s, dst, status, offsets, short) },
		"Distance":             func() { Distance(dst, dst) },
		"Sketch64":             func() { sketch64Err(indices, weights) },
		"Unit64":               func() { sketchUnit64Err(short) },
		"Accumulator.Add":      func() { Add(a, weights[0], indices[0]) },
		"Accumulator.AddUnit":  func() { Add(a, 1, indices...) },
		"Accumulator.Vector":   func() { AddVector(a, indices, weights) },
		"Accumulator.Vector32": func() { AddVector(a, short, weights) },
		"Accumulator.Merge":    func() { a.Merge(b) },
		"Accumulator.Subtract": func() { a.Subtract(b) },
		"Accumulator.Append":   func() { a.appendErr(dst) },
		"Accumulator.Reset":    func() { a.Reset() },
	}
	if s.made().bytes != nil {
		calls["Append of strings"] = func() { appendErr(s, dst, words, weights) }
		calls["AppendBatchUnit of byte slices"] = func() { AppendBatchUnit(s, dst, status, offsets, keys) }
		calls["Sketch64 of byte slices"] = func() { sketch64Err(keys, weights) }
		calls["Accumulator.AddKey"] = func() { Add(a, weights[0], keys[0]) }
		calls["Accumulator.AddString"] = func() { Add(a, weights[0], words[0]) }
	}
	for call, run := range calls {
		for range 8 { // until an accumulator has added its pending features
			run()
		}
		if allocs := testing.AllocsPerRun(3, run); allocs != 0 {
			t.Errorf("%s: %s allocates %v times", name, call, allocs)
		}
	}
}

// TestTheCallersSlicesStay checks that a vector on the caller's stack is not moved to the heap.
func TestTheCallersSlicesStay(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	s, own := mustNew(t, Definition{}), mustNew(t, Definition{}, WithFamily(wideHash(64)))
	a := NewAccumulator[int64](s)
	for name, run := range map[string]func() uint64{
		"Append": func() uint64 {
			var indices, dst [9]uint64
			var weights [9]float64
			got, _ := appendErr(s, dst[:0], indices[:], weights[:])
			return got[0]
		},
		"Append by a hash of one's own": func() uint64 {
			var indices, dst [9]uint64
			var weights [9]int64
			got, _ := appendErr(own, dst[:0], indices[:], weights[:])
			return got[0]
		},
		"AppendUnit of byte slices": func() uint64 {
			var key [5]byte
			var dst [1]uint64
			keys := [3][]byte{key[:], key[1:], key[2:]}
			got, _ := appendUnitErr(s, dst[:0], keys[:])
			return got[0]
		},
		"AddKey": func() uint64 {
			var key [5]byte
			Add(a, 1, key[:])
			return 0
		},
		"Sketch64": func() uint64 {
			var indices [9]uint32
			var weights [9]float64
			got, _ := sketch64Err(indices[:], weights[:])
			return got
		},
		"AppendHex": func() uint64 {
			var hex [16]byte
			var words [1]uint64
			return uint64(Fingerprint(words[:]).AppendHex(hex[:0], 64)[0])
		},
	} {
		var sum uint64
		if allocs := testing.AllocsPerRun(5, func() { sum += run() }); allocs != 0 {
			t.Errorf("%s: %v allocations", name, allocs)
		}
	}
}
