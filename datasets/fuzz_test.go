package datasets

import (
	"bytes"
	"errors"
	"flag"
	"slices"
	"testing"

	"simhashkit/internal/syntax"
)

// FuzzSVMLight reads any bytes. It checks that nothing panics, that rows are in order, that each
// line is a row, blank, a comment or an error, and that valid input survives writing and reading
// unchanged.
func FuzzSVMLight(f *testing.F) {
	for _, text := range []string{
		smallText, "1 5:1 3:2 5:1e-3 # x\r\n\n# c\n2,3 qid:4 1:-1", "\ufeff9:1e38 9:3e38\n",
		"a\n\n# b\n1:0 # z", "7 1:3.0 2:3e2 18446744073709551616:1",
	} {
		f.Add([]byte(text))
	}
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	f.Fuzz(func(t *testing.T, data []byte) {
		// Reading takes more time for buffers than for bytes. So fuzzing reads each input with one
		// kind of weight; the plain test reads it with all.
		for form, read := range []func(){
			func() { fuzzRead[int32](t, data, false) },
			func() { fuzzRead[int64](t, data, false) },
			func() { fuzzRead[float32](t, data, false) },
			func() { fuzzRead[float64](t, data, false) },
			func() { fuzzRead[float64](t, data, true) },
		} {
			if !fuzzing || len(data)%5 == form {
				read()
			}
		}
	})
}

func fuzzRead[W Weight](t *testing.T, data []byte, unit bool) {
	options := ReadOptions{Unit: unit, MaxLine: 1 << 16}
	bad := 0
	options.OnError = func(malformed error) {
		bad++
		err := malformed.(*syntax.Error)
		if err.Line < 1 || err.Line > bytes.Count(data, []byte("\n"))+1 || err.Column < 1 || len(err.Got) > 40 {
			t.Fatalf("position or text of %#v", err)
		}
	}
	set, err := readSVMLight[W](t.Context(), bytes.NewReader(data), options)
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	if set.Len()+bad > bytes.Count(data, []byte("\n"))+1 {
		t.Fatalf("%d rows and %d errors", set.Len(), bad)
	}
	for i := range set.Len() {
		indices, weights := set.Row(i)
		if !unit && !strictlyAscending(indices) || slices.Contains(weights, 0) {
			t.Fatalf("row %d: %v %v", i, indices, weights)
		}
	}

	// Without OnError, reading must fail if and only if the text has a bad line.
	strict := options
	strict.OnError = nil
	_, err = readSVMLight[W](t.Context(), bytes.NewReader(data), strict)
	var malformed *syntax.Error
	if errors.As(err, &malformed) != (bad > 0) {
		t.Fatalf("%d bad lines, but without OnError: %v", bad, err)
	}

	var buf bytes.Buffer
	if err := WriteSVMLight(t.Context(), &buf, &set); err != nil {
		t.Fatal(err)
	}
	again, err := readSVMLight[W](t.Context(), &buf, ReadOptions{Unit: unit})
	if err != nil {
		t.Fatal(err)
	}
	if !sameSet(&set, &again) {
		t.Fatalf("read %+v, and after writing %+v", set, again)
	}
}

func strictlyAscending(indices []uint64) bool {
	for i := 1; i < len(indices); i++ {
		if indices[i-1] >= indices[i] {
			return false
		}
	}
	return true
}
