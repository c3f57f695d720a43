package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets"
	"simhashkit/fphash"
)

func TestSampleIsBounded(t *testing.T) {
	set := generated(t, 3, 600, 20)
	c := measure(t, set, Options{Hash: family(t, "xxh64"), Vectors: 100})
	if c.Given != 600 || c.Used != 100 || c.Pairs != 4950 {
		t.Errorf("%d of %d vectors, %d pairs", c.Used, c.Given, c.Pairs)
	}
}

// Vectors that share many features are taken in smaller numbers, so that their cosines take no
// longer than allowed.
func TestSampleOfDenseVectors(t *testing.T) {
	set := datasets.CSR[float32]{Offsets: []int{0}}
	for range 100 {
		set.Indices = append(set.Indices, 1, 2, 3, 4)
		set.Offsets = append(set.Offsets, len(set.Indices))
	}
	for _, tc := range []struct {
		work float64
		want int
	}{{20_000, 100}, {5000, 50}, {1, 2}} {
		s, _, err := newSample(&set, 100, 0, tc.work)
		if err != nil || s.len() != tc.want {
			t.Errorf("%v multiplications: %d vectors, error %v, want %d", tc.work, s.len(), err, tc.want)
		}
	}
}

// A sum that overflows is that of a row of the user's set, whatever the order of the sample.
func TestOverflowNamesTheVector(t *testing.T) {
	for row := range 40 {
		set := generated(t, 3, 40, 0)
		for i := set.Offsets[row]; i < set.Offsets[row+1]; i++ {
			set.Weights[i] = math.MaxFloat32
		}
		_, err := Measure(context.Background(), &set, Options{Hash: family(t, "xxh64")})
		if want := fmt.Sprintf("calibrate: vector %d: ", row+1); !errors.Is(err, fphash.NotFinite.Err()) || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
	}
}

// What a group of vectors has a part in is counted once for the group, also where both vectors are
// in it.
func TestGroups(t *testing.T) {
	set := generated(t, 8, 300, 15)
	o := Options{Hash: family(t, "xxh64"), Cosine: 0.5}
	s, _, err := newSample(&set, 300, 0, mostWork)
	if err != nil {
		t.Fatal(err)
	}
	v := &survey[float32]{sample: s, scale: newScale(o.Cosine)}
	v.nearTo = v.search(o.Cosine)
	if err := v.addColumn(o.Hash, 16, 1); err != nil {
		t.Fatal(err)
	}
	c, err := v.count(context.Background(), 2, func(float64) {})
	if err != nil {
		t.Fatal(err)
	}
	groupOf := func(i int) (g int) {
		for from, to := v.span(g); i < from || i >= to; from, to = v.span(g) {
			g++
		}
		return g
	}
	var want [groups]byKind
	for g := range want {
		for kind := range kinds {
			want[g][kind] = make([]uint64, 17)
		}
	}
	dots := make([]float64, 300)
	for j := range 300 {
		clear(dots)
		v.cosines(dots, j)
		for i := range j {
			bin := v.bin(dots[i])
			if bin == 0 {
				continue
			}
			kind, d, a, b := other, v.columns[0].distance(i, j), groupOf(i), groupOf(j)
			if bin <= v.nearTo {
				kind = duplicate
			}
			want[a][kind][d]++
			if a != b {
				want[b][kind][d]++
			}
		}
	}
	if diff := cmp.Diff(want, c.touch); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
