package fphash

import (
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// forms are values that testdata/forms has in the bytes that were written once: every later version
// reads them. Files are never changed; new forms are new files.
func forms(t testing.TB) map[string]encoding.BinaryMarshaler {
	plain := Stored{Definition: mustNew(t).Definition(), Fingerprint: Fingerprint{0x0123456789abcdef}}
	keyed := Stored{
		Definition:  mustNew(t, WithHash("highway64"), WithKey(risingKey), WithBits(128), WithWiden(WidenReseed), WithSeed(7)).Definition(),
		Fingerprint: Fingerprint{5, 6},
	}
	keyed.Definition, _ = ParseDefinition(keyed.Definition.String()) // which has the key by its fingerprint
	integers, floats := NewAccumulator[int32](mustNew(t)), NewAccumulator[float32](mustNew(t, WithBits(8)))
	Add(integers, -3, uint64(7))
	minima := NewAccumulator[int](mustNew(t, WithSketch(MinHash), WithBits(100)))
	Add(minima, 1, uint64(7), 8, 9)
	AddVector(floats, []uint64{1, 2, 3, 4, 5}, []float32{1, 2, 3, 4, 5.5})
	return map[string]encoding.BinaryMarshaler{
		"stored-plain": plain, "stored-keyed": keyed,
		"accumulator-int64": integers, "accumulator-float32": floats, "accumulator-minhash": minima,
	}
}

// What was written once is read for ever, and is what is written now.
func TestFormsOfEveryVersion(t *testing.T) {
	for name, value := range forms(t) {
		want, err := os.ReadFile(filepath.Join("testdata", "forms", name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		if got, err := value.MarshalBinary(); err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: written as %x, expected %x (%v)", name, got, want, err)
		}
		read := reflect.New(reflect.Indirect(reflect.ValueOf(value)).Type()).Interface()
		if err := read.(encoding.BinaryUnmarshaler).UnmarshalBinary(want); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if again, err := read.(encoding.BinaryMarshaler).MarshalBinary(); err != nil || !slices.Equal(again, want) {
			t.Errorf("%s: read and written as %x, expected %x (%v)", name, again, want, err)
		}
		if _, ok := value.(encoding.BinaryAppender); !ok {
			t.Errorf("%s is no BinaryAppender", name)
		}
		text, err := value.(encoding.TextMarshaler).MarshalText()
		if err != nil || read.(encoding.TextUnmarshaler).UnmarshalText(text) != nil {
			t.Errorf("%s: as text %q (%v)", name, text, err)
		}
		document, err := json.Marshal(value)
		if err != nil || json.Unmarshal(document, read) != nil {
			t.Errorf("%s: in JSON %s (%v)", name, document, err)
		}
		if again, err := read.(encoding.BinaryMarshaler).MarshalBinary(); err != nil || !slices.Equal(again, want) {
			t.Errorf("%s: read from text and JSON %x, expected %x (%v)", name, again, want, err)
		}
	}
}

// The dump in FORMAT.md is that of a file, byte by byte.
func TestFormatDocument(t *testing.T) {
	document, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stored-plain", "accumulator-float32"} {
		data, err := os.ReadFile(filepath.Join("testdata", "forms", name+".bin"))
		if err != nil {
			t.Fatal(err)
		}
		if dump := hex.Dump(data); !strings.Contains(string(document), "\n```\n"+dump+"```\n") {
			t.Errorf("FORMAT.md lacks the dump of %s:\n%s", name, dump)
		}
	}
}

func TestStoredText(t *testing.T) {
	stored := Stored{
		Definition:  mustNew(t, WithHash("md5"), WithBits(100), WithEncoding(BE64), WithTie(TieOne), WithOrder(Sequential)).Definition(),
		Fingerprint: Fingerprint{1 << 63, 0xf_0000_0002},
	}
	text, _ := stored.MarshalText()
	if want := "fphash/1 md5,be64,100,tie=one,order=sequential f000000028000000000000000"; string(text) != want {
		t.Errorf("text %q, expected %q", text, want)
	}
	document, _ := json.Marshal(stored)
	if want := `{"version":1,"definition":"md5,be64,100,tie=one,order=sequential","fingerprint":"f000000028000000000000000"}`; string(document) != want {
		t.Errorf("JSON %s, expected %s", document, want)
	}
}

// Every damaged byte and every missing end is noticed, and changes nothing.
func TestDamagedStored(t *testing.T) {
	value := forms(t)["stored-keyed"].(Stored)
	whole, _ := value.MarshalBinary()
	read := value
	for i := range whole {
		for _, flip := range []byte{1, 0x80, 0xff} {
			damaged := slices.Clone(whole)
			damaged[i] ^= flip
			if err := read.UnmarshalBinary(damaged); err == nil {
				t.Errorf("byte %d is damaged by %#x, and nobody sees it", i, flip)
			}
		}
		if err := read.UnmarshalBinary(whole[:i]); err == nil {
			t.Errorf("cut off after %d bytes, and nobody sees it", i)
		}
	}
	newer := slices.Clone(whole)
	newer[7] = 2
	if err := read.UnmarshalBinary(newer); err == nil || !strings.Contains(err.Error(), "version 2, expected 1") {
		t.Errorf("a newer version: %v", err)
	}
	longer := slices.Clone(whole)
	longer[12+len(value.Definition.String())] = 1
	longer = appendChecksum(longer[:len(longer)-4], 0)
	if err := read.UnmarshalBinary(longer); err == nil || !strings.Contains(err.Error(), "has 1 and 0 behind its definition, expected 0 and 0") {
		t.Errorf("more than a fingerprint: %v", err)
	}
	for text, want := range map[string]string{
		"fphash/2 xxh64,le64,64 0123456789abcdef":     "version 2, expected 1",
		"0123456789abcdef":                            "expected fphash/1, a definition",
		"fphash/1 xxh64,le64,64 0123456789abcde":      "15 digits, expected 16",
		"fphash/1 xxh64,le64,63 f123456789abcdef":     "sets a bit above",
		"fphash/1 xxh64,le64 0123456789abcdef":        "expected HASH,ENCODING,BITS",
		"fphash/1 xxh64,le64,64 0123456789abcdef 00 ": "expected fphash/1, a definition",
	} {
		if err := read.UnmarshalText([]byte(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, expected %q", text, err, want)
		}
	}
	for _, document := range []string{`{"version":2}`, `{}`, `{"version":1}`, `[]`, `{"version":1,"definition":"xxh64,le64,64","fingerprint":"0"}`, `{"version":1,"definition":"xxh64,le64,64","fingerprint":"0123456789abcdef","more":"00"}`} {
		if err := json.Unmarshal([]byte(document), &read); err == nil {
			t.Errorf("%s is read", document)
		}
	}
	if !reflect.DeepEqual(read, value) {
		t.Errorf("failing has changed it to %v", read)
	}
	for _, bad := range []Stored{{}, {Definition: value.Definition}, {Definition: mustNew(t, WithBits(63)).Definition(), Fingerprint: Fingerprint{1 << 63}}} {
		if _, err := bad.MarshalBinary(); err == nil {
			t.Errorf("%v is written", bad)
		}
	}
}

func TestStoredDistance(t *testing.T) {
	a := Stored{Definition: mustNew(t).Definition(), Fingerprint: Fingerprint{0b1111}}
	b := Stored{Definition: mustNew(t).Definition(), Fingerprint: Fingerprint{1}}
	if d, err := a.Distance(b); d != 3 || err != nil {
		t.Errorf("distance %d, %v, expected 3", d, err)
	}
	b.Definition = mustNew(t, WithHash("md5")).Definition()
	_, err := a.Distance(b)
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "xxh64,le64,64,tie=zero,order=grouped and md5,le64,64,tie=zero,order=grouped") {
		t.Errorf("another definition: %v", err)
	}
	err = NewAccumulator[int32](mustNew(t)).Merge(NewAccumulator[int32](mustNew(t, WithHash("md5"))))
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "xxh64,le64,64,tie=zero,order=grouped and md5,le64,64,tie=zero,order=grouped") {
		t.Errorf("merged with another definition: %v", err)
	}
}

