package fphash

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestHex(t *testing.T) {
	for _, c := range []struct {
		words []uint64
		bits  int
		want  string
	}{
		{[]uint64{0b101011}, 6, "2b"},
		{[]uint64{1}, 1, "1"},
		{[]uint64{1}, 5, "01"},
		{[]uint64{0xabc}, 64, "0000000000000abc"},
		{[]uint64{0x7fffffffffffffff}, 63, "7fffffffffffffff"},
		{[]uint64{0x0123456789abcdef, 1}, 65, "10123456789abcdef"},
		{[]uint64{2, 1}, 128, "00000000000000010000000000000002"},
		{[]uint64{2, 3, 1}, 192, "000000000000000100000000000000030000000000000002"},
	} {
		if got := string(Fingerprint(c.words).AppendHex([]byte("x="), c.bits)); got != "x="+c.want {
			t.Errorf("%x of %d bits: %s, want %s", c.words, c.bits, got, c.want)
		}
		if got, err := ParseHex(strings.ToUpper(c.want), c.bits); err != nil || Distance(got, c.words) != 0 {
			t.Errorf("%s of %d bits: %x, %v", c.want, c.bits, got, err)
		}
	}
}

// TestHexIsOneNumber compares with the number in math/big that the words represent.
func TestHexIsOneNumber(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		bits := rapid.IntRange(1, MaxBits).Draw(t, "bits")
		f := Fingerprint(rapid.SliceOfN(rapid.Uint64(), wordsFor(bits), wordsFor(bits)).Draw(t, "words"))
		f[len(f)-1] &= lastWordMask(bits)
		var number big.Int
		for i := len(f) - 1; i >= 0; i-- {
			number.Lsh(&number, 64).Or(&number, new(big.Int).SetUint64(f[i]))
		}
		hex := f.Hex(bits)
		if want := strings.Repeat("0", (bits+3)/4-len(number.Text(16))) + number.Text(16); hex != want {
			t.Fatalf("%s, want %s", hex, want)
		}
		for j := range bits {
			if f.Bit(j) != (number.Bit(j) == 1) {
				t.Fatalf("bit %d is %v", j, f.Bit(j))
			}
		}
		if back, err := ParseHex(hex, bits); err != nil || Distance(back, f) != 0 {
			t.Fatalf("read back: %x, %v", back, err)
		}
	})
}

func TestParseHexErrors(t *testing.T) {
	for _, c := range []struct {
		s    string
		bits int
		want string
	}{
		{"", 64, "0 digits, expected 16 for 64 bits"},
		{"abc", 64, "3 digits, expected 16 for 64 bits"},
		{"00000000000000000", 64, "17 digits, expected 16"},
		{"000000000000g000", 64, `column 13: 'g' is not a hexadecimal digit`},
		{"0x00000000000000", 64, `column 2: 'x'`},
		{"-123456789abcdef", 64, `column 1: '-'`},
		{"é0", 9, `column 1`},
		{"40", 6, `column 1: '4' sets a bit above the width of 6 bits`},
		{"8", 3, `column 1: '8' sets a bit above the width of 3 bits`},
		{"0", 0, "0 bits, expected 1 to 4096"},
		{"0", 4097, "4097 bits, expected"},
	} {
		f, err := ParseHex(c.s, c.bits)
		if f != nil || err == nil || !strings.HasPrefix(err.Error(), "fphash: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q of %d bits: %x, %v, want an error with %q", c.s, c.bits, f, err, c.want)
		}
	}
	if _, err := ParseHex(strings.Repeat("0", 1<<20), 64); err == nil || len(err.Error()) > 2000 {
		t.Errorf("a long line makes an error of %d bytes", len(err.Error()))
	}
}

// TestDistanceOfAllWords checks that every bit of every word counts.
func TestDistanceOfAllWords(t *testing.T) {
	for _, words := range []int{1, 2, 3, 64, 1500} {
		a, b := make([]uint64, words), make([]uint64, words)
		for i := range a {
			a[i] = uint64(i) * 0x9E3779B97F4A7C15
			b[i] = a[i]
		}
		for i := range b {
			b[i] = ^b[i]
			if got := Distance(a, b); got != 64*(i+1) {
				t.Fatalf("%d words, %d of them inverted: %d, want %d", words, i+1, got, 64*(i+1))
			}
		}
	}
}

func TestCosine(t *testing.T) {
	for _, c := range []struct {
		distance, bits int
		cosine         float64
	}{
		{0, 64, 1}, {32, 64, 0}, {64, 64, -1}, {1, 3, 0.5}, {100, 100, -1},
	} {
		if got := Cosine(c.distance, c.bits); math.Abs(got-c.cosine) > 1e-15 {
			t.Errorf("Cosine(%d, %d) = %v, want %v", c.distance, c.bits, got, c.cosine)
		}
	}
}

func TestProgrammersErrorsPanic(t *testing.T) {
	for name, call := range map[string]func(){
		"Cosine, no bits":           func() { Cosine(0, 0) },
		"Cosine, too far":           func() { Cosine(65, 64) },
		"Cosine, negative":          func() { Cosine(-1, 64) },
		"Distance, lengths differ":  func() { Distance([]uint64{1}, []uint64{1, 2}) },
		"Hex, words and bits apart": func() { Fingerprint{1}.Hex(65) },
		"Hex, no bits":              func() { Fingerprint{}.Hex(0) },
		"AppendIndex":               func() { Encoding(3).AppendIndex(nil, 1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			call()
		}()
	}
}

func FuzzParseHex(f *testing.F) {
	f.Add("0123456789abcdef", 64)
	f.Add("2B", 6)
	f.Add("ff", 7)
	f.Add("", 0)
	f.Fuzz(func(t *testing.T, s string, bits int) {
		got, err := ParseHex(s, bits)
		if err != nil {
			if got != nil {
				t.Fatalf("%x with %v", got, err)
			}
			return
		}
		if len(got) != wordsFor(bits) || got.Hex(bits) != strings.ToLower(s) {
			t.Fatalf("%q of %d bits is written as %q", s, bits, got.Hex(bits))
		}
	})
}
