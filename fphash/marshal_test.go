package fphash

import (
	"database/sql"
	"encoding"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

func TestMarshalFingerprint(t *testing.T) {
	for _, c := range []struct {
		f         Fingerprint
		text, hex string
	}{
		{Fingerprint{0x2b}, `"000000000000002b"`, "\x00\x00\x00\x00\x00\x00\x00\x2b"},
		{Fingerprint{1<<63 | 1}, `"8000000000000001"`, "\x80\x00\x00\x00\x00\x00\x00\x01"},
		{Fingerprint{2, 0x0123456789abcdef}, `"0123456789abcdef0000000000000002"`, "\x01\x23\x45\x67\x89\xab\xcd\xef\x00\x00\x00\x00\x00\x00\x00\x02"},
	} {
		text, err := json.Marshal(c.f)
		var fromText, fromBytes, fromColumn Fingerprint
		if err != nil || string(text) != c.text || json.Unmarshal(text, &fromText) != nil || !slices.Equal(fromText, c.f) {
			t.Errorf("%v: %s in JSON, read as %v (%v)", []uint64(c.f), text, fromText, err)
		}
		data, err := c.f.MarshalBinary()
		if err != nil || string(data) != c.hex || fromBytes.UnmarshalBinary(data) != nil || !slices.Equal(fromBytes, c.f) {
			t.Errorf("%v: bytes %x, read as %v (%v)", c.f, data, fromBytes, err)
		}
		value, err := c.f.Value()
		if err != nil || fromColumn.Scan(value) != nil || !slices.Equal(fromColumn, c.f) {
			t.Errorf("%v: column %v, read as %v (%v)", c.f, value, fromColumn, err)
		}
	}
	var f Fingerprint
	for value, want := range map[any]string{"000000000000002b": "000000000000002b", int64(-1): "ffffffffffffffff"} {
		if err := f.Scan(value); err != nil || f.String() != want {
			t.Errorf("column %v: %v, %v", value, f, err)
		}
	}
	was := f.String()
	for name, err := range map[string]error{
		"no digit": f.UnmarshalText([]byte("0x2b")), "too long": f.UnmarshalBinary(make([]byte, 513)), "too many digits": f.UnmarshalText([]byte(strings.Repeat("0", 1025))),
		"a type": f.Scan(1.5), "nothing": f.Scan(nil),
		"few digits": f.UnmarshalText([]byte("abc")), "no digits": f.UnmarshalText(nil), "25 digits": f.Scan(strings.Repeat("0", 25)),
		"few bytes": f.UnmarshalBinary([]byte{1, 2, 3}), "no bytes": f.Scan([]byte{}), "JSON": json.Unmarshal([]byte(`"abc"`), &f), "empty JSON": json.Unmarshal([]byte(`""`), &f),
	} {
		if err == nil || f.String() != was {
			t.Errorf("%s: %v, %v", name, f, err)
		}
	}
}

// A fingerprint without words cannot be written, because it could not be read.
func TestNoWordsAreNotWritten(t *testing.T) {
	for _, f := range []Fingerprint{nil, {}} {
		_, asText := f.MarshalText()
		_, asBytes := f.MarshalBinary()
		_, asJSON := json.Marshal(struct{ F Fingerprint }{f})
		if asText == nil || asBytes == nil || asJSON == nil {
			t.Errorf("%#v: %v, %v, %v, expected errors", f, asText, asBytes, asJSON)
		}
		if text, err := json.Marshal(struct {
			F Fingerprint `json:",omitempty"`
		}{f}); string(text) != "{}" || err != nil {
			t.Errorf("%s, %v, expected omitempty to leave it out", text, err)
		}
	}
}

// The error for NULL names the type that reads it.
func TestNullNamesTheTypeThatReadsIt(t *testing.T) {
	var f Fingerprint
	if err := f.Scan(nil); err == nil || !strings.Contains(err.Error(), "sql.Null[fphash.Fingerprint]") {
		t.Error(err)
	}
	var null sql.Null[Fingerprint]
	if err := null.Scan(nil); err != nil || null.Valid {
		t.Error(null, err)
	}
}

func TestBitBeyondTheFingerprint(t *testing.T) {
	for _, j := range []int{-1, -64, 64, 1 << 30} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("bit %d: no panic", j)
				}
			}()
			Fingerprint{1 << 63}.Bit(j)
		}()
	}
}

// TestMarshalAccumulator writes and reads accumulators at any point. They must continue with the
// same sums, to the last bit.
func TestMarshalAccumulator(t *testing.T) {
	marshalledProperty[float32](t)
	marshalledProperty[float64](t)
	marshalledProperty[int64](t)
	marshalledProperty[int8](t)
}