func TestColumnsOf64Bits(t *testing.T) {
	const bits = 0xf123456789abcdef
	number, err := Fingerprint64(bits).Value()
	if wrapped := uint64(bits); err != nil || number != int64(wrapped) {
		t.Errorf("column of integers: %v, %v", number, err)
	}
	var f Fingerprint64
	for _, value := range []any{number, uint64(bits), "f123456789abcdef", []byte("F123456789ABCDEF")} {
		f = 0
		if err := f.Scan(value); err != nil || f != bits {
			t.Errorf("column %v: %v, %v", value, f, err)
		}
	}
	for _, value := range []any{nil, 1.5, "", "f123", []byte("12345678"), "f123456789abcdef0"} {
		if f.Scan(value) == nil || f != bits {
			t.Errorf("column %v is read as %v", value, f)
		}
	}
	document, err := json.Marshal(map[string]Fingerprint64{"f": f})
	if want := `{"f":"f123456789abcdef"}`; string(document) != want || err != nil {
		t.Errorf("in JSON %s, %v", document, err)
	}
	var read map[string]Fingerprint64
	if err := json.Unmarshal(document, &read); err != nil || read["f"] != bits {
		t.Errorf("from JSON %v, %v", read, err)
	}
}

func FuzzUnmarshalStored(f *testing.F) {
	for _, value := range forms(f) {
		if stored, ok := value.(Stored); ok {
			data, _ := stored.MarshalBinary()
			f.Add(data)
			data, _ = stored.MarshalText()
			f.Add(data)
			data, _ = stored.MarshalJSON()
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		for _, read := range []func(*Stored, []byte) error{(*Stored).UnmarshalBinary, (*Stored).UnmarshalText, (*Stored).UnmarshalJSON} {
			var s, again Stored
			if read(&s, data) != nil {
				continue
			}
			written, err := s.MarshalBinary()
			if err != nil || again.UnmarshalBinary(written) != nil || s.Definition.String() != again.Definition.String() || !slices.Equal(s.Fingerprint, again.Fingerprint) {
				t.Errorf("read %v from %q, and %v again (%v)", s, data, again, err)
			}
		}
	})
}

// What could not be read again is not written.
func TestStoredWithoutADefinition(t *testing.T) {
	for _, hash := range []string{"", "my hash", "a,b"} {
		s := Stored{Definition: Definition{Hash: hash, Bits: 64}, Fingerprint: Fingerprint{1}}
		for name, marshal := range map[string]func() ([]byte, error){"binary": s.MarshalBinary, "text": s.MarshalText, "JSON": s.MarshalJSON} {
			if written, err := marshal(); err == nil {
				t.Errorf("the hash %q, %s: expected an error, got %q", hash, name, written)
			}
		}
	}
}
