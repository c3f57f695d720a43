package datasets

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"strings"
	"testing"
)

// array is a file of an archive: its name, its type, and its numbers or text.
type array struct {
	name, kind string
	shape      []uint64
	data       []byte
}

func numbers[N any](name, kind string, list ...N) array {
	data, err := binary.Append(nil, binary.LittleEndian, list)
	if strings.HasPrefix(kind, ">") {
		data, err = binary.Append(nil, binary.BigEndian, list)
	}
	if err != nil {
		panic(err)
	}
	return array{name, kind, []uint64{uint64(len(list))}, data}
}

// soundArrays are the arrays of a matrix of 2 rows and 5 columns.
func soundArrays() map[string]array {
	return map[string]array{
		"data": numbers("data", "<f8", 0.5, -2, 3.0), "indices": numbers[int32]("indices", "<i4", 4, 0, 1), "indptr": numbers[int32]("indptr", "<i4", 0, 2, 3),
		"shape": numbers[int64]("shape", "<i8", 2, 5), "format": {"format", "|S3", nil, []byte("csr")},
	}
}

func archived(t testing.TB, arrays map[string]array) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := zip.NewWriter(&buf)
	for _, name := range []string{"data", "indices", "indptr", "shape", "format"} {
		a, ok := arrays[name]
		if !ok {
			continue
		}
		file, err := w.Create(a.name + ".npy")
		if err == nil {
			_, err = file.Write(append(npyHead(a.kind, a.shape), a.data...))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// npyHead returns a header like NumPy's, but without padding.
func npyHead(kind string, shape []uint64) []byte {
	sizes := ""
	for _, size := range shape {
		sizes += fmt.Sprintf("%d, ", size)
	}
	text := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }\n", kind, sizes)
	return append(binary.LittleEndian.AppendUint16([]byte(npyMagic+"\x01\x00"), uint16(len(text))), text...)
}

// with returns the arrays with one of them replaced.
func with(a array) map[string]array {
	arrays := soundArrays()
	arrays[a.name] = a
	return arrays
}

func TestNPZRows(t *testing.T) {
	for _, arrays := range []map[string]array{
		soundArrays(), with(numbers[int64]("indices", "<i8", 4, 0, 1)), with(numbers[uint16]("indices", ">u2", 4, 0, 1)), with(numbers[int64]("indptr", ">i8", 0, 2, 3)),
		with(numbers[float32]("data", ">f4", 0.5, -2, 3)), with(array{"format", "<U3", nil, []byte("c\x00\x00\x00s\x00\x00\x00r\x00\x00\x00")}),
	} {
		wantRows(t, string(archived(t, arrays)), ReadOptions{}, "0 0:-2 4:0.5", "0 1:3")
	}
	wantRows(t, string(archived(t, with(numbers("data", "|b1", true, false, true)))), ReadOptions{}, "0 4:1", "0 1:1")
	wantRows(t, string(archived(t, with(numbers[int8]("data", "|i1", -128, 0, 1)))), ReadOptions{}, "0 4:-128", "0 1:1")
	wantRows(t, string(archived(t, with(numbers[uint64]("data", "<u8", math.MaxUint64, 0, 1)))), ReadOptions{}, "0 4:1.8446744073709552e+19", "0 1:1")
	// repeated indices are summed, and rows may be empty
	wantRows(t, string(archived(t, with(numbers[int32]("indices", "<i4", 4, 4, 1)))), ReadOptions{}, "0 4:-1.5", "0 1:3")
	wantRows(t, string(archived(t, with(numbers[int32]("indptr", "<i4", 0, 0, 3)))), ReadOptions{}, "0", "0 0:-2 1:3 4:0.5")
	set, err := readVectors[int32](t.Context(), archived(t, soundArrays()), ReadOptions{Unit: true})
	if err != nil || set.Weights != nil || strings.Join(describeRows(&set), "|") != "0 4:1 0:1|0 1:1" {
		t.Errorf("unit: %q, %v", describeRows(&set), err)
	}
}

func TestNPZRefuses(t *testing.T) {
	missing := soundArrays()
	delete(missing, "indptr")
	for want, arrays := range map[string]map[string]array{
		`datasets: n: expected the arrays data, indices, indptr, format and shape, as scipy.sparse.save_npz writes them, got "data", "indices", "shape", "format"`: missing,
		`datasets: n: expected format csr, got "csc": scipy.sparse.save_npz(file, matrix.tocsr()) writes it`:                                                       with(array{"format", "|S3", nil, []byte("csc")}),
		`datasets: n: array format: expected a text, got <f8`:                                                                                                      with(numbers("format", "<f8", 1.0)),
		`datasets: n: array data: expected bool, integers, float32 or float64, got <c16`:                                                                           with(array{"data", "<c16", []uint64{3}, make([]byte, 48)}),
		`datasets: n: array data: expected one dimension, got 2`:                                                                                                   with(array{"data", "<f8", []uint64{3, 1}, make([]byte, 24)}),
		`datasets: n: array indices: expected integers, got <f8`:                                                                                                   with(numbers("indices", "<f8", 0.5, -2, 3.0)),
		`datasets: n: expected as many indices as data, got 2 and 3`:                                                                                               with(numbers[int32]("indices", "<i4", 4, 0)),
		`datasets: n: array indptr: expected 3 numbers for 2 rows, got 2`:                                                                                          with(numbers[int32]("indptr", "<i4", 0, 3)),
		`datasets: n: array indptr: expected 0 first, got 1`:                                                                                                       with(numbers[int32]("indptr", "<i4", 1, 2, 3)),
		`datasets: n: row 2: array indptr: expected a number from 2 to 3, got 1`:                                                                                   with(numbers[int32]("indptr", "<i4", 0, 2, 1)),
		`datasets: n: row 2: array indptr: expected a number from 2 to 3, got 4`:                                                                                   with(numbers[int32]("indptr", "<i4", 0, 2, 4)),
		`datasets: n: row 2: array indptr: negative number -3`:                                                                                                     with(numbers[int32]("indptr", "<i4", 0, 2, -3)),
		`datasets: n: row 2: array indptr: expected its end after 3 numbers of 3`:                                                                                  with(array{"indptr", "<i4", []uint64{3}, binary.LittleEndian.AppendUint64([]byte{0, 0, 0, 0, 2, 0, 0, 0}, 3)}),
		`datasets: n: row 2: array indices: expected its end after 2 numbers of 3`:                                                                                 with(numbers[int32]("indptr", "<i4", 0, 2, 2)),
		`datasets: n: row 1: array indices: negative number -1`:                                                                                                    with(numbers[int32]("indices", "<i4", 4, -1, 1)),
		`n: row 1: expected an index below 5, the number of columns, got "5"`:                                                                                      with(numbers[int32]("indices", "<i4", 5, 0, 1)),
		`n: row 2: expected a finite weight at index 1, got "nan"`:                                                                                                 with(numbers("data", "<f8", 0.5, -2, math.NaN())),
		`n: row 1: expected a finite weight at index 0, got "-inf"`:                                                                                                with(numbers("data", "<f8", 0.5, math.Inf(-1), 1)),
		`n: row 1: expected a sum of repeated features that fits float64, got "more"`:                                                                              with(numbers("data", "<f8", math.MaxFloat64, math.MaxFloat64, 1)),
		`datasets: n: row 1: array data: expected 3 numbers, got 1`:                                                                                                with(array{"data", "<f8", []uint64{3}, make([]byte, 15)}),
		`datasets: n: array indptr: expected 18446744073709551615 numbers for 18446744073709551614 rows, got 3`:                                                    with(numbers[uint64]("shape", "<u8", math.MaxUint64-1, 5)),
		`datasets: n: array shape: expected its end after 2 numbers of 3`:                                                                                          with(numbers[int64]("shape", "<i8", 2, 5, 1)),
	} {
		if strings.Contains(want, "that fits float64") {
			arrays["indices"] = numbers[int32]("indices", "<i4", 4, 4, 1)
		}
		_, err := readVectors[float64](t.Context(), archived(t, arrays), ReadOptions{Name: "n"})
		wantError(t, err, want)
	}
	for want, arrays := range map[string]map[string]array{
		`n: row 1: expected an integer weight at index 4, got "0.5"`:                             soundArrays(),
		`n: row 1: expected an integer weight that fits int32 at index 4, got "2.147483648e+09"`: with(numbers("data", "<f8", 1<<31, -2, 3.0)),
		`n: row 1: expected an integer weight that fits int32 at index 4, got "-2147483649"`:     with(numbers[int64]("data", "<i8", -1<<31-1, -2, 3)),
		`n: row 1: expected an integer weight that fits int32 at index 4, got "4294967295"`:      with(numbers[uint32]("data", "<u4", 1<<32-1, 2, 3)),
	} {
		_, err := readVectors[int32](t.Context(), archived(t, arrays), ReadOptions{Name: "n"})
		wantError(t, err, want)
	}
	_, err := readVectors[int64](t.Context(), archived(t, with(numbers[uint64]("data", "<u8", 1<<63, 2, 3))), ReadOptions{Name: "n"})
	wantError(t, err, `n: row 1: expected an integer weight that fits int64 at index 4, got "9223372036854775808"`)
	_, err = readVectors[float32](t.Context(), archived(t, with(numbers("data", "<f8", 1e300, -2, 3.0))), ReadOptions{Name: "n"})
	wantError(t, err, `n: row 1: expected a weight that fits float32 at index 4, got "1e+300"`)
	_, err = readVectors[float32](t.Context(), archived(t, soundArrays()), ReadOptions{Name: "n", Base: 1})
	wantError(t, err, "datasets: n: expected base 0, got 1: the indices of an .npz file count from 0")
	_, err = readVectors[float32](t.Context(), archived(t, nil), ReadOptions{Name: "n"})
	wantError(t, err, "datasets: n: expected the arrays data, indices, indptr, format and shape, as scipy.sparse.save_npz writes them, got none")
	_, err = readVectors[float32](t.Context(), []byte("PK\x03\x04"), ReadOptions{Name: "n"})
	wantError(t, err, "datasets: n: damaged .npz file: zip: not a valid zip file")
}

// A row with an invalid weight is skipped, and the rows after it are read.
func TestNPZGoesOn(t *testing.T) {
	var seen []string
	options := ReadOptions{Name: "n", OnError: func(err error) { seen = append(seen, err.Error()) }}
	set, err := readVectors[float64](t.Context(), archived(t, with(numbers("data", "<f8", math.NaN(), math.NaN(), 3.0))), options)
	if err != nil || strings.Join(describeRows(&set), "|") != "0 1:3" || len(seen) != 1 {
		t.Errorf("%q, %v, %q", describeRows(&set), err, seen)
	}
}

// NumPy reads the last of several arrays of one name, so such a file is refused.
func TestArrayTwice(t *testing.T) {
	whole := archived(t, soundArrays())
	for _, name := range []string{"data", "format", "shape"} {
		var buf bytes.Buffer
		w := zip.NewWriter(&buf)
		r, err := zip.NewReader(bytes.NewReader(whole), int64(len(whole)))
		if err != nil {
			t.Fatal(err)
		}
		for _, entry := range r.File {
			for range map[bool]int{true: 2, false: 1}[entry.Name == name+".npy"] {
				if err := w.Copy(entry); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		_, err = NewVectorReader[float64](t.Context(), &buf, "x.npz", ReadOptions{})
		if err == nil || !strings.Contains(err.Error(), "expected one array "+name+", got several") {
			t.Errorf("%s: %v", name, err)
		}
	}
}