func marshalledProperty[W Weight](t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, d := range []Definition{{Tie: TieOne}, {Hash: "highway256", Bits: 200, Order: Sequential, Key: risingKey}, {Hash: "splitmix64", Bits: 100, Widen: WidenMix, Seed: 3}} {
		s := lanesFor[W](mustNew(t, d))
		for n := range 70 {
			indices, weights := randomIndices(r, n+9), randomSmall[W](r, n+9)
			a := NewAccumulator[W](s)
			for i, index := range indices[:n] {
				if i%5 == 4 && s.bytes != nil {
					Add(a, weights[i], string(LE64.AppendIndex(nil, index)))
				} else {
					Add(a, weights[i], index)
				}
			}
			state, err := a.AppendBinary([]byte("before"))
			if err != nil {
				t.Fatal(err)
			}
			b := NewAccumulator[W](s)
			Add(b, 1, uint64(5)) // unmarshaling removes it
			if err := b.UnmarshalBinary(state[len("before"):]); err != nil {
				t.Fatalf("%v, %d features: %v", s, n, err)
			}
			for _, c := range []*Accumulator[W]{a, b} {
				if err := AddVector(c, indices[n:], weights[n:]); err != nil {
					t.Fatal(err)
				}
			}
			one, two := a.closed(newBuffers(s.definition, 1)), b.closed(newBuffers(s.definition, 1))
			if diff := differentSum(two.i64, one.i64) + differentSum(two.f32, one.f32) + differentSum(two.f64, one.f64); diff != "" {
				t.Fatalf("%v, %d features: %s", s, n, diff)
			}
		}
	}
}

func randomSmall[W Weight](r *rand.Rand, n int) (weights []W) {
	for range n {
		weights = append(weights, W(r.IntN(250)-125)/3)
	}
	return weights
}

func TestUnmarshalAccumulatorErrors(t *testing.T) {
	a := NewAccumulator[float32](mustNew(t, Definition{Float32: true}))
	AddVector(a, []uint64{1, 2, 3, 4, 5}, []float32{1, 2, 3, 4, 5})
	want, _ := a.Append(nil)
	state, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	var zero Accumulator[float32]
	if err := zero.UnmarshalBinary(state); err != nil {
		t.Fatalf("a zero accumulator: %v", err)
	}
	if got, _ := zero.Append(nil); !slices.Equal(got, want) {
		t.Errorf("a zero accumulator reads %x, want %x", got, want)
	}
	for i := range state {
		damaged := slices.Clone(state)
		damaged[i] ^= 1
		if err := a.UnmarshalBinary(damaged); err == nil {
			t.Errorf("a damaged byte %d is not detected", i)
		}
		if err := a.UnmarshalBinary(state[:i]); err == nil {
			t.Errorf("truncation after %d bytes is not detected", i)
		}
	}
	for name, s := range map[string]*Sketcher{"hash": mustNew(t, Definition{Hash: "md5"}), "width": mustNew(t, Definition{Bits: 63}), "order": mustNew(t, Definition{Order: Sequential}), "type": mustNew(t, Definition{})} {
		if err := NewAccumulator[float32](s).UnmarshalBinary(state); !errors.Is(err, ErrMismatch) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if err := NewAccumulator[float64](mustNew(t, Definition{Float32: true})).UnmarshalBinary(state); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "float32, expected float64") {
		t.Errorf("another type: %v", err)
	}
	keyed, err := NewAccumulator[float32](mustNew(t, Definition{Hash: "highway64", Key: risingKey})).MarshalBinary()
	if err != nil || strings.Contains(string(keyed), string(risingKey)) {
		t.Errorf("the key is in the bytes (%v)", err)
	}
	var none Accumulator[float32]
	if err := none.UnmarshalBinary(keyed); err == nil || !strings.Contains(err.Error(), "expected the key in Definition.Key") {
		t.Errorf("without the key: %v", err)
	}
	if got, _ := a.Append(nil); !slices.Equal(got, want) {
		t.Errorf("errors have changed the accumulator: %x, want %x", got, want)
	}
	newer := slices.Clone(state)
	newer[7] = 2
	if err := a.UnmarshalBinary(newer); err == nil || !strings.Contains(err.Error(), "version 2, expected 1") {
		t.Errorf("a newer version: %v", err)
	}
	if _, err := new(Accumulator[int64]).MarshalBinary(); err == nil {
		t.Error("a zero accumulator was marshaled")
	}
}

