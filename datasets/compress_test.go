package datasets

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func bzip2ed(t testing.TB) []byte {
	t.Helper()
	packed, err := os.ReadFile("testdata/small.svm.bz2")
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// The name says nothing about the form, so all forms are read under one name.
func TestCompressedForms(t *testing.T) {
	half := strings.Index(smallText, "\n") + 1
	forms := map[string][]byte{
		"plain":                 []byte(smallText),
		"gzip":                  gzipped(t, smallText),
		"gzip of two members":   append(gzipped(t, smallText[:half]), gzipped(t, smallText[half:])...),
		"zstd":                  zstded(t, smallText),
		"zstd of two frames":    append(zstded(t, smallText[:half]), zstded(t, smallText[half:])...),
		"zstd, skippable first": append([]byte("\x50\x2a\x4d\x18\x02\x00\x00\x00xy"), zstded(t, smallText)...),
		"bzip2":                 bzip2ed(t),
	}
	for name, packed := range forms {
		path := filepath.Join(t.TempDir(), "data.txt")
		if err := os.WriteFile(path, packed, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := ReadSVMLightFile[float64](path, SVMLightOptions{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if diff := cmp.Diff(smallSet(), got); diff != "" {
			t.Errorf("%s: -want +got\n%s", name, diff)
		}
	}
}

func TestOpenErrors(t *testing.T) {
	folder := t.TempDir()
	if _, err := Open(filepath.Join(folder, "none")); !errors.Is(err, os.ErrNotExist) || !strings.HasPrefix(err.Error(), "datasets: ") {
		t.Errorf("missing file: %v", err)
	}
	_, err := Open(folder)
	wantError(t, err, fmt.Sprintf("datasets: %s is a directory; files:%s makes a vector of each of its files", folder, folder))
	path := filepath.Join(folder, "torn.gz")
	if err := os.WriteFile(path, gzipped(t, smallText)[:7], 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path); !errors.Is(err, io.ErrUnexpectedEOF) || !strings.HasPrefix(err.Error(), "datasets: "+path+": ") {
		t.Errorf("torn header: %v", err)
	}
}

// readPacked is what a user gets from bytes.
func readPacked(packed []byte) (CSR[float64], error) {
	r, err := Decompress(bytes.NewReader(packed))
	if err != nil {
		return CSR[float64]{}, err
	}
	defer r.Close()
	return ReadSVMLight[float64](r, SVMLightOptions{Name: "f.gz"})
}

// Every cut and every change of a byte in a packed file is an error, or the data are right all the
// same.
func TestDamagedFiles(t *testing.T) {
	want := smallSet()
	for name, packed := range map[string][]byte{"gzip": gzipped(t, smallText), "zstd": zstded(t, smallText), "bzip2": bzip2ed(t)} {
		for n := 1; n < len(packed); n++ {
			if _, err := readPacked(packed[:n]); err == nil {
				t.Errorf("%s cut to %d of %d bytes: no error", name, n, len(packed))
			}
		}
		harmless := 0
		for i := range packed {
			for _, change := range []byte{0x01, 0x10, 0x80, 0xff} {
				damaged := bytes.Clone(packed)
				damaged[i] ^= change
				got, err := readPacked(damaged)
				if err != nil {
					continue
				}
				harmless++
				if !sameSet(&want, &got) {
					t.Errorf("%s with byte %d changed by %#x reads as %+v", name, i, change, got)
				}
			}
		}
		if harmless > len(packed) { // such as the time stamp of gzip
			t.Errorf("%s: %d changes of %d bytes went unnoticed: is anything checked?", name, harmless, len(packed))
		}
	}
}

func TestDamageIsPlaced(t *testing.T) {
	var text strings.Builder
	for i := range 20000 {
		fmt.Fprintf(&text, "1 %d:%d\n", i*i, i)
	}
	packed := gzipped(t, text.String())
	_, err := readPacked(packed[:len(packed)/2])
	var line int
	if _, scanErr := fmt.Sscanf(fmt.Sprint(err), "datasets: f.gz: after line %d: unexpected EOF", &line); scanErr != nil || line < 2000 || line > 18000 {
		t.Errorf("half a file: %v", err)
	}
	packed[len(packed)-5] ^= 1 // the checksum
	_, err = readPacked(packed)
	wantError(t, err, "datasets: f.gz: after line 20000: gzip: invalid checksum")
}

// A header that asks for a huge window must not get more memory than the largest window accepted,
// which a decoder sets aside at once.
func TestZstdWindowIsBounded(t *testing.T) {
	for _, header := range []string{
		// window of 128 MiB, the largest accepted
		"\x28\xb5\x2f\xfd\x00\x88",
		"\x28\xb5\x2f\xfd\x00\x90",                                 // window of 256 MiB
		"\x28\xb5\x2f\xfd\x00\xff",                                 // window of 3.75 TiB
		"\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\x00\x00",     // one segment of 2^48-1 bytes
		"\x28\xb5\x2f\xfd\xe0\x00\x00\x00\x08\x00\x00\x00\x00",     // one segment of 128 MiB
		"\x28\xb5\x2f\xfd\xe0\xff\xff\xff\xff\xff\xff\xff\xff\x01", // one segment of 2^64-1 bytes
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := readPacked([]byte(header + "\x09\x00\x00x"))
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; used > maxZstdWindow+8<<20 {
			t.Errorf("%x: %d bytes allocated (%v)", header, used, err)
		}
	}
}
