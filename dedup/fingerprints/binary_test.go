package fingerprints

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
)

func readBytes(data []byte) (string, []uint64, error) {
	records, err := Read(bufio.NewReader(bytes.NewReader(data)), Binary, Options{Name: "f"})
	return summary(records), records.Set.Words, err
}

// Files that were written once are read by every later version: those of version 1, which had of
// keys only the notice that there is one, and those of today.
func TestFormsOfEveryVersion(t *testing.T) {
	for name, want := range map[string]string{
		"plain-v1":   "1,2,3|xxh64,le64,64,tie=zero,order=grouped",
		"keyed-v1":   "1,2,3|",
		"widened-v1": "1,2,3|xxh64,le64,100,widen=mix,tie=zero,order=grouped",
		"plain-v2":   "1,2,3|xxh64,le64,64,tie=zero,order=grouped",
		"keyed-v2":   "1,2,3|highway256,be64,130,tie=one,order=sequential,seed=9,key#630dcd2966c43366",
		"widened-v2": "1,2,3|xxh64,le64,100,widen=mix,tie=zero,order=grouped",
	} {
		data, err := os.ReadFile(filepath.Join("testdata", "forms", name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		got, words, err := readBytes(data)
		if err != nil || got != want {
			t.Errorf("%s: %s, %v, expected %s", name, got, err, want)
		}
		one, err := os.ReadFile(filepath.Join("testdata", "forms", strings.TrimSuffix(name, "2")+"1.bin"))
		if err == nil {
			if _, before, _ := readBytes(one); !slices.Equal(words, before) {
				t.Errorf("%s: fingerprints %x, expected %x as of version 1", name, words, before)
			}
		}
	}
}

// written is the file of those fingerprints, of which all have two words.
func written(t testing.TB, definition string, words ...uint64) []byte {
	t.Helper()
	d, err := fphash.ParseDefinition(definition)
	if err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	w, err := newBinaryWriter(&file, d)
	if err != nil {
		t.Fatal(err)
	}
	for each := range slices.Chunk(words, 2) {
		if err := w.Write(Record{Fingerprint: each}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.End(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// What is written is what was written before, and what FORMAT.md says.
func TestWrittenForm(t *testing.T) {
	filed, err := os.ReadFile(filepath.Join("testdata", "forms", "widened-v2.bin"))
	if err != nil {
		t.Fatal(err)
	}
	definition, words, err := readBytes(filed)
	if err != nil {
		t.Fatal(err)
	}
	_, definition, _ = strings.Cut(definition, "|")
	if data := written(t, definition, words...); !bytes.Equal(filed, data) {
		t.Errorf("written:\n%sexpected:\n%s", hex.Dump(data), hex.Dump(filed))
	}
	document, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	if dump := hex.Dump(filed); !strings.Contains(string(document), "\n```\n"+dump+"```\n") {
		t.Errorf("FORMAT.md lacks the dump:\n%s", dump)
	}
}

// A file whose records are longer than fingerprints is refused by what its header says.
func TestLongerRecordsAreRefused(t *testing.T) {
	data := written(t, "md5,le64,70", 5, 7)
	header := headerLength(len("md5,le64,70,tie=zero,order=grouped"))
	data[16] = 3
	binary.LittleEndian.PutUint64(data[header-8:], xxhash.Sum64(data[:header-8]))
	if _, _, err := readBytes(data); err == nil || !strings.Contains(err.Error(), "3 at byte 16 of the header, expected 0") {
		t.Errorf("error %v", err)
	}
}

// Every damaged byte is noticed, whatever it becomes, and every missing end.
func TestDamagedBinary(t *testing.T) {
	whole := written(t, "md5,le64,70", 5, 7, 0, 0)
	for i := range whole {
		damaged := slices.Clone(whole)
		for value := range 256 {
			if damaged[i] = byte(value); damaged[i] == whole[i] {
				continue
			}
			if _, _, err := readBytes(damaged); err == nil || !strings.Contains(err.Error(), "expected") && !strings.Contains(err.Error(), "unknown") {
				t.Errorf("byte %d is %#x: %v", i, value, err)
			}
		}
		if _, _, err := readBytes(whole[:i]); err == nil {
			t.Errorf("cut off after %d bytes, and nobody sees it", i)
		}
	}
}

func TestBinaryWriterRefuses(t *testing.T) {
	definition, _ := fphash.ParseDefinition("md5,le64,70")
	long := definition
	long.Hash = strings.Repeat("x", mostDefinition)
	if _, err := newBinaryWriter(new(bytes.Buffer), long); err == nil {
		t.Error("a definition of more than 4096 bytes is taken")
	}
	w, err := newBinaryWriter(new(bytes.Buffer), definition)
	if err != nil {
		t.Fatal(err)
	}
	for _, words := range [][]uint64{{1}, {1, 2, 3}} {
		if w.Write(Record{Fingerprint: words}) == nil {
			t.Errorf("%d words are taken", len(words))
		}
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
		w, err := newBinaryWriter(&out, definition)
		if err != nil {
			t.Fatal(err)
		}
		var words []uint64
		for i := range uint64(n) {
			fingerprint := []uint64{i*0x9e3779b97f4a7c15 + 1, i % 64}
			if err := w.Write(Record{Fingerprint: fingerprint}); err != nil {
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
		if _, _, err := readBytes(append(slices.Clone(data), make([]byte, more)...)); err == nil {
			t.Errorf("%d bytes more at the end are taken", more)
		}
	}
	for _, count := range []uint64{1, ^uint64(0)} {
		data, _ := made(count)
		if _, _, err := readBytes(data); err == nil || !strings.Contains(err.Error(), "by the count at the end") {
			t.Errorf("%d fingerprints more by the count: %v", int64(count), err)
		}
	}
}
