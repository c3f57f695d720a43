package fphash

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

func TestDefaults(t *testing.T) {
	s := mustNew(t)
	if s.Hash() != "xxh64" || s.Bits() != 64 || s.Words() != 1 || s.Encoding() != LE64 || s.Tie() != TieZero || s.Order() != Grouped || s.Seed() != 0 {
		t.Errorf("%s %d %d %v %v %v %d", s.Hash(), s.Bits(), s.Words(), s.Encoding(), s.Tie(), s.Order(), s.Seed())
	}
}

func TestOptions(t *testing.T) {
	s := mustNew(t, WithBits(9), WithHash("md5"), WithBits(65), WithEncoding(Dec), WithTie(TieAlternate), WithOrder(Sequential), WithWorkers(3)).Local()
	if s.Hash() != "md5" || s.Bits() != 65 || s.Words() != 2 || s.Encoding() != Dec || s.Tie() != TieAlternate || s.Order() != Sequential || s.workers != 3 {
		t.Errorf("%s %d %d %v %v %v", s.Hash(), s.Bits(), s.Words(), s.Encoding(), s.Tie(), s.Order())
	}
	if s := mustNew(t, WithSeed(77)); s.Seed() != 77 {
		t.Errorf("seed %d", s.Seed())
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
		{"code is 64 bits wide, 128 wanted; ask for at most 64 bits of xxh64, widen it by reseed, counter, mix or choose a wider hash: fnv1a128, ", []Option{WithBits(128)}},
		{"code is 256 bits wide, 257 wanted; ask for at most 256 bits of highway256", []Option{WithHash("highway256"), WithBits(257)}},
		{"code is 2 bits wide, 64 wanted", []Option{tableHash(2, 1)}},
		{"splitmix64 takes the integer itself; encoding be64", []Option{WithHash("splitmix64"), WithEncoding(BE64)}},
		{"splitmix64 takes the integer itself; encoding dec", []Option{WithEncoding(Dec), WithHash("splitmix64")}},
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
			t.Errorf("%s: not so", c.name)
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
	for e := range Dec + 1 {
		if got, err := ParseEncoding(e.String()); err != nil || got != e {
			t.Errorf("%v: %v, %v", e, got, err)
		}
	}
	for tie := range TieAlternate + 1 {
		if got, err := ParseTie(tie.String()); err != nil || got != tie {
			t.Errorf("%v: %v, %v", tie, got, err)
		}
	}
	for o := range Sequential + 1 {
		if got, err := ParseOrder(o.String()); err != nil || got != o {
			t.Errorf("%v: %v, %v", o, got, err)
		}
	}
	for want, parse := range map[string]func() error{
		`fphash: unknown encoding "LE64"; expected le64, be64, dec`:                 func() error { _, err := ParseEncoding("LE64"); return err },
		`fphash: unknown tie rule ""; expected zero, one, alternate`:                func() error { _, err := ParseTie(""); return err },
		`fphash: unknown order of summation "random"; expected grouped, sequential`: func() error { _, err := ParseOrder("random"); return err },
	} {
		if err := parse(); err == nil || err.Error() != want {
			t.Errorf("%v, want %s", err, want)
		}
	}
	if got := Status(2).String() + ", " + Status(9).String() + ", " + Encoding(7).String(); got != "not finite, Status(9), Encoding(7)" {
		t.Error(got)
	}
}
