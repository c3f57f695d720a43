package datasets

import (
	"archive/tar"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestGoSource(t *testing.T) {
	root, err := goTree(t.Context())
	if errors.Is(err, ErrNoGoTree) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := Load[float32](t.Context(), GoSourceName, ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := set.Validate(); err != nil {
		t.Fatal(err)
	}
	if set.Len() < 300 || set.Len() > goSourceSample {
		t.Errorf("%d files, %d wanted", set.Len(), goSourceSample)
	}
	for i, id := range set.IDs {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(id)))
		if err != nil || !strings.HasSuffix(id, ".go") {
			t.Fatalf("%s: %v", id, err)
		}
		_, weights := set.Row(i)
		total := float32(0)
		for _, w := range weights {
			total += w
		}
		if windows := len(AppendWindows(nil, text)); total != float32(windows) {
			t.Errorf("%s: weights come to %v, %d windows", id, total, windows)
		}
	}
}

func TestNogoTree(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	t.Setenv("GOROOT", t.TempDir())
	if _, _, err := Load[float32](t.Context(), "go-source", ReadOptions{}); !errors.Is(err, ErrNoGoTree) {
		t.Errorf("got %v", err)
	}
	// Without the go tool, the environment variable is enough.
	root := t.TempDir()
	if err := os.MkdirAll(filepath.Join(root, "src", "fmt"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"VERSION": "go1.99\ntime 2030\n", "src/fmt/a.go": "package fmt", "src/fmt/a.s": "ignored too"} {
		if err := os.WriteFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("GOROOT", root)
	set, description, err := Load[int32](t.Context(), "go-source", ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"src/fmt/a.go"}, set.IDs); diff != "" {
		t.Error(diff)
	}
	if want := "8-byte windows of the .go files of go1.99, every k-th by path: 1 vectors, 4 features"; description != want {
		t.Errorf("got %q, want %q", description, want)
	}
}

func TestLoad(t *testing.T) {
	root := writeTree(t)
	path := filepath.Join(t.TempDir(), "x.svm")
	if err := os.WriteFile(path, []byte("1 3:2 3:2 4:1\n2 x\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, _, err := Load[float32](t.Context(), path, ReadOptions{})
	wantError(t, err, path+`:2:3: expected index:value, got "x"`)
	var seen []error
	keep := ReadOptions{Base: 1, OnError: func(err error) { seen = append(seen, err) }}
	set, description, err := Load[float32](t.Context(), path, keep)
	want := CSR[float32]{Offsets: []int{0, 2}, Indices: []uint64{2, 3}, Weights: []float32{4, 1}}
	if err != nil || !cmp.Equal(want, set) || len(seen) != 1 {
		t.Errorf("%+v, %v, %v", set, err, seen)
	}
	if want := "svmlight file " + path + ": 1 vectors, 2 features"; description != want {
		t.Errorf("got %q, want %q", description, want)
	}
	keep.Unit = true
	if set, _, err = Load[float32](t.Context(), path, keep); err != nil || set.Weights != nil || !cmp.Equal([]uint64{2, 2, 3}, set.Indices) {
		t.Errorf("unit: %+v, %v", set, err)
	}
	_, _, err = Load[float32](t.Context(), path, ReadOptions{MaxLine: 5})
	wantError(t, err, path+`:1:1: expected a line of at most 5 bytes, got "1 3:2 3:2 4:1"`)

	set, description, err = Load[float32](t.Context(), "files:"+root, ReadOptions{Unit: true})
	if err != nil || set.Weights != nil || set.Len() != 5 || set.IDs[1] != "a.txt" || !slices.Contains(set.Indices, window("abcdefgh")) {
		t.Errorf("files: %+v, %v", set, err)
	}
	if want := fmt.Sprintf("8-byte windows of the files of %s: 5 vectors, %d features", root, set.NNZ()); description != want {
		t.Errorf("got %q, want %q", description, want)
	}
	_, _, err = Load[float32](t.Context(), "", ReadOptions{})
	wantError(t, err, "datasets: no data set named")
}

// IsFile returns false for the names that Load does not treat as files of vectors.
func TestIsFile(t *testing.T) {
	for name, want := range map[string]bool{"": false, "go-source": false, "files:x": false, "x.svm": true, "./go-source": true, "./files:x": true} {
		if IsFile(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}

// tree is a small folder with difficult entries.
var tree = map[string]string{
	"b.go":       "abcdefghij abcdefgh",
	"a/z.go":     "abcdefghij",
	"a/short.go": " 1234567 ",
	"a.txt":      "abcdefgh",
	"a-b/c.go":   strings.Repeat("aaaaaaaaa ", 3),
}

func writeTree(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range tree {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFilesByHand(t *testing.T) {
	root := writeTree(t)
	if err := os.Symlink("b.go", filepath.Join(root, "link.go")); err != nil {
		t.Log("no symbolic links here")
	}
	if err := os.Symlink("a", filepath.Join(root, "linked")); err != nil {
		t.Log("no symbolic links here")
	}
	got, err := filesOf[int64](t.Context(), root, mostBytes, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := got.Validate(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a-b/c.go", "a.txt", "a/short.go", "a/z.go", "b.go"}, got.IDs); diff != "" {
		t.Fatalf("-want +got\n%s", diff)
	}
	for i, want := range []map[string]int64{
		// "aaaaaaaaa aaaaaaaaa aaaaaaaaa": three runs of nine, so six windows of a alone
		{
			"aaaaaaaa": 6, "aaaaaaa ": 2, "aaaaaa a": 2, "aaaaa aa": 2, "aaaa aaa": 2, "aaa aaaa": 2, "aa aaaaa": 2, "a aaaaaa": 2, " aaaaaaa": 2,
		},
		{"abcdefgh": 1},
		{},
		{"abcdefgh": 1, "bcdefghi": 1, "cdefghij": 1},
		{
			"abcdefgh": 2, "bcdefghi": 1, "cdefghij": 1, "defghij ": 1, "efghij a": 1, "fghij ab": 1, "ghij abc": 1, "hij abcd": 1, "ij abcde": 1,
			"j abcdef": 1, " abcdefg": 1,
		},
	} {
		indices, weights := got.Row(i)
		if !strictlyAscending(indices) {
			t.Errorf("row %d is not in order", i)
		}
		counts := map[string]int64{}
		for f, index := range indices {
			counts[string(binary.LittleEndian.AppendUint64(nil, index))] = weights[f]
		}
		if diff := cmp.Diff(want, counts); diff != "" {
			t.Errorf("%s: -want +got\n%s", got.IDs[i], diff)
		}
	}
}

func TestSample(t *testing.T) {
	var paths []string
	for i := range 10 {
		paths = append(paths, fmt.Sprint(i))
	}
	all := strings.Join(paths, "")
	for sample, want := range map[int]string{1: "0", 2: "05", 3: "048", 4: "0369", 5: "02468", 6: "02468", 9: "02468", 10: all, 11: all} {
		if got := strings.Join(everyNth(paths, sample), ""); got != want {
			t.Errorf("sample of %d: %s, want %s", sample, got, want)
		}
	}
}

func TestFilesErrors(t *testing.T) {
	root := writeTree(t)
	if _, err := filesOf[float32](t.Context(), filepath.Join(root, "none"), mostBytes, nil); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("missing folder: %v", err)
	}
	// The first file in order determines the error, even if several files fail concurrently.
	archive := filepath.Join(t.TempDir(), "x.tar")
	if err := os.WriteFile(archive, tarOf(t, true), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		_, err := filesOf[float32](t.Context(), root, 9, nil)
		wantError(t, err, fmt.Sprintf("datasets: %s: larger than 9 bytes", filepath.Join(root, "a-b", "c.go")))
		_, err = filesOf[float32](t.Context(), archive, 9, nil)
		wantError(t, err, fmt.Sprintf("datasets: %s: b.go: larger than 9 bytes", archive))
	}
	var seen []string
	got, err := filesOf[float32](t.Context(), root, 9, func(err error) { seen = append(seen, err.Error()) })
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"a.txt", "a/short.go"}, got.IDs); diff != "" {
		t.Error(diff)
	}
	if len(seen) != 3 || !strings.Contains(seen[0], "c.go") || !strings.Contains(seen[1], "z.go") || !strings.Contains(seen[2], "b.go") {
		t.Errorf("errors %q", seen)
	}
	if err := got.Validate(); err != nil {
		t.Error(err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	root := writeTree(t)
	if err := os.Chmod(filepath.Join(root, "a", "z.go"), 0); err != nil {
		t.Fatal(err)
	}
	if f, err := os.Open(filepath.Join(root, "a", "z.go")); err == nil {
		f.Close()
		t.Skip("this user reads everything")
	}
	if _, err := filesOf[float32](t.Context(), root, mostBytes, nil); !errors.Is(err, os.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

// A folder and archives with the same files give the same vectors in the same order.
func TestFolderAndArchivesAgree(t *testing.T) {
	root := writeTree(t)
	archive := tarOf(t, true)
	want, err := filesOf[float32](t.Context(), root, mostBytes, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, packed := range map[string][]byte{"x.tar": archive, "x.tar.gz": gzipped(t, string(archive)), "x.tar.zst": zstded(t, string(archive))} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, packed, 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := filesOf[float32](t.Context(), path, mostBytes, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: -folder +archive\n%s", name, diff)
		}
	}
}

// tarOf packs the tree in another order, with entries that are not files, and first an older
// version of a file.
func tarOf(t *testing.T, trailer bool) []byte {
	t.Helper()
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	add := func(name, text string, kind byte) {
		header := &tar.Header{Name: name, Typeflag: kind, Mode: 0o644}
		if kind == tar.TypeReg {
			header.Size = int64(len(text))
		} else {
			header.Linkname = text
		}
		if err := w.WriteHeader(header); err != nil {
			t.Fatal(err)
		}
		if kind == tar.TypeReg {
			if _, err := io.WriteString(w, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	add("./", "", tar.TypeDir)
	add("b.go", "an older version of b.go", tar.TypeReg)
	add("./link.go", "b.go", tar.TypeSymlink)
	for _, name := range []string{"b.go", "a.txt", "a/z.go", "a-b/c.go", "a/short.go"} {
		add("./"+name, tree[name], tar.TypeReg)
	}
	add("hard.go", "b.go", tar.TypeLink)
	if !trailer {
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	} else if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

func TestDamagedArchives(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.tar")
	read := func(packed []byte) error {
		if err := os.WriteFile(path, packed, 0o666); err != nil {
			t.Fatal(err)
		}
		_, err := filesOf[float32](t.Context(), path, mostBytes, nil)
		if err != nil && !strings.HasPrefix(err.Error(), "datasets: "+path+" is no tar archive or damaged: ") && !strings.HasPrefix(err.Error(), "datasets: "+path+": ") {
			t.Errorf("the error does not name the archive: %v", err)
		}
		return err
	}
	archive := tarOf(t, true)
	for n := 0; n < len(archive)-1024; n += 64 {
		if read(archive[:n]) == nil {
			t.Errorf("cut to %d of %d bytes: no error", n, len(archive))
		}
	}
	if read(tarOf(t, false)) == nil {
		t.Error("no trailer: no error")
	}
	packed := gzipped(t, string(archive))
	packed[len(packed)-6] ^= 1
	if read(packed) == nil {
		t.Error("a wrong checksum: no error")
	}
	if read([]byte(strings.Repeat("this is text ", 100))) == nil {
		t.Error("text: no error")
	}
	packed = tarOf(t, true)
	// Damage the size of the second entry, which invalidates its header checksum, too.
	copy(packed[512+124:], "77777777777\x00")
	if read(packed) == nil {
		t.Error("a false size: no error")
	}
}

func window(eight string) uint64 { return binary.LittleEndian.Uint64([]byte(eight)) }

func TestWindowsByHand(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{"1234567", nil},
		{"12345678", []string{"12345678"}},
		{"abcdefghij", []string{"abcdefgh", "bcdefghi", "cdefghij"}},
		{" \t\n ab \r\n\v\f cdef  g\n\n", []string{"ab cdef ", "b cdef g"}}, // "ab cdef g"
		{"a b\tc\nd", nil},
		{"a b\tc\nd e", []string{"a b c d ", " b c d e"}},
		{"aaaaaaaaaa", []string{"aaaaaaaa", "aaaaaaaa", "aaaaaaaa"}},
		{"ab\u00a0cdef", []string{"ab\u00a0cdef"}}, // a no-break space is not ASCII white space
		{"\x00\x01\x02\x03\x04\x05\x06\x07", []string{"\x00\x01\x02\x03\x04\x05\x06\x07"}},
	} {
		want := []uint64{5}
		for _, w := range c.want {
			want = append(want, window(w))
		}
		if diff := cmp.Diff(want, AppendWindows([]uint64{5}, []byte(c.text))); diff != "" {
			t.Errorf("%q: -want +got\n%s", c.text, diff)
		}
	}
	if got := AppendWindows(nil, []byte("\x01\x02\x03\x04\x05\x06\x07\x08")); got[0] != 0x0807060504030201 {
		t.Errorf("byte order: %#x", got[0])
	}
}

func TestWindowsAgainstFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.SliceOf(rapid.SampledFrom([]byte("ab \n\t\r\v\f\x00\x85\xa0"))).Draw(t, "text")
		// FieldsFunc decodes UTF-8, so bytes are widened to Latin-1 runes and back.
		runes := make([]rune, len(text))
		for i, b := range text {
			runes[i] = rune(b)
		}
		collapsed := strings.Join(strings.FieldsFunc(string(runes), func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) }), " ")
		var flat []byte
		for _, r := range collapsed {
			flat = append(flat, byte(r))
		}
		var want []uint64
		for i := 0; i+8 <= len(flat); i++ {
			want = append(want, binary.LittleEndian.Uint64(flat[i:]))
		}
		if got := AppendWindows(nil, text); !slices.Equal(got, want) {
			t.Fatalf("%q: %x, want %x", text, got, want)
		}
	})
}
