package fphash

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestDefaults(t *testing.T) {
	s := mustNew(t, Definition{})
	if s.family.Name != "xxh64" || s.Bits() != 64 || s.Words() != 1 || s.encoding != LE64 || s.tie != TieZero || s.order != Grouped || s.key.Seed != 0 {
		t.Errorf("%s %d %d %v %v %v %d", s.family.Name, s.Bits(), s.Words(), s.encoding, s.tie, s.order, s.key.Seed)
	}
}

func TestOptions(t *testing.T) {
	s := mustNew(t, Definition{Hash: "md5", Encoding: Dec, Bits: 65, Tie: TieAlternate, Order: Sequential}, WithWorkers(3)).Local()
	if s.family.Name != "md5" || s.Bits() != 65 || s.Words() != 2 || s.encoding != Dec || s.tie != TieAlternate || s.order != Sequential || s.workers != 3 {
		t.Errorf("%s %d %d %v %v %v", s.family.Name, s.Bits(), s.Words(), s.encoding, s.tie, s.order)
	}
	if s := mustNew(t, Definition{Seed: 77}); s.key.Seed != 77 {
		t.Errorf("seed %d", s.key.Seed)
	}
}

func TestBadOptions(t *testing.T) {
	failing := Family{Name: "failing", Bits: 64, New: func(Key) (Hash, error) { return nil, errors.New("inner") }}
	integers := Family{Name: "integers", Bits: 64, New: func(Key) (Hash, error) { return splitMix64{}, nil }}
	for _, c := range []struct {
		want    string
		d       Definition
		options []Option
	}{
		{`unknown hash "xxh65"; did you mean "xxh64"`, Definition{Hash: "xxh65"}, nil},
		{"-1 bits, expected", Definition{Bits: -1}, nil},
		{"4097 bits, expected", Definition{Bits: 4097}, nil},
		{"code is 64 bits wide, 128 wanted; ask for at most 64 bits of xxh64, widen it by reseed, counter, mix or use highway128", Definition{Bits: 128}, nil},
		{"code is 256 bits wide, 257 wanted; ask for at most 256 bits of highway256", Definition{Hash: "highway256", Bits: 257}, nil},
		{"code is 2 bits wide, 64 wanted", Definition{}, []Option{tableHash(2, 1)}},
		{"splitmix64 takes integers; encoding be64", Definition{Hash: "splitmix64", Encoding: BE64}, nil},
		{"splitmix64 takes integers; encoding dec", Definition{Hash: "splitmix64", Encoding: Dec}, nil},
		{"unknown encoding Encoding(3); expected le64, be64, dec", Definition{Encoding: 3}, nil},
		{"unknown tie rule Tie(3); expected zero, one, alternate", Definition{Tie: 3}, nil},
		{"unknown order of summation Order(2); expected grouped, sequential", Definition{Order: 2}, nil},
		{"fnv1a64 takes no seed", Definition{Hash: "fnv1a64", Seed: 1}, nil},
		{"md5 takes no seed", Definition{Hash: "md5", Seed: 1}, nil},
		{"xxh64 takes no key", Definition{Key: make([]byte, 32)}, nil},
		{"highway64: key of 31 bytes, expected 32", Definition{Hash: "highway64", Key: make([]byte, 31)}, nil},
		{"highway256: key of 0 bytes, expected 32", Definition{Hash: "highway256", Key: []byte{}}, nil},
		{"-1 workers", Definition{}, []Option{WithWorkers(-1)}},
		{"hash failing: ", Definition{}, []Option{WithFamily(failing)}},
		{"hash integers takes integers only", Definition{Encoding: Dec}, []Option{WithFamily(integers)}},
		{"has no New", Definition{}, []Option{WithFamily(Family{Name: "x", Bits: 1})}},
	} {
		s, err := New(c.d, c.options...)
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
}

func TestSeedsAndKeys(t *testing.T) {
	one := func(d Definition) uint64 {
		got, err := appendUnitErr(mustNew(t, d), nil, []uint64{1})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	key := bytes.Repeat([]byte{0xff}, 32)
	first := append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 24)...)
	carried := append(make([]byte, 8), key[8:]...)
	for _, c := range []struct {
		name string
		a, b Definition
		same bool
	}{
		{"seed 0 is the plain function", Definition{Seed: 0}, Definition{}, true},
		{"seed 0 goes with any family", Definition{Hash: "md5", Seed: 0}, Definition{Hash: "md5"}, true},
		{"seeds differ", Definition{Seed: 1}, Definition{Seed: 2}, false},
		{"no key is the zero key", Definition{Hash: "highway64"}, Definition{Hash: "highway64", Key: make([]byte, 32)}, true},
		{"keys differ", Definition{Hash: "highway64"}, Definition{Hash: "highway64", Key: key}, false},
		{"a seed is added to the key", Definition{Hash: "highway64", Seed: 1}, Definition{Hash: "highway64", Key: first}, true},
		{"and carries in 8 bytes only", Definition{Hash: "highway64", Seed: 1, Key: key}, Definition{Hash: "highway64", Key: carried}, true},
	} {
		if (one(c.a) == one(c.b)) != c.same {
			t.Errorf("%s: the fingerprints are not as expected", c.name)
		}
	}
	mine := bytes.Clone(key)
	s := mustNew(t, Definition{Hash: "highway64", Key: mine})
	clear(mine)
	if got := s.Definition(); !bytes.Equal(got.Key, key) {
		t.Error("the key is the caller's slice")
	}
	s.Definition().Key[0]++
	if got, err := appendUnitErr(s, nil, []uint64{1}); err != nil || got[0] != one(Definition{Hash: "highway64", Key: key}) || !bytes.Equal(s.Definition().Key, key) {
		t.Errorf("the key of Definition is the Sketcher's slice (%v)", err)
	}
}

