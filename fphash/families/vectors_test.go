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

	"simhashkit/asm/cpu"
	"simhashkit/fphash"
	_ "simhashkit/fphash/families"
)

// vector is a line of testdata/vectors.tsv.
type vector struct {
	line    int
	family  fphash.Family
	form    string
	key     fphash.Key
	message string
	want    []uint64
}

func vectors(t *testing.T) (list []vector) {
	t.Helper()
	file, err := os.Open("testdata/vectors.tsv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
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
			t.Fatalf("line %d: %v", number, err)
		}
		list = append(list, vector{number, f, fields[1], keyOf(t, f, fields[1], fields[2]), fields[3], wordsOf(t, fields[1], fields[4])})
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestPublishedVectors compares with the values that the authors of the hashes have published.
func TestPublishedVectors(t *testing.T) {
	seen := map[string]int{}
	for _, v := range vectors(t) {
		if v.form == "index" {
			continue
		}
		message, err := strconv.Unquote(v.message)
		if err != nil {
			t.Fatalf("line %d: %v", v.line, err)
		}
		h, err := v.family.New(v.key)
		if err != nil {
			t.Fatal(err)
		}
		// The message is the second of three, so that offsets matter.
		data := "x" + message + "yz"
		got := make([]uint64, 3*v.family.Words())
		h.(fphash.ByteHash).HashBytes(got, []byte(data), []int{1, 1 + len(message), len(data)})
		for word, want := range v.want {
			if got[3*word+1] != want {
				t.Errorf("line %d: %s of %q: word %d is %016x, want %016x", v.line, v.family.Name, message, word, got[3*word+1], want)
			}
		}
		seen[v.family.Name]++
	}
	for _, f := range fphash.Families() {
		if _, more := smhasherCodes[f.Name]; !f.Integer && seen[f.Name] < 3 && !more {
			t.Errorf("%s has %d published vectors, want 3 or more", f.Name, seen[f.Name])
		}
	}
}

// TestFrozenValues hashes batches with the index at every position, as integers and as bytes, at
// every tier, and computes the fingerprint of the index.
func TestFrozenValues(t *testing.T) {
	former := cpu.Active()
	defer cpu.SetTier(former)
	seen := map[string]bool{}
	for _, v := range vectors(t) {
		if v.form != "index" {
			continue
		}
		f := v.family
		seen[f.Name] = true
		index, err := strconv.ParseUint(v.message, 0, 64)
		if err != nil || len(v.want) != f.Words() {
			t.Fatalf("line %d: %d words, want %d; %v", v.line, len(v.want), f.Words(), err)
		}
		for _, tier := range cpu.Supported() {
			cpu.SetTier(tier)
			frozenBatches(t, v, index)
			s, err := fphash.New(fphash.Definition{Hash: f.Name, Bits: f.Bits, Seed: v.key.Seed})
			if err != nil {
				t.Fatal(err)
			}
			if got, _, err := fphash.Append(s, nil, []uint64{index}, []int32{1}); err != nil || !slices.Equal(got, v.want) {
				t.Errorf("line %d: %s at %v: fingerprint of index %#x alone is %016x, %v, want %016x", v.line, f.Name, tier, index, got, err, v.want)
			}
		}
	}
	for _, f := range fphash.Families() {
		if !seen[f.Name] {
			t.Errorf("%s has no frozen values", f.Name)
		}
	}
}

func frozenBatches(t *testing.T, v vector, index uint64) {
	t.Helper()
	f := v.family
	h, err := f.New(v.key)
	if err != nil {
		t.Fatal(err)
	}
	for n := 1; n < 20; n++ {
		keys, data, ends := make([]uint64, n), []byte(nil), []int(nil)
		for i := range keys {
			keys[i] = index + uint64(i%2)
			data = binary.LittleEndian.AppendUint64(data, keys[i])
			ends = append(ends, len(data))
		}
		routes := map[string][]uint64{"HashUint64s": make([]uint64, n*f.Words())}
		h.HashUint64s(routes["HashUint64s"], keys)
		if b, ok := h.(fphash.ByteHash); ok {
			routes["HashBytes"] = make([]uint64, n*f.Words())
			b.HashBytes(routes["HashBytes"], data, ends)
		} else if !f.Integer {
			t.Errorf("%s takes no bytes", f.Name)
		}
		for route, codes := range routes {
			for i := 0; i < n; i += 2 {
				for word, want := range v.want {
					if got := codes[word*n+i]; got != want {
						t.Fatalf("line %d: %s, %s: word %d of key %d of %d is %016x, want %016x", v.line, f.Name, route, word, i, n, got, want)
					}
				}
			}
		}
	}
}

// keyOf parses a seed or a key, whichever the family takes. A keyed family may have a key of zeros
// and a seed.
func keyOf(t *testing.T, f fphash.Family, form, text string) (k fphash.Key) {
	t.Helper()
	var err error
	switch {
	case text == "-":
	case f.KeyBytes > 0 && form != "index":
		k.Bytes, err = hex.DecodeString(text)
	default:
		k.Seed, err = strconv.ParseUint(text, 10, 64)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// wordsOf parses a published value.
func wordsOf(t *testing.T, form, value string) (words []uint64) {
	t.Helper()
	if form == "words" || form == "index" {
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

// smhasherCodes are the verification codes that SMHasher3 publishes for little-endian machines:
// for a5hash, those of version 5.21; for xxh3-128, of big-endian digests.
var smhasherCodes = map[string]uint32{
	"a5hash": 0xadde79b3, "murmur3-32": 0xb0f57ee3, "murmur3-128": 0x6384ba69, "polymur": 0x0722b1a7, "rapidhash": 0x1fdc65ee, "xxh3-128": 0x288daa94,
}

// TestSMHasherCodes computes these codes from keys of 0 to 255 bytes with 256 seeds.
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
			if name == "xxh3-128" { // its published form
				slices.Reverse(b)
			}
			return b[:f.Bits/8]
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
