package fphash

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// randomBatch returns n vectors with about the given mean length, at most about 4 times as long.
// Some are empty, long or poisoned. The first offset is not 0.
func randomBatch(r *rand.Rand, n, mean int) (offsets []int, indices []uint64, weights []float32) {
	offsets = append(offsets, 3)
	indices, weights = randomIndices(r, 3), randomWeights[float32](r, ordinary, 3)
	for range n {
		length := r.IntN(2 * mean)
		switch r.IntN(10) {
		case 0:
			length = 0
		case 1:
			length *= 2
		}
		indices = append(indices, randomIndices(r, length)...)
		weights = append(weights, randomWeights[float32](r, kind(r.IntN(int(kinds))), length)...)
		offsets = append(offsets, len(indices))
	}
	return offsets, append(indices, 1, 2), append(weights, 1, 2)
}

func TestBatchIsSingleCalls(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, n := range []int{0, 1, 2, 7, 1000} {
		offsets, indices, weights := randomBatch(r, n, 40)
		short, wide := narrow(indices)
		for _, workers := range []int{1, 2, 3, 16, 0} {
			for _, d := range []Definition{{Tie: TieOne}, {Hash: "md5", Encoding: Dec, Bits: 100}, {Hash: "wide"}} {
				d.Float32 = true
				var own []Option
				if d.Hash == "wide" {
					own = append(own, WithFamily(wideHash(64)))
				}
				s := mustNew(t, d, append(own, WithWorkers(workers))...)
				single := mustNew(t, d, own...)
				check := func(name string, dst []uint64, status []Status, err error, one func(i, from, to int, dst []uint64) ([]uint64, error)) {
					t.Helper()
					want := []uint64{7}
					wantStatus := []Status{NotFinite}
					for i := range n {
						var wantErr error
						want, wantErr = one(i, offsets[i], offsets[i+1], want)
						wantStatus = append(wantStatus, map[error]Status{nil: Informative, errNoInformation: NoInformation, errNotFinite: NotFinite}[wantErr])
					}
					if err != nil || !slices.Equal(dst, want) || !slices.Equal(status, wantStatus) {
						t.Fatalf("%s of %d vectors by %d workers differs from single calls: %v", name, n, workers, err)
					}
				}
				one := func(i, from, to int, dst []uint64) ([]uint64, error) {
					return appendErr(single, dst, indices[from:to], weights[from:to])
				}
				dst, status, err := AppendBatch(s, []uint64{7}, []Status{NotFinite}, offsets, indices, weights)
				check("AppendBatch", dst, status, err, one)
				for _, spans := range []int{1, 9, 3000} { // for all workers, even with little work
					clear(dst[1:])
					clear(status[1:])
					b := batch{fingerprints: dst[1:], status: status[1:], offsets: offsets, features: columnOf(indices), weights: columnOf(weights)}
					b.share(s.Local().own, max(workers, 1), 0, spans, 1+r.IntN(3))
					check(fmt.Sprint(spans, " spans"), dst, status, nil, one)
				}
				dst, status, err = AppendBatchUnit(s, []uint64{7}, []Status{NotFinite}, offsets, short)
				check("AppendBatchUnit", dst, status, err, func(i, from, to int, dst []uint64) ([]uint64, error) {
					return appendUnitErr(single, dst, wide[from:to])
				})
			}
		}
	}
}

func TestBatchOfNothing(t *testing.T) {
	s := mustNew(t, Definition{})
	for _, offsets := range [][]int{nil, {}, {0}, {2}} {
		dst, status, err := AppendBatch(s, nil, nil, offsets, []uint64{1, 2}, []int64{1, 2})
		if err != nil || len(dst) != 0 || len(status) != 0 {
			t.Errorf("offsets %v: %x, %v, %v", offsets, dst, status, err)
		}
	}
	// Very many empty vectors are also shared among workers.
	s = mustNew(t, Definition{}, WithWorkers(2))
	dst, status, err := AppendBatchUnit(s, nil, nil, make([]int, 5001), []uint32{})
	if err != nil || len(dst) != 5000 || slices.ContainsFunc(status, func(s Status) bool { return s != NoInformation }) {
		t.Errorf("%d empty vectors: %v", len(dst), err)
	}
}

func TestBatchStructure(t *testing.T) {
	s := mustNew(t, Definition{})
	indices := []uint64{1, 2, 3}
	for want, offsets := range map[string][]int{
		"offsets[0] is -1, expected 0 or more":                   {-1, 2},
		"offsets[2] is 1, less than offsets[1], which is 2":      {0, 2, 1, 3},
		"offsets[1] is 4, but there are 3 features":              {0, 4},
		"offsets[0] is 4, but there are 3 features":              {4},
		"offsets[2] is 9223372036854775807, but there are 3 fea": {0, 1, int(^uint(0) >> 1)},
	} {
		want = strings.Replace(want, "9223372036854775807", strconv.Itoa(int(^uint(0)>>1)), 1)
		dst, status, err := AppendBatchUnit(s, []uint64{1}, []Status{1}, offsets, indices)
		if err == nil || !strings.HasPrefix(err.Error(), "fphash: "+want) {
			t.Errorf("offsets %v: %v, want %s", offsets, err, want)
		}
		if len(dst) != 1 || len(status) != 1 {
			t.Errorf("offsets %v: %d words and %d statuses appended", offsets, len(dst)-1, len(status)-1)
		}
	}
}

// TestSplit checks that a large batch gets several workers, each with at least two spans.
func TestSplit(t *testing.T) {
	for _, c := range []struct {
		workers, words int
		cost           int64
		want           int
	}{
		{1, 1, 1 << 40, 1}, {2, 1, 100, 0}, {2, 1, 4*spanFeatures - 1, 1}, {2, 1, 4 * spanFeatures, 2},
		{8, 1, 6 * spanFeatures, 3}, {2, 64, spanFeatures / 16, 2},
		{0, 1, 1 << 62 / spanFeatures, runtime.GOMAXPROCS(0)},
	} {
		s := &buffers{workers: c.workers}
		s.definition = &definition{words: c.words}
		if got, spans := s.split(c.cost); got != c.want || spans < got || spans > 1<<20 {
			t.Errorf("%d workers, %d words, cost %d: %d workers, %d spans, want %d workers", c.workers, c.words, c.cost, got, spans, c.want)
		}
	}
}

// TestBatchOfByteStrings checks that byte strings are hashed vector by vector, and need no more
// memory than the longest vector.
func TestBatchOfByteStrings(t *testing.T) {
	const length = 10_000
	long := strings.Repeat("simhash ", length/8)
	keys, offsets := make([]string, 600), []int{0}
	for i := range keys {
		keys[i] = long[i%7:]
		offsets = append(offsets, i+1)
	}
	s := mustNew(t, Definition{}, WithWorkers(1)).Local()
	if _, _, err := AppendBatchUnit(s, nil, nil, offsets, keys); err != nil {
		t.Fatal(err)
	}
	if room := cap(s.own.text); room > 2*length {
		t.Errorf("capacity of %d bytes, the longest vector has %d", room, length)
	}
	if raceDetector {
		return
	}
	fingerprints, status := make([]uint64, 600), make([]Status, 600)
	if allocs := testing.AllocsPerRun(3, func() { AppendBatchUnit(s, fingerprints[:0], status[:0], offsets, keys) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}