func TestNamesParse(t *testing.T) {
	roundTrip[Encoding](t, Dec, "LE64", `fphash: unknown encoding "LE64"; expected le64, be64, dec`)
	roundTrip[Tie](t, TieAlternate, "", `fphash: unknown tie rule ""; expected zero, one, alternate`)
	roundTrip[Order](t, Sequential, "random", `fphash: unknown order of summation "random"; expected grouped, sequential`)
	roundTrip[Widen](t, WidenMix, "xor", `fphash: unknown widening "xor"; expected none, reseed, counter, mix`)
}

// roundTrip writes and reads the names of all constants, and reads an unknown name.
func roundTrip[E interface {
	~uint8
	String() string
}, P interface {
	*E
	UnmarshalText(text []byte) error
}](t *testing.T, last E, unknown, want string) {
	t.Helper()
	for e := range last + 1 {
		got := last
		if err := P(&got).UnmarshalText([]byte(e.String())); err != nil || got != e {
			t.Errorf("%v: %v, %v", e, got, err)
		}
	}
	got := last
	if err := P(&got).UnmarshalText([]byte(unknown)); err == nil || err.Error() != want || got != last {
		t.Errorf("%v, %v, want %s", got, err, want)
	}
}

// A different function with the name of a registered one would have the same definition.
func TestFamilyOfRegisteredName(t *testing.T) {
	sum := func(dst []uint64, _ []byte) { dst[0] = 7 }
	if _, err := New(Definition{}, WithFamily(FromFunc("xxh64", 64, sum))); err == nil {
		t.Error("a user's function named xxh64 was accepted")
	}
	if _, err := New(Definition{}, WithFamily(FromFunc("mine-of-this-test", 64, sum))); err != nil {
		t.Error(err)
	}
	for _, f := range Families() {
		if f.Bits < 64 {
			continue
		}
		if _, err := New(Definition{}, WithFamily(f)); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
