package datasets

import (
	"bytes"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/syntax"
)

func FuzzVowpal(f *testing.F) {
	for _, text := range []string{"1 2.0 'tag|a 3:1 4:0.5 |b 7:1\n", "| 5:1\n1 |f:2 x:3 y|g z\n", "1 |a 3|b 3\n", "a:1 b:2 | 18446744073709551616\n", "\ufeff1| x:nan\n"} {
		f.Add([]byte(text))
	}
	fuzzFormat(f, vowpal)
}

func FuzzNPZ(f *testing.F) {
	f.Add(archived(f, soundArrays()))
	f.Add(archived(f, with(numbers("data", "|b1", true, false, true))))
	fuzzFormat(f, npz)
}

// fuzzFormat reads any bytes in a format. It checks that nothing panics, that rows are in order
// without zeros and non-finite values, that errors name the file, and that valid input survives
// writing and reading unchanged.
func fuzzFormat(f *testing.F, form format) {
	f.Fuzz(func(t *testing.T, data []byte) {
		checkVectors[int32](t, data, form, false)
		checkVectors[float64](t, data, form, false)
		checkVectors[float32](t, data, form, true)
	})
}

func checkVectors[W Weight](t *testing.T, data []byte, form format, unit bool) {
	bad := 0
	options := ReadOptions{Name: "f", Unit: unit, MaxLine: 1 << 16, OnError: func(malformed error) {
		err := malformed.(*syntax.Error)
		if bad++; !strings.HasPrefix(err.Error(), "f:") || err.Want == "" || len(err.Got) > 40 || err.Line > bytes.Count(data, []byte("\n"))+1 {
			t.Fatalf("a place or a word is missing in %#v", err)
		}
	}}
	set, err := readAs[W](t.Context(), data, form, options)
	if err != nil {
		if !strings.HasPrefix(err.Error(), "f:") && !strings.HasPrefix(err.Error(), "datasets: f: ") {
			t.Fatalf("%v does not name the file", err)
		}
		return
	}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	for i := range set.Len() {
		indices, weights := set.Row(i)
		if !unit && !strictlyAscending(indices) || slices.ContainsFunc(weights, func(w W) bool { return w == 0 || w-w != 0 }) {
			t.Fatalf("row %d: %v %v", i, indices, weights)
		}
	}
	if form != vowpal && slices.ContainsFunc(set.Indices, func(index uint64) bool { return index >= math.MaxInt64 }) {
		return // scipy's format cannot represent this
	}
	again, err := readAs[W](t.Context(), written(t, &set, form), form, ReadOptions{Unit: unit})
	if err != nil {
		t.Fatal(err)
	}
	if set.NNZ() == 0 { // an empty set does not show whether it has weights
		again.Weights, set.Weights = nil, nil
	}
	if !sameSet(&set, &again) {
		t.Fatalf("read %+v, and after writing %+v", set, again)
	}
}

// TestDamagedVectors damages valid files of the other formats, like TestDamagedSVMLight. Nothing
// may panic, errors must name the file, and memory must be proportional to the bytes read.
func TestDamagedVectors(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 9))
	var files [][]byte
	formats := []format{vowpal, npz}
	for _, format := range formats {
		set := CSR[float64]{}
		for range 10 {
			var row Row[float64]
			index := uint64(0)
			for range r.IntN(8) {
				index += 1 + r.Uint64()>>(6+r.IntN(50))
				row.Indices, row.Weights = append(row.Indices, index), append(row.Weights, float64(1+r.IntN(2000))/8)
			}
			if err := set.Append(&row); err != nil {
				t.Fatal(err)
			}
		}
		files = append(files, written(t, &set, format))
	}
	for i := range damagedInputs(t, 4) {
		which := r.IntN(len(files))
		data, how := damage(r, files[which])
		checkDamagedVectors(t, i, data, formats[which], how)
	}
}

func checkDamagedVectors(t *testing.T, turn int, data []byte, form format, how string) {
	defer func() {
		if p := recover(); p != nil {
			t.Fatalf("input %d, %s, %s: panic: %v", turn, form, how, p)
		}
	}()
	var before, after runtime.MemStats
	measured := turn%61 == 0 // reading the statistics stops the world
	if measured {
		runtime.ReadMemStats(&before)
	}
	switch turn % 3 {
	case 0:
		checkVectors[float64](t, data, form, false)
	case 1:
		checkVectors[int64](t, data, form, false)
	default:
		checkVectors[float32](t, data, form, true)
	}
	if measured {
		runtime.ReadMemStats(&after)
		if used, limit := after.TotalAlloc-before.TotalAlloc, uint64(96<<20+400*len(data)); used > limit {
			t.Fatalf("input %d, %s, %s: %d bytes of memory for %d bytes read", turn, form, how, used, len(data))
		}
	}
}
