package fphash

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestDefaults(t *testing.T) {
	s := mustNew(t)
	if s.family.Name != "xxh64" || s.Bits() != 64 || s.Words() != 1 || s.encoding != LE64 || s.tie != TieZero || s.order != Grouped || s.key.Seed != 0 {
		t.Errorf("%s %d %d %v %v %v %d", s.family.Name, s.Bits(), s.Words(), s.encoding, s.tie, s.order, s.key.Seed)
	}
}

func TestOptions(t *testing.T) {
	s := mustNew(t, WithBits(9), WithHash("md5"), WithBits(65), WithEncoding(Dec), WithTie(TieAlternate), WithOrder(Sequential), WithWorkers(3)).Local()
	if s.family.Name != "md5" || s.Bits() != 65 || s.Words() != 2 || s.encoding != Dec || s.tie != TieAlternate || s.order != Sequential || s.workers != 3 {
		t.Errorf("%s %d %d %v %v %v", s.family.Name, s.Bits(), s.Words(), s.encoding, s.tie, s.order)
	}
	if s := mustNew(t, WithSeed(77)); s.key.Seed != 77 {
		t.Errorf("seed %d", s.key.Seed)
	}
}

func TestBadOptions(t *testing.T) {
	failing := Family{Name: "failing", Bits: 64, New: func(Key) (Hash, error) { return nil, errors.New("inner") }}
	integers := Family{Name: "integers", Bits: 64, New: func(Key) (Hash, error) { return splitMix64{}, nil }}
	for _, c := range []struct {
		want    string
		options []Option
	}{
		{`unknown hash "xxh65"; did you mean "xxh64"`, []Option{WithHash("xxh65")}},
		{"0 bits, expected 1 to 4096", []Option{WithBits(0)}},
		{"-1 bits, expected", []Option{WithBits(-1)}},
		{"4097 bits, expected", []Option{WithBits(4097)}},
		{"code is 64 bits wide, 128 wanted; ask for at most 64 bits of xxh64, widen it by reseed, counter, mix or use highway128", []Option{WithBits(128)}},
		{"code is 256 bits wide, 257 wanted; ask for at most 256 bits of highway256", []Option{WithHash("highway256"), WithBits(257)}},
		{"code is 2 bits wide, 64 wanted", []Option{tableHash(2, 1)}},
		{"splitmix64 takes integers; encoding be64", []Option{WithHash("splitmix64"), WithEncoding(BE64)}},
		{"splitmix64 takes integers; encoding dec", []Option{WithEncoding(Dec), WithHash("splitmix64")}},
		{"unknown encoding Encoding(3); expected le64, be64, dec", []Option{WithEncoding(3)}},
		{"unknown tie rule Tie(3); expected zero, one, alternate", []Option{WithTie(3)}},
		{"unknown order of summation Order(2); expected grouped, sequential", []Option{WithOrder(2)}},
		{"fnv1a64 takes no seed", []Option{WithHash("fnv1a64"), WithSeed(1)}},
		{"md5 takes no seed", []Option{WithSeed(1), WithHash("md5")}},
		{"xxh64 takes no key", []Option{WithKey(make([]byte, 32))}},
		{"highway64: key of 31 bytes, expected 32", []Option{WithHash("highway64"), WithKey(make([]byte, 31))}},
		{"highway256: key of 0 bytes, expected 32", []Option{WithHash("highway256"), WithKey([]byte{})}},
		{"-1 workers", []Option{WithWorkers(-1)}},
		{"hash failing: ", []Option{WithFamily(failing)}},
		{"hash integers takes integers only", []Option{WithFamily(integers), WithEncoding(Dec)}},
		{"has no New", []Option{WithFamily(Family{Name: "x", Bits: 1})}},
	} {
		s, err := New(c.options...)
		if s != nil || err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want an error with %q", err, c.want)
		}
	}
}

func TestSeedsAndKeys(t *testing.T) {
	one := func(options ...Option) uint64 {
		got, err := appendUnitErr(mustNew(t, options...), nil, []uint64{1})
		if err != nil {
			t.Fatal(err)
		}
		return got[0]
	}
	key := bytes.Repeat([]byte{0xff}, 32)
	first := append([]byte{1, 0, 0, 0, 0, 0, 0, 0}, make([]byte, 24)...)
	carried := append(make([]byte, 8), key[8:]...)
	highway := WithHash("highway64")
	for _, c := range []struct {
		name string
		a, b []Option
		same bool
	}{
		{"seed 0 is the plain function", []Option{WithSeed(0)}, nil, true},
		{"seed 0 goes with any family", []Option{WithHash("md5"), WithSeed(0)}, []Option{WithHash("md5")}, true},
		{"seeds differ", []Option{WithSeed(1)}, []Option{WithSeed(2)}, false},
		{"no key is the zero key", []Option{highway}, []Option{highway, WithKey(make([]byte, 32))}, true},
		{"keys differ", []Option{highway}, []Option{highway, WithKey(key)}, false},
		{"a seed is added to the key", []Option{highway, WithSeed(1)}, []Option{highway, WithKey(first)}, true},
		{"and carries in 8 bytes only", []Option{highway, WithKey(key), WithSeed(1)}, []Option{highway, WithKey(carried)}, true},
	} {
		if (one(c.a...) == one(c.b...)) != c.same {
			t.Errorf("%s: the fingerprints are not as expected", c.name)
		}
	}
	mine := bytes.Clone(key)
	option := WithKey(mine)
	clear(mine)
	for range 2 {
		if one(highway, option) != one(highway, WithKey(key)) {
			t.Error("the key is the caller's slice")
		}
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
	if _, err := New(WithFamily(FromFunc("xxh64", 64, sum))); err == nil {
		t.Error("a user's function named xxh64 was accepted")
	}
	if _, err := New(WithFamily(FromFunc("mine-of-this-test", 64, sum))); err != nil {
		t.Error(err)
	}
	for _, f := range Families() {
		if f.Bits < 64 {
			continue
		}
		if _, err := New(WithFamily(f)); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
	}
}
