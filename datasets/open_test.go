package datasets

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/internal/decompress"
)

func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	if _, err := open(t.Context(), filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "datasets: ") {
		t.Errorf("missing file: %v", err)
	}
	_, err := open(t.Context(), folder)
	wantError(t, err, fmt.Sprintf("datasets: %s is a directory, expected a file of vectors", folder))
	path := filepath.Join(folder, "torn.gz")
	if err := os.WriteFile(path, gzipped(t, smallText)[:7], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t.Context(), path); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "datasets: "+path+": ") {
		t.Errorf("torn header: %v", err)
	}
}

// readPacked opens a file with the given bytes and reads it.
func readPacked(packed []byte) (CSR[float64], error) {
	r, err := decompress.NewReader(context.Background(), bytes.NewReader(packed))
	if err != nil {
		return CSR[float64]{}, err
	}
	defer r.Close()
	return readSVMLight[float64](context.Background(), r, ReadOptions{Name: "f.gz"})
}

// A compressed file with a damaged signature is read as plain text, which has no vectors.
func TestDamagedMark(t *testing.T) {
	bzip2ed, err := os.ReadFile("../internal/decompress/testdata/small.txt.bz2")
	if err != nil {
		t.Fatal(err)
	}
	for name, packed := range map[string][]byte{"gzip": gzipped(t, smallText), "zstd": zstded(t, smallText), "bzip2": bzip2ed} {
		if set, err := readPacked(packed); err != nil || set.Len() != 2 {
			t.Errorf("%s: %d rows, %v", name, set.Len(), err)
		}
		for i := range 4 {
			for _, change := range []byte{0x01, 0x10, 0x80, 0xff} {
				damaged := bytes.Clone(packed)
				damaged[i] ^= change
				want := smallSet()
				if got, err := readPacked(damaged); err == nil && !sameSet(&want, &got) {
					t.Errorf("%s with byte %d changed by %#x reads as %+v", name, i, change, got)
				}
			}
		}
	}
}

// The error of a damaged compressed file contains the last line read.
func TestDamageIsPlaced(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "1 %d:%d\n", i*i, i)
	}
	packed := gzipped(t, text.String())
	_, err := readPacked(packed[:len(packed)/2])
	var line int
	if _, scanErr := fmt.Sscanf(fmt.Sprint(err), "datasets: f.gz: after line %d: is it truncated? unexpected EOF", &line); scanErr != nil || line < 2000 || line > 18000 {
		t.Errorf("half a file: %v", err)
	}
	packed[len(packed)-5] ^= 1 // the checksum
	_, err = readPacked(packed)
	wantError(t, err, "datasets: f.gz: after line 20000: gzip: invalid checksum")
}
