package fingerprints

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash"
)

var update = flag.Bool("update", false, "write the forms in testdata that are missing")

func readBytes(data []byte) (string, []uint64, []uint64, error) {
	records, err := Read(bufio.NewReader(bytes.NewReader(data)), Binary, Options{Name: "f"})
	return summary(records), records.Set.Words, records.Set.Masks, err
}

// Files that were written once are read by every later version: those of version 1, which had no
// masks and of keys only the notice that there is one, and those of today.
func TestFormsOfEveryVersion(t *testing.T) {
	for name, want := range map[string]string{
		"plain-v1":   "1,2,3|xxh64,le64,64,tie=zero,order=grouped",
		"keyed-v1":   "1,2,3|",
		"widened-v1": "1,2,3|xxh64,le64,100,widen=mix,tie=zero,order=grouped",
		"plain-v2":   "1,2,3|xxh64,le64,64,tie=zero,order=grouped",
		"keyed-v2":   "1,2,3|highway256,be64,130,tie=one,order=sequential,seed=9,key#630dcd2966c43366",
		"widened-v2": "1,2,3|xxh64,le64,100,widen=mix,tie=zero,order=grouped",
		"masked-v2":  "1,2 [1]|md5,le64,70,tie=zero,order=grouped",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "forms", name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		got, words, _, err := readBytes(data)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, expected %s", name, got, err, want)
		}
		one, err := os.ReadFile(filepath.Join("testdata", "forms", strings.TrimSuffix(name, "2")+"1.bin"))
		if err == nil {
			if _, before, _, _ := readBytes(one); !slices.Equal(words, before) {
				t.Errorf("%s: fingerprints %x, expected %x as of version 1", name, words, before)
			}
		}
	}
}

// masked is a file with masks; the second fingerprint is of a vector without information.
func masked(t testing.TB) []byte {
	t.Helper()
	definition, err := fphash.ParseDefinition("md5,le64,70")
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := newBinaryWriter(&file, definition, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]uint64{{5, 7, 1 << 63, 0x22}, {0, 0, 7, 0}} {
		if err := w.Write(Record{Fingerprint: words[:2], Mask: words[2:]}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestMaskedFile(t *testing.T) {
	data := masked(t)
	path := filepath.Join("testdata", "forms", "masked-v2.bin")
	if _, err := os.Stat(path); err != nil && *update {
		if err := os.WriteFile(path, data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	filed, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(filed, data) {
		t.Errorf("%s is not what is written now (%v)", path, err)
	}
	_, words, masks, err := readBytes(data)
	if want := "[5 7] [9223372036854775808 34]"; fmt.Sprint(words, masks) != want || err != nil {
		t.Errorf("read %v %v, %v, expected %s", words, masks, err, want)
	}
	document, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	if dump := hex.Dump(data); !strings.Contains(string(document), "\n```\n"+dump+"```\n") {
		t.Errorf("FORMAT.md lacks the dump of %s:\n%s", path, dump)
	}
}

// Every damaged byte is noticed, whatever it becomes, and every missing end.
func TestDamagedBinary(t *testing.T) {
	whole := masked(t)
	for i := range whole {
		damaged := slices.Clone(whole)
		for value := range 256 {
			if damaged[i] = byte(value); damaged[i] == whole[i] {
				continue
			}
			if _, _, _, err := readBytes(damaged); err == nil || !strings.Contains(err.Error(), "expected") && !strings.Contains(err.Error(), "unknown") {
				t.Errorf("byte %d is %#x: %v", i, value, err)
			}
		}
		if _, _, _, err := readBytes(whole[:i]); err == nil {
			t.Errorf("cut off after %d bytes, and nobody sees it", i)
		}
	}
}

func TestBinaryWriterRefuses(t *testing.T) {
	definition, _ := fphash.ParseDefinition("md5,le64,70")
	for _, unsure := range []int{-1, 71} {
		if _, err := newBinaryWriter(new(bytes.Buffer), definition, unsure); err == nil {
			t.Errorf("masks of %d bits are taken", unsure)
		}
	}
	long := definition
	long.Hash = strings.Repeat("x", mostDefinition)
	if _, err := newBinaryWriter(new(bytes.Buffer), long, 0); err == nil {
		t.Error("a definition of more than 4096 bytes is taken")
	}
	w, err := newBinaryWriter(new(bytes.Buffer), definition, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]uint64{{1}, {1, 2, 3}} {
		if w.Write(Record{Fingerprint: words}) == nil {
			t.Errorf("%d words are taken", len(words))
		}
	}
	if w.Write(Record{Fingerprint: []uint64{1, 2}, Mask: []uint64{1, 2}}) == nil {
		t.Error("a mask is taken where there are none")
	}
}

// Files of more fingerprints than any buffer holds come back as they were, told of now and then;
// one byte more at the end, or another count, is damage also where the checksum fits.
func TestLongBinary(t *testing.T) {
	definition, err := fphash.ParseDefinition("md5,le64,70")
	if err != nil {
		t.Fatal(err)
	}
	const n = 3*4096 + 1
	made := func(count uint64) ([]byte, []uint64) {
		var out bytes.Buffer
		w, err := newBinaryWriter(&out, definition, 2)
		if err != nil {
			t.Fatal(err)
		}
		var words []uint64
		for i := range uint64(n) {
			fingerprint := []uint64{i*0x9e3779b97f4a7c15 + 1, i % 64}
			if err := w.Write(Record{Fingerprint: fingerprint, Mask: []uint64{1 << (i % 64), 1}}); err != nil {
				t.Fatal(err)
			}
			words = append(words, fingerprint...)
		}
		w.count += count
		if err := w.End(); err != nil {
			t.Fatal(err)
		}
		return out.Bytes(), words
	}
	data, want := made(0)
	told := []int{}
	records, err := Read(bufio.NewReader(bytes.NewReader(data)), Binary, Options{Name: "f", Progress: func(n int) { told = append(told, n) }})
	if err != nil || !slices.Equal(records.Set.Words, want) || len(told) == 0 || !slices.IsSorted(told) || told[len(told)-1] > n || told[0]%4096 != 0 {
		t.Errorf("%d fingerprints, %v, told of %v", records.Len(), err, told)
	}
	for more := 1; more <= 33; more++ {
		if _, _, _, err := readBytes(append(slices.Clone(data), make([]byte, more)...)); err == nil {
			t.Errorf("%d bytes more at the end are taken", more)
		}
	}
	for _, count := range []uint64{1, ^uint64(0)} {
		data, _ := made(count)
		if _, _, _, err := readBytes(data); err == nil || !strings.Contains(err.Error(), "by the count at the end") {
			t.Errorf("%d fingerprints more by the count: %v", int64(count), err)
		}
	}
	var out bytes.Buffer
	w, err := newBinaryWriter(&out, definition, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(Record{Fingerprint: []uint64{1, 1}, Mask: []uint64{4, 0}}), w.End()); err != nil {
		t.Fatal(err)
	}
	if _, _, _, err := readBytes(out.Bytes()); err == nil || !strings.Contains(err.Error(), "a mask of 1 bits, expected 2") {
		t.Errorf("a mask of a bit less: %v", err)
	}
}
