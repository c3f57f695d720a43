package families_test

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

// TestPublishedVectors compares with what the authors of the hashes have published.
func TestPublishedVectors(t *testing.T) {
	file, err := os.Open("testdata/vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	seen := map[string]int{}
	lines := bufio.NewScanner(file)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) != 5 {
			t.Fatalf("line %d: %d fields, want 5", number, len(fields))
		}
		f, err := fphash.Lookup(fields[0])
		if err != nil {
			t.Fatal(err)
		}
		message, err := strconv.Unquote(fields[3])
		if err != nil {
			t.Fatalf("line %d: %v", number, err)
		}
		key, want := keyOf(t, f, fields[2]), wordsOf(t, fields[1], fields[4])
		h, err := f.New(key)
		if err != nil {
			t.Fatal(err)
		}
		// As the second of three, so that offsets count.
		data := "x" + message + "yz"
		got := make([]uint64, 3*f.Words())
		h.(fphash.ByteHash).HashBytes(got, []byte(data), []int{1, 1 + len(message), len(data)})
		for word := range want {
			if got[3*word+1] != want[word] {
				t.Errorf("line %d: %s of %q: word %d is %016x, want %016x", number, f.Name, message, word, got[3*word+1], want[word])
			}
		}
		seen[f.Name]++
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	for _, f := range fphash.Families() {
		if _, more := smhasherCodes[f.Name]; !f.Integer && seen[f.Name] < 3 && !more {
			t.Errorf("%s has %d published vectors, want 3 or more", f.Name, seen[f.Name])
		}
	}
}

// keyOf reads a seed or a key, as the family takes them.
func keyOf(t *testing.T, f fphash.Family, text string) (k fphash.Key) {
	t.Helper()
	var err error
	if f.KeyBytes > 0 {
		k.Bytes, err = hex.DecodeString(text)
	} else if f.Seeded {
		k.Seed, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// wordsOf reads a published value.
func wordsOf(t *testing.T, form, value string) (words []uint64) {
	t.Helper()
	if form == "words" {
		for field := range strings.FieldsSeq(value) {
			word, err := strconv.ParseUint(field, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			words = append(words, word)
		}
		return words
	}
	digest, err := hex.DecodeString(value)
	if err != nil {
		t.Fatal(err)
	}
	if form == "number" {
		slices.Reverse(digest)
	}
	digest = append(digest, make([]byte, -len(digest)&7)...)
	for ; len(digest) > 0; digest = digest[8:] {
		words = append(words, binary.LittleEndian.Uint64(digest))
	}
	return words
}

// smhasherCodes are the verification codes that SMHasher and SMHasher3 publish for
// MurmurHash3_x64_128 and for rapidhash V3, on little-endian machines.
var smhasherCodes = map[string]uint32{"murmur3-128": 0x6384ba69, "rapidhash": 0x1fdc65ee}

// TestSMHasherCodes computes them: keys of 0 to 255 bytes under 256 seeds.
func TestSMHasherCodes(t *testing.T) {
	for name, want := range smhasherCodes {
		f, err := fphash.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		sum := func(seed uint64, key []byte) (b []byte) {
			h, err := f.New(fphash.Key{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			code := make([]uint64, f.Words())
			h.(fphash.ByteHash).HashBytes(code, key, []int{len(key)})
			for _, word := range code {
				b = binary.LittleEndian.AppendUint64(b, word)
			}
			return b
		}
		var key, all []byte
		for i := range 256 {
			all = append(all, sum(uint64(256-i), key)...)
			key = append(key, byte(i))
		}
		if got := binary.LittleEndian.Uint32(sum(0, all)); got != want {
			t.Errorf("%s: %#08x, want %#08x", name, got, want)
		}
	}
}
