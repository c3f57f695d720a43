package fphash

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
	"unsafe"
)

// Named types as in users' programs.
type (
	termID    uint32
	dimension uint64
	token     string
	raw       []byte
	count     int32
	score     float32
	place     int64
)

// sameAsNative compares vectors of some types with the same vectors of types that kernels take:
// whole, in a batch and through an accumulator.
func sameAsNative[F Feature, W Weight, NF Feature, NW Weight](t *testing.T, features []F, weights []W, asFeatures []NF, asWeights []NW) {
	t.Helper()
	name := fmt.Sprintf("%T, %T", features, weights)
	for _, d := range []Definition{{}, {Hash: "md5", Bits: 100}, {Encoding: Dec, Order: Sequential}} {
		s := lanesFor[W](mustNew(t, d))
		for _, n := range []int{0, 1, 5, len(features)} {
			want, wantStatus, err := Append(s, nil, asFeatures[:n], asWeights[:n])
			got, status, err2 := Append(s, nil, features[:n], weights[:n])
			if err != nil || err2 != nil || status != wantStatus || !slices.Equal(got, want) {
				t.Errorf("%s: Append of %d: %x, %v, %v, want %x", name, n, got, status, err2, want)
			}
			offsets := []int32{0, int32(n / 2), int32(n)}
			batch, _, err := AppendBatch(s, nil, nil, offsets, features, weights)
			half, _, err2 := Append(s, nil, asFeatures[:n/2], asWeights[:n/2])
			rest, _, _ := Append(s, nil, asFeatures[n/2:n], asWeights[n/2:n])
			if err != nil || err2 != nil || !slices.Equal(batch, append(half, rest...)) {
				t.Errorf("%s: batch of %d: %x", name, n, batch)
			}
			a := NewAccumulator[W](s)
			for i := range n / 2 {
				if err := Add(a, weights[i], features[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := AddVector(a, features[n/2:n], weights[n/2:n]); err != nil {
				t.Fatal(err)
			}
			if sum, _ := a.Append(nil); !slices.Equal(sum, want) {
				t.Errorf("%s: accumulator of %d: %x, want %x", name, n, sum, want)
			}
		}
		unit, _, err := AppendUnit(s, nil, asFeatures)
		got, _, err2 := AppendUnit(s, nil, features)
		batch, _, err3 := AppendBatchUnit(s, nil, nil, []place{0, place(len(features))}, features)
		if err != nil || err2 != nil || err3 != nil || !slices.Equal(got, unit) || !slices.Equal(batch, unit) {
			t.Errorf("%s: AppendUnit: %x and %x, want %x", name, got, batch, unit)
		}
	}
	if want, _, _ := Sketch64(asFeatures, asWeights); true {
		if got, _, err := Sketch64(features, weights); err != nil || got != want {
			t.Errorf("%s: Sketch64: %x, %v, want %x", name, got, err, want)
		}
	}
	if want, _, _ := SketchUnit64(asFeatures); true {
		if got, _, err := SketchUnit64(features); err != nil || got != want {
			t.Errorf("%s: SketchUnit64: %x, %v, want %x", name, got, err, want)
		}
	}
}

// as1 converts elements one by one, unlike columns.
func as1[To, From any](list []From, convert func(From) To) (converted []To) {
	for _, x := range list {
		converted = append(converted, convert(x))
	}
	return converted
}

// TestTypesThatPeopleHave checks that named types and integers of every size give the same
// fingerprints as the types that kernels take.
func TestTypesThatPeopleHave(t *testing.T) {
	r := rand.New(rand.NewPCG(31, 32))
	const n = 700 // more than a chunk
	indices := randomIndices(r, n)
	short, wide := narrow(indices)
	small := make([]int32, n) // fits every type
	for i := range small {
		small[i] = r.Int32N(128)
	}
	signed := as1(small, func(x int32) int32 { return x - 64 })
	words := as1(indices, func(x uint64) string { return fmt.Sprint("word ", x) })

	sameAsNative(t, as1(short, func(x uint32) termID { return termID(x) }), as1(signed, func(x int32) count { return count(x) }), wide, signed)
	sameAsNative(t, as1(indices, func(x uint64) dimension { return dimension(x) }), as1(signed, func(x int32) score { return score(x) / 3 }), indices, as1(signed, func(x int32) float32 { return float32(x) / 3 }))
	sameAsNative(t, as1(words, func(x string) token { return token(x) }), as1(signed, func(x int32) float64 { return float64(x) }), words, as1(signed, func(x int32) float64 { return float64(x) }))
	sameAsNative(t, as1(words, func(x string) raw { return raw(x) }), as1(signed, func(x int32) int { return int(x) << 20 }), words, as1(signed, func(x int32) int64 { return int64(x) << 20 }))
	sameAsNative(t, indices, as1(signed, func(x int32) int8 { return int8(x) }), indices, signed)
	sameAsNative(t, indices, as1(signed, func(x int32) int16 { return int16(x) }), indices, signed)
	sameAsNative(t, words, as1(small, func(x int32) uint8 { return uint8(x) + 128 }), words, as1(small, func(x int32) int32 { return x + 128 }))
	sameAsNative(t, short, as1(small, func(x int32) uint16 { return uint16(x) << 9 }), wide, as1(small, func(x int32) int32 { return x << 9 }))
	sameAsNative(t, indices, as1(small, func(x int32) uint32 { return uint32(x) << 25 }), indices, as1(small, func(x int32) int64 { return int64(x) << 25 }))
}

// An int64 that is not a valid offset on this machine is refused, not truncated.
func TestOffsetsBeyondTheWordSize(t *testing.T) {
	for _, offset := range []int64{1 << 40, -1 << 40, 1<<32 + 1} {
		if _, _, err := AppendBatchUnit(mustNew(t, Definition{}), nil, nil, []int64{0, offset}, []uint64{1, 2}); err == nil {
			t.Errorf("offset %d is accepted", offset)
		}
	}
}

// Users keep millions of accumulators: one with 64 lanes needs less than 1 KB.
func TestSizeOfAnAccumulator(t *testing.T) {
	if size := unsafe.Sizeof(Accumulator[int64]{}) + unsafe.Sizeof([64]int64{}); size > 1024 {
		t.Errorf("%d bytes", size)
	}
}

// Integers that fit in 32 bits are added by the kernels for int32, which are faster.
func TestNativeWeights(t *testing.T) {
	c := mustNew(t, Definition{}).Local().own
	for _, tc := range []struct {
		weights column
		want    reflect.Kind
	}{
		{columnOf([]int{1, math.MinInt32, math.MaxInt32}), reflect.Int32},
		{columnOf([]int64{1, math.MinInt32, math.MaxInt32}), reflect.Int32},
		{columnOf([]int64{math.MaxInt32 + 1, 1}), reflect.Int64},
		{columnOf([]int64{1, math.MinInt32 - 1}), reflect.Int64},
		{columnOf([]int64{math.MinInt64}), reflect.Int64},
		{columnOf([]uint32{math.MaxInt32}), reflect.Int32},
		{columnOf([]uint32{math.MaxInt32 + 1}), reflect.Int64},
		{columnOf([]int8{-128}), reflect.Int32},
		{columnOf([]uint16{math.MaxUint16}), reflect.Int32},
		{columnOf([]float32{1}), reflect.Float32},
		{units(3), unit},
	} {
		if got := c.native(tc.weights); got.kind != tc.want || got.len != tc.weights.len {
			t.Errorf("%v: %v of %d, expected %v of %d", tc.weights.kind, got.kind, got.len, tc.want, tc.weights.len)
		}
	}
}
