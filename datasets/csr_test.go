package datasets

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppend(t *testing.T) {
	var set CSR[float32]
	if set.Len() != 0 || set.NNZ() != 0 || set.Validate() != nil {
		t.Fatalf("the zero set: %d, %d, %v", set.Len(), set.NNZ(), set.Validate())
	}
	add := func(row Row[float32], want string) {
		t.Helper()
		before := set.Len()
		err := set.Append(&row)
		if want != "" {
			wantError(t, err, want)
			if set.Len() != before {
				t.Errorf("a row was added in spite of the error")
			}
		} else if err != nil {
			t.Error(err)
		}
		if err := set.Validate(); err != nil {
			t.Error(err)
		}
	}
	add(Row[float32]{}, "") // a row without features fits sets with and without weights
	add(Row[float32]{Indices: []uint64{4, 9}, Weights: []float32{1, 2}, ID: []byte("b")}, "")
	add(Row[float32]{Indices: []uint64{4}}, "datasets: rows with and without weights in one set (row 3)")
	add(Row[float32]{Indices: []uint64{4}, Weights: []float32{1, 2}}, "datasets: row has 1 indices and 2 weights")
	add(Row[float32]{}, "")
	want := CSR[float32]{
		Offsets: []int{0, 0, 2, 2}, Indices: []uint64{4, 9}, Weights: []float32{1, 2},
		IDs: []string{"", "b", ""},
	}
	if diff := cmp.Diff(want, set); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	indices, weights := set.Row(1)
	if diff := cmp.Diff([]uint64{4, 9}, indices); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float32{1, 2}, weights); diff != "" {
		t.Error(diff)
	}
	two := smallSet()
	if indices, weights := two.Row(0); cap(indices) != 2 || cap(weights) != 2 {
		t.Error("appending to a row would write into the next one")
	}
	if set.ID(0) != "" || set.ID(1) != "b" || new(CSR[int32]).ID(7) != "" {
		t.Error("ids are wrong")
	}

	set = CSR[float32]{}
	add(Row[float32]{Weights: []float32{}}, "")
	add(Row[float32]{Indices: []uint64{4}}, "")
	if set.Weights != nil {
		t.Error("a unit row after an empty row created weights")
	}
	add(Row[float32]{Indices: []uint64{4}, Weights: []float32{1}}, "datasets: rows with and without weights in one set (row 3)")
	add(Row[float32]{Weights: []float32{}}, "")
}

func TestValidate(t *testing.T) {
	for _, c := range []struct {
		set  CSR[int64]
		want string
	}{
		{CSR[int64]{Indices: []uint64{1}}, "datasets: 1 indices and 0 weights, but no offsets"},
		{CSR[int64]{Offsets: []int{1, 1}, Indices: []uint64{1}}, "datasets: offsets start at 1, not at 0"},
		{CSR[int64]{Offsets: []int{0, 2}, Indices: []uint64{1}}, "datasets: offsets end at 2, but there are 1 indices"},
		{CSR[int64]{Offsets: []int{0, 2, 1}, Indices: []uint64{1}}, "datasets: offsets fall from 2 to 1 at vector 1"},
		{CSR[int64]{Offsets: []int{0, 1}, Indices: []uint64{1}, Weights: []int64{}}, "datasets: 1 indices and 0 weights"},
		{CSR[int64]{Offsets: []int{0}, IDs: []string{"a"}}, "datasets: 0 vectors and 1 ids"},
	} {
		wantError(t, c.set.Validate(), c.want)
	}
}
