package fphash

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestMarshalFingerprint(t *testing.T) {
	for _, c := range []struct {
		f         Fingerprint
		text, hex string
	}{
		{Fingerprint{}, `""`, ""},
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
	for value, want := range map[any]string{"2b": "000000000000002b", int64(-1): "ffffffffffffffff"} {
		if err := f.Scan(value); err != nil || f.String() != want {
			t.Errorf("column %v: %v, %v", value, f, err)
		}
	}
	if err := f.UnmarshalBinary([]byte{1, 2, 3}); err != nil || f.String() != "0000000000010203" {
		t.Errorf("three bytes: %v, %v", f, err)
	}
	was := f.String()
	for name, err := range map[string]error{
		"no digit": f.UnmarshalText([]byte("0x2b")), "too long": f.UnmarshalBinary(make([]byte, 513)), "too many digits": f.UnmarshalText([]byte(strings.Repeat("0", 1025))),
		"a type": f.Scan(1.5), "nothing": f.Scan(nil),
	} {
		if err == nil || f.String() != was {
			t.Errorf("%s: %v, %v", name, f, err)
		}
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

// TestMarshalAccumulator: however far it is, an accumulator that is written and read goes on where
// it was, to the last bit of every sum.
func TestMarshalAccumulator(t *testing.T) {
	marshalledProperty[float32](t)
	marshalledProperty[float64](t)
	marshalledProperty[int64](t)
	marshalledProperty[int8](t)
}

func marshalledProperty[W Weight](t *testing.T) {
	r := rand.New(rand.NewPCG(41, 42))
	for _, options := range [][]Option{{WithTie(TieOne)}, {WithHash("highway256"), WithBits(200), WithKey(risingKey), WithOrder(Sequential)}, {WithHash("splitmix64"), WithBits(100), WithWiden(WidenMix), WithSeed(3)}} {
		s := mustNew(t, options...)
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
			Add(b, 1, uint64(5)) // which is forgotten
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
	a := NewAccumulator[float32](mustNew(t))
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
			t.Errorf("byte %d is damaged, and nobody sees it", i)
		}
		if err := a.UnmarshalBinary(state[:i]); err == nil {
			t.Errorf("cut off after %d bytes, and nobody sees it", i)
		}
	}
	for name, s := range map[string]*Sketcher{"hash": mustNew(t, WithHash("md5")), "width": mustNew(t, WithBits(63)), "order": mustNew(t, WithOrder(Sequential))} {
		if err := NewAccumulator[float32](s).UnmarshalBinary(state); !errors.Is(err, ErrMismatch) {
			t.Errorf("another %s: %v", name, err)
		}
	}
	if err := NewAccumulator[float64](mustNew(t)).UnmarshalBinary(state); !errors.Is(err, ErrMismatch) || !strings.Contains(err.Error(), "float32, expected float64") {
		t.Errorf("another type: %v", err)
	}
	keyed, err := NewAccumulator[float32](mustNew(t, WithHash("highway64"), WithKey(risingKey))).MarshalBinary()
	if err != nil || strings.Contains(string(keyed), string(risingKey)) {
		t.Errorf("the key is in the bytes (%v)", err)
	}
	var none Accumulator[float32]
	if err := none.UnmarshalBinary(keyed); err == nil || !strings.Contains(err.Error(), "expected the key itself by WithKey") {
		t.Errorf("without the key: %v", err)
	}
	if got, _ := a.Append(nil); !slices.Equal(got, want) {
		t.Errorf("failing has changed the accumulator: %x, want %x", got, want)
	}
	if err := a.UnmarshalText([]byte("no base64")); err == nil {
		t.Error("what is no base64 is read")
	}
	newer := slices.Clone(state)
	newer[7] = 2
	if err := a.UnmarshalBinary(newer); err == nil || !strings.Contains(err.Error(), "version 2, expected 1") {
		t.Errorf("a newer version: %v", err)
	}
	if _, err := new(Accumulator[int64]).MarshalBinary(); err == nil {
		t.Error("a zero accumulator is written")
	}
}

// What was written once is read for ever: the form is held by its checksum, the last 4 bytes, with
// a feature in the sums and one pending.
func TestFrozenAccumulator(t *testing.T) {
	const head = "FPHACC\x00\x01\x24\x00\x00\x00xxh64,le64,64,tie=zero,order=grouped"
	frozenState[int32](t, head+"\x01\x00", 8+4+36+2+512+4, "034bb0b1")
	frozenState[float32](t, head+"\x02\x01", 8+4+36+2+256+16+4, "fec99890")
}

func frozenState[W Weight](t *testing.T, head string, size int, checksum string) {
	t.Helper()
	a := NewAccumulator[W](mustNew(t))
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

// Sums of integers are read by accumulators of every integer type, however small, and lose nothing.
func TestSumsGoBetweenIntegerTypes(t *testing.T) {
	s := mustNew(t)
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
	a := NewAccumulator[float32](mustNew(f))
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
