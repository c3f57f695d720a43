package decompress

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// smallText is the content of testdata/small.txt.bz2.
const smallText = "1 3:1.5 18446744073709551615:-2 # first\n-1 7:0.25\n"

func gzipped(t testing.TB, text string) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := gzip.NewWriter(&buf)
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func zstded(t testing.TB, text string) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	return w.EncodeAll([]byte(text), nil)
}

func bzip2ed(t testing.TB) []byte {
	t.Helper()
	packed, err := os.ReadFile("testdata/small.txt.bz2")
	if err != nil {
		t.Fatal(err)
	}
	return packed
}

// The format does not depend on the file name, so all formats are read under one name.
func TestForms(t *testing.T) {
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
		r, err := Open(t.Context(), path)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got, err := io.ReadAll(r); err != nil || string(got) != smallText {
			t.Errorf("%s: read %q, %v", name, got, err)
		}
		if err := r.Close(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A file whose name ends as those of compressed files must be compressed, in any format. A plain
// one may be an error page in place of the file.
func TestPlainFileWithNameOfCompressed(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"a.txt.gz", "A.ZST", "a.bz2"} {
		path := filepath.Join(folder, name)
		for text, want := range map[string]string{
			"<html>not found":             ": expected a compressed file because of its name; if it is complete, rename it without " + strings.ToLower(filepath.Ext(name)),
			"":                            ": expected a compressed file because of its name; if it is complete, rename it without " + strings.ToLower(filepath.Ext(name)),
			string(gzipped(t, smallText)): "", string(zstded(t, smallText)): "", string(bzip2ed(t)): "",
		} {
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
			r, err := Open(t.Context(), path)
			if got := fmt.Sprint(err); want != "" && got != path+want || want == "" && err != nil {
				t.Errorf("%s, %.8q: error %s, want %s", name, text, got, want)
			}
			if err == nil {
				r.Close()
			}
		}
	}
}

func readPacked(packed []byte) ([]byte, error) {
	r, err := NewReader(context.Background(), bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// Every truncation and every changed byte of a compressed file gives an error or the correct data.
// A file with a damaged signature is read as it is.
func TestDamagedFiles(t *testing.T) {
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
				if err != nil || bytes.Equal(got, damaged) {
					continue
				}
				harmless++
				if string(got) != smallText {
					t.Errorf("%s with byte %d changed by %#x reads as %q", name, i, change, got)
				}
			}
		}
		if harmless > len(packed) { // such as in the time stamp of gzip
			t.Errorf("%s: %d changes of %d bytes went unnoticed: is anything checked?", name, harmless, len(packed))
		}
	}
}

// A header that requests a huge window must not get more memory than the largest accepted window,
// which a decoder allocates at once.
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
		// the window of 128 MiB, plus buffers
		if used := after.TotalAlloc - before.TotalAlloc; used > 136<<20 {
			t.Errorf("%x: %d bytes allocated (%v)", header, used, err)
		}
	}
}

// FuzzNewReader checks that any bytes give an error or data without a panic, and with memory
// proportional to the output plus one window.
func FuzzNewReader(f *testing.F) {
	f.Add(gzipped(f, smallText))
	f.Add(zstded(f, smallText))
	f.Add([]byte("BZh91AY&SY"))
	f.Add([]byte(smallText))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := NewReader(t.Context(), bytes.NewReader(data))
		if err != nil {
			return
		}
		defer r.Close()
		_, _ = io.Copy(io.Discard, io.LimitReader(r, 1<<20))
	})
}

func TestInterruptibleReadsEverything(t *testing.T) {
	text := strings.Repeat("0123456789", 20_000)
	if err := iotest.TestReader(&interruptible{ctx: t.Context(), r: iotest.HalfReader(strings.NewReader(text))}, []byte(text)); err != nil {
		t.Error(err)
	}
	broken := errors.New("broken")
	r := &interruptible{ctx: t.Context(), r: io.MultiReader(strings.NewReader("ab"), iotest.ErrReader(broken))}
	if got, err := io.ReadAll(r); string(got) != "ab" || !errors.Is(err, broken) {
		t.Errorf("%q, %v", got, err)
	}
}

// When the context ends, a blocked read returns, for the first byte of a stream and for later ones.
func TestContextEndsReading(t *testing.T) {
	stop := errors.New("stop")
	for _, first := range []string{"", "1 3:1\n", string(gzipped(t, smallText)[:15])} {
		ctx, cancel := context.WithCancelCause(t.Context())
		waits, w := io.Pipe()
		defer w.Close()
		r, err := NewReader(ctx, io.MultiReader(strings.NewReader(first), readerFunc(func(p []byte) (int, error) {
			cancel(stop)
			return waits.Read(p)
		})))
		if err == nil {
			_, err = io.ReadAll(r)
		}
		if !errors.Is(err, stop) {
			t.Errorf("after %q: %v", first, err)
		}
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// After the end of the context, no data is returned, even if it is available.
func TestContextEndedBefore(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x")
	if err := os.WriteFile(path, []byte("x"), 0o666); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	r, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	cancel(stop)
	if _, err := Open(ctx, path); !errors.Is(err, stop) {
		t.Errorf("opened: %v", err)
	}
	for range 100 { // select chooses at random
		if got, err := (&interruptible{ctx: ctx, r: strings.NewReader("x")}).Read(make([]byte, 1)); got != 0 || !errors.Is(err, stop) {
			t.Fatalf("read: %d bytes, %v", got, err)
		}
	}
}
