package dedup

import (
	"iter"
	"math/bits"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// However the old records come in batches, what is near one of them is dropped, and the nearest is
// named: the first of several.
func TestFindAgainst(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	draw := func() uint64 {
		return 1<<random.IntN(12) | 1<<random.IntN(12) | 1<<random.IntN(12) | 1<<random.IntN(12)
	}
	var old []uint64
	for range 700 {
		old = append(old, draw()<<random.IntN(40))
	}
	records := &Records{Name: "new"}
	records.Set.Bits = 64
	var fingerprints []uint64
	for i := range 500 {
		fingerprints = append(fingerprints, draw()<<random.IntN(40))
		records.Add(nil, []uint64{fingerprints[i]}, i%7 > 0)
	}
	want := map[int]Match{}
	for position := range records.Set.Len() {
		for i, other := range old {
			if i%5 == 0 {
				continue // without information
			}
			set := &records.Set
			d := distanceOf(set.At(position)[0], other)
			if m, ok := want[position]; d <= 2 && (!ok || d < m.Distance) {
				want[position] = Match{"old" + strconv.Itoa(i), d}
			}
		}
	}
	for _, size := range []int{1, 10, 699, 700, 1000} {
		var batches iter.Seq2[*Records, error] = func(yield func(*Records, error) bool) {
			batch := &Records{Name: "old"}
			batch.Set.Bits = 64
			for i, fingerprint := range old {
				batch.Add([]byte("old"+strconv.Itoa(i)), []uint64{fingerprint}, i%5 > 0)
				if batch.Len() == size || i == len(old)-1 {
					if !yield(batch, nil) {
						return
					}
					batch = &Records{Name: "old"}
					batch.Set.Bits = 64
				}
			}
		}
		r, err := FindAgainst(t.Context(), records, "old", batches, Options{K: 2})
		if err != nil {
			t.Fatal(err)
		}
		got := map[int]Match{}
		for position := range records.Set.Len() {
			m, ok := r.Match(position)
			if ok != r.IsDropped(position) {
				t.Errorf("%d at a time, position %d: dropped %v, match %v", size, position, r.IsDropped(position), ok)
			}
			if ok {
				got[position] = m
			}
		}
		if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
			t.Errorf("%d at a time: -want +got\n%s", size, diff)
		}
		if n := r.Against.Len(); n != len(old) || r.Against.WithoutFingerprint() != 140 {
			t.Errorf("%d at a time: %d old records", size, n)
		}
	}
}

func distanceOf(a, b uint64) int { return bits.OnesCount64(a ^ b) }
