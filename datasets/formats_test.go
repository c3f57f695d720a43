package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readVectors reads vectors of any format from a stream.
func readVectors[W Weight](ctx context.Context, data []byte, options ReadOptions) (CSR[W], error) {
	reader, err := NewVectorReader[W](ctx, bytes.NewReader(data), "", options)
	if err != nil {
		return CSR[W]{}, err
	}
	defer reader.Close()
	return readAll(ctx, reader, options.Unit)
}

// readAs reads vectors in a given format, whatever the first bytes are.
func readAs[W Weight](ctx context.Context, data []byte, f format, options ReadOptions) (set CSR[W], err error) {
	var reader *VectorReader[W]
	switch f {
	case vowpal:
		reader = newVowpalReader[W](bytes.NewReader(data), options)
	case npz:
		reader, err = newNPZReader[W](bytes.NewReader(data), int64(len(data)), options)
	}
	if err != nil {
		return set, err
	}
	defer reader.Close()
	return readAll(ctx, reader, options.Unit)
}

var allFormats = []format{svmlight, vowpal, npz}

// written encodes the rows of a set in a format.
func written[W Weight](t testing.TB, set *CSR[W], f format) []byte {
	t.Helper()
	var b bytes.Buffer
	columns := uint64(0)
	if len(set.Indices) > 0 {
		columns = slices.Max(set.Indices) + 1
	}
	if f == npz {
		data := numbers("data", numpyTypeOf[W](), set.Weights...)
		if set.Weights == nil {
			data = numbers("data", "|b1", slices.Repeat([]bool{true}, len(set.Indices))...)
		}
		offsets := []int64{0}
		for i := range set.Len() {
			offsets = append(offsets, int64(set.Offsets[i+1]))
		}
		return archived(t, map[string]array{
			"data": data, "indices": numbers("indices", "<u8", set.Indices...), "indptr": numbers("indptr", "<i8", offsets...),
			"shape": numbers("shape", "<u8", uint64(set.Len()), columns), "format": {"format", "|S3", nil, []byte("csr")},
		})
	}
	for i := range set.Len() {
		indices, weights := set.Row(i)
		switch f {
		case svmlight:
			fmt.Fprint(&b, "1")
		case vowpal:
			fmt.Fprintf(&b, "1 '%s|", set.ID(i))
		}
		for j, index := range indices {
			weight := W(1)
			if weights != nil {
				weight = weights[j]
			}
			fmt.Fprintf(&b, " %d:%v", index, weight)
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}

// numpyTypeOf returns NumPy's name of a weight type.
func numpyTypeOf[W Weight]() string {
	switch any(W(0)).(type) {
	case int32:
		return "<i4"
	case int64:
		return "<i8"
	case float32:
		return "<f4"
	}
	return "<f8"
}

func TestRecognize(t *testing.T) {
	for text, want := range map[string]format{
		"":               svmlight,
		"1 3:1\n":        svmlight,
		"1 3:1 # a|b\n":  svmlight,
		"# a|b\n1 3:1\n": svmlight,
		"\n\n1 |f 3:1\n": vowpal,
		"\ufeff| 3:1\n":  vowpal,
		"|":              vowpal,
		"1 'x|\n":        vowpal,
		"| a | b |\n":    svmlight, // a table; the svmlight reader reports this
		`{"a":"|"}`:      svmlight,
		"<a>|</a>":       svmlight,
		"PK\x03\x04":     npz,
		"PK\x05\x06":     npz,
		"PK 3:1":         svmlight,
	} {
		if got := recognize([]byte(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Load reads a file like a stream of its contents, compressed or not.
func TestLoadFormats(t *testing.T) {
	set := CSR[float64]{Offsets: []int{0, 2, 2, 3}, Indices: []uint64{0, 4, 1}, Weights: []float64{0.1, -2, 1e300}}
	folder := t.TempDir()
	files := map[string][]byte{}
	for _, format := range allFormats {
		files["a."+string(format[:3])] = written(t, &set, format)
		files["a."+string(format[:3])+".gz"] = gzipped(t, string(files["a."+string(format[:3])]))
	}
	for name, data := range files {
		path := filepath.Join(folder, name)
		if err := os.WriteFile(path, data, 0o666); err != nil {
			t.Fatal(err)
		}
		got, _, err := Load[float64](t.Context(), path, ReadOptions{})
		streamed, streamErr := readVectors[float64](t.Context(), data, ReadOptions{})
		if strings.HasSuffix(name, ".gz") {
			streamed = got // only Load decompresses
		} else if streamErr != nil {
			t.Error(streamErr)
		}
		if err != nil || !sameSet(&set, &got) || !sameSet(&got, &streamed) {
			t.Errorf("%s: %+v, %v; as a stream %+v", name, got, err, streamed)
		}
	}
	_, _, err := Load[float32](t.Context(), filepath.Join(folder, "none"), ReadOptions{})
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

// In every format, reading ends with the context's cause.
func TestVectorsEndWithTheContext(t *testing.T) {
	set := CSR[float64]{Offsets: []int{0, 1}, Indices: []uint64{3}, Weights: []float64{2}}
	for _, format := range allFormats {
		ctx, cancel := context.WithCancelCause(t.Context())
		stop := errors.New("stop")
		reader, err := NewVectorReader[float64](ctx, bytes.NewReader(written(t, &set, format)), "", ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		cancel(stop)
		if _, err := readAll(ctx, reader, false); !errors.Is(err, stop) {
			t.Errorf("%s: %v", format, err)
		}
		reader.Close()
	}
	// an endless stream in a format that must be read completely
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	stream := &slowEnd{head: "PK\x03\x04", enough: func() { cancel(stop) }}
	if _, err := NewVectorReader[float64](ctx, stream, "", ReadOptions{}); !errors.Is(err, stop) {
		t.Errorf("a stream that does not end: %v", err)
	}
}

type slowEnd struct {
	head   string
	reads  int
	enough func()
}

func (e *slowEnd) Read(p []byte) (int, error) {
	if e.reads++; e.reads == 10 {
		e.enough()
	}
	n := copy(p, e.head)
	e.head = ""
	return max(n, 1), nil
}

// describeRows returns the ids and features of rows as svmlight text.
func describeRows[W Weight](set *CSR[W]) (rows []string) {
	for i := range set.Len() {
		var one CSR[W]
		indices, weights := set.Row(i)
		_ = one.Append(&Row[W]{Indices: indices, Weights: weights, ID: []byte(set.ID(i))})
		var buf bytes.Buffer
		_ = WriteSVMLight(context.Background(), &buf, &one)
		rows = append(rows, strings.TrimSuffix(buf.String(), "\n"))
	}
	return rows
}

func wantRows(t *testing.T, data string, options ReadOptions, want ...string) {
	t.Helper()
	set, err := readVectors[float64](t.Context(), []byte(data), options)
	if err != nil {
		t.Errorf("%.100q: %v", data, err)
		return
	}
	if diff := cmp.Diff(want, describeRows(&set)); diff != "" {
		t.Errorf("%.100q: -want +got\n%s", data, diff)
	}
}