// Every later version must read old states. The checksum, the last 4 bytes, pins the form of an
// accumulator with one feature in the sums and one pending.
func TestFrozenAccumulator(t *testing.T) {
	const definition = "xxh64,le64,64,tie=zero,order=grouped"
	frozenState[int32](t, "FPHACC\x00\x01\x24\x00\x00\x00"+definition+"\x01\x00", 8+4+36+2+512+4, "034bb0b1")
	frozenState[float32](t, "FPHACC\x00\x01\x32\x00\x00\x00"+definition+",lanes=float32\x02\x01", 8+4+50+2+256+16+4, "9236c2e2")
}

func frozenState[W Weight](t *testing.T, head string, size int, checksum string) {
	t.Helper()
	a := NewAccumulator[W](lanesFor[W](mustNew(t, Definition{})))
	Add(a, 3, uint64(7))
	a.flush(newBuffers(a.sketcher.definition, 1))
	Add(a, 2, uint64(8))
	state, err := a.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(string(state), head) || len(state) != size || fmt.Sprintf("%x", state[size-4:]) != checksum {
		t.Errorf("%d bytes, %x at the end, which begin with %q", len(state), state[len(state)-4:], state[:60])
	}
}

// Accumulators of every integer type can read integer sums without loss.
func TestSumsGoBetweenIntegerTypes(t *testing.T) {
	s := mustNew(t, Definition{})
	large, small := NewAccumulator[int64](s), NewAccumulator[int8](s)
	Add(large, 1<<40+1, uint64(7))
	Add(large, -300, uint64(8))
	state, err := large.MarshalBinary()
	if err != nil {
		t.Fatal(err)
	}
	if err := small.UnmarshalBinary(state); err != nil {
		t.Fatal(err)
	}
	b := newBuffers(s.definition, 1)
	if diff := differentSum(small.closed(b).i64, large.closed(newBuffers(s.definition, 1)).i64); diff != "" {
		t.Error(diff)
	}
}

func FuzzUnmarshalAccumulator(f *testing.F) {
	a := NewAccumulator[float32](mustNew(f, Definition{Float32: true}))
	AddVector(a, []uint64{1, 2, 3, 4, 5}, []float32{1, 2, 3, 4, 5})
	state, err := a.MarshalBinary()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(state)
	f.Add(state[:50])
	f.Fuzz(func(t *testing.T, data []byte) {
		var a Accumulator[float32]
		if a.UnmarshalBinary(data) != nil {
			return
		}
		again, err := a.MarshalBinary()
		if err != nil || !slices.Equal(again, data) {
			t.Errorf("read %x, written %x, %v", data, again, err)
		}
	})
}

// forms returns the values whose binary forms are in testdata/forms. Every later version must read
// these files. They never change; new forms get new files.
func forms(t testing.TB) map[string]encoding.BinaryMarshaler {
	integers, floats := NewAccumulator[int32](mustNew(t, Definition{})), NewAccumulator[float32](mustNew(t, Definition{Bits: 8, Float32: true}))
	Add(integers, -3, uint64(7))
	minima := NewAccumulator[int](mustNew(t, Definition{Bits: 100, Kind: MinHash}))
	Add(minima, 1, uint64(7), 8, 9)
	AddVector(floats, []uint64{1, 2, 3, 4, 5}, []float32{1, 2, 3, 4, 5.5})
	return map[string]encoding.BinaryMarshaler{
		"accumulator-int64": integers, "accumulator-float32": floats, "accumulator-minhash": minima,
	}
}

// The stored forms can be read, and values are still written in these forms.
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
			t.Errorf("%s: after reading, written as %x, expected %x (%v)", name, again, want, err)
		}
		if _, ok := value.(encoding.BinaryAppender); !ok {
			t.Errorf("%s is no BinaryAppender", name)
		}
	}
}

// The dump in FORMAT.md must equal the file, byte by byte.
func TestFormatDocument(t *testing.T) {
	document, err := os.ReadFile("FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join("testdata", "forms", "accumulator-float32.bin"))
	if err != nil {
		t.Fatal(err)
	}
	if dump := hex.Dump(data); !strings.Contains(string(document), "\n```text\n"+dump+"```\n") {
		t.Errorf("FORMAT.md lacks the dump:\n%s", dump)
	}
}

func TestMismatchNamesBothDefinitions(t *testing.T) {
	err := NewAccumulator[int32](mustNew(t, Definition{})).Merge(NewAccumulator[int32](mustNew(t, Definition{Hash: "md5"})))
	if !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "xxh64,le64,64,tie=zero,order=grouped and md5,le64,64,tie=zero,order=grouped") {
		t.Errorf("merged with another definition: %v", err)
	}
}
