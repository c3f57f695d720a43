package datasets

import (
	"archive/tar"
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"
)

// mostFuzzed is the maximum size in bytes of a file in the fuzz test.
const mostFuzzed = 1 << 10

// FuzzTarFiles reads any bytes as a tar archive. The result must be the vectors of the last file of
// each name, sorted by name, with the features of AppendWindows, or an error that names the
// archive. Optionally, header checksums are corrected, so that the fuzzer gets past them.
func FuzzTarFiles(f *testing.F) {
	for _, files := range [][][2]string{
		{}, {{"a", "abcdefgh abcdefgh"}}, {{"a", "\x00"}}, {{"b/c.go", "x"}, {"./a", strings.Repeat("ab ", 99)}, {"/b/c.go", "a newer version"}},
		{{"large", strings.Repeat("x", mostFuzzed+1)}},
	} {
		data := tarOfFiles(f, files)
		f.Add(data, false)
		f.Add(data, true)
	}
	zeros := tarOfFiles(f, [][2]string{{"a", "\x00"}})
	f.Add(zeros[:len(zeros)-512], false) // the zero content looks like half a trailer
	f.Add([]byte("text"), false)
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	f.Fuzz(func(t *testing.T, data []byte, mend bool) {
		if mend {
			data = withChecksums(data)
		}
		read := func(workers int) (CSR[float64], error) {
			v := newVectorizer[float64](context.Background(), mostFuzzed, nil)
			v.workers.SetLimit(workers)
			return v.end(v.unpack("x.tar", bytes.NewReader(data))) // decompress fuzzes the rest
		}
		set, err := read(1)
		want, large, whole := filesNaively(data)
		for blocks := 1; blocks <= 2; blocks++ { // bytes after the end of an archive do not matter
			_, _, ends := filesNaively(slices.Concat(data, bytes.Repeat([]byte("x"), 512*blocks)))
			whole = whole && ends
		}
		if err != nil {
			if !strings.HasPrefix(err.Error(), "datasets: x.tar is no tar archive or damaged: ") && !strings.HasPrefix(err.Error(), "datasets: x.tar: ") {
				t.Errorf("error %v, expected its path", err)
			}
			if whole && !large {
				t.Errorf("error %v, expected the files %q", err, want)
			}
			return
		}
		if err := set.Validate(); err != nil {
			t.Fatal(err)
		}
		if names := slices.Sorted(maps.Keys(want)); !whole || !slices.Equal(set.IDs, names) {
			t.Fatalf("files %q, expected %q of an archive that is whole: %t", set.IDs, names, whole)
		}
		for i, name := range set.IDs {
			counts := map[uint64]float64{}
			for _, window := range AppendWindows(nil, want[name]) {
				counts[window]++
			}
			indices, weights := set.Row(i)
			for j, index := range indices {
				if counts[index] != weights[j] {
					t.Fatalf("%s: window %x counts %v, expected %v", name, index, weights[j], counts[index])
				}
			}
			if len(indices) != len(counts) || !strictlyAscending(indices) {
				t.Fatalf("%s: %d windows, expected %d that ascend: %x", name, len(indices), len(counts), indices)
			}
		}
		if fuzzing {
			return
		}
		if again, err := read(3); err != nil || !sameSet(&set, &again) {
			t.Errorf("%v, and with other workers %v, %v", set, again, err)
		}
	})
}

// filesNaively returns the last readable file of each name in an archive. It also reports whether a
// file is too large, and whether the archive was read to its end.
func filesNaively(data []byte) (files map[string][]byte, large, whole bool) {
	files = map[string][]byte{}
	r := tar.NewReader(bytes.NewReader(data))
	for {
		header, err := r.Next()
		if err != nil {
			return files, large, err == io.EOF
		}
		if header.Typeflag != tar.TypeReg {
			continue
		}
		text, err := io.ReadAll(io.LimitReader(r, mostFuzzed+1))
		if err != nil {
			return files, large, false
		}
		large = large || len(text) > mostFuzzed
		files[strings.TrimPrefix(path.Clean("/"+header.Name), "/")] = text
	}
}

// withChecksums returns an archive with correct checksums in all blocks that claim to be headers.
func withChecksums(data []byte) []byte {
	data = bytes.Clone(data)
	for block := range slices.Chunk(data, 512) {
		if len(block) < 512 || string(block[257:262]) != "ustar" {
			continue
		}
		copy(block[148:156], "        ")
		sum := 0
		for _, c := range block {
			sum += int(c)
		}
		copy(block[148:156], fmt.Sprintf("%06o\x00 ", sum))
	}
	return data
}

func tarOfFiles(t testing.TB, files [][2]string) []byte {
	var buf bytes.Buffer
	w := tar.NewWriter(&buf)
	for _, file := range files {
		if err := w.WriteHeader(&tar.Header{Name: file[0], Typeflag: tar.TypeReg, Mode: 0o644, Size: int64(len(file[1]))}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, file[1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}
