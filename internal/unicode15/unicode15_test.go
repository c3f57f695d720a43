package unicode15

import (
	"hash/crc64"
	"testing"
	"unicode"
	"unicode/utf8"
)

// properties lists the functions of this package with their counterparts in package unicode.
var properties = []struct {
	name string
	have func(rune) bool
	want func(rune) bool // in Unicode 15.0
}{
	{"IsAssigned", IsAssigned, func(r rune) bool { return !unicode.Is(unicode.Cn, r) }},
	{"IsLetter", IsLetter, unicode.IsLetter},
	{"IsLetterOrNumber", IsLetterOrNumber, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }},
	{"IsMark", IsMark, unicode.IsMark},
	{"IsSymbol", IsSymbol, func(r rune) bool { return unicode.In(r, unicode.P, unicode.S) }},
	{"IsSpace", IsSpace, unicode.IsSpace},
	{"IsUnspaced", IsUnspaced, func(r rune) bool {
		return r == 'ー' || r == 'ｰ' || (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)) &&
			unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
	}},
	{"IsCased", IsCased, func(r rune) bool {
		return unicode.IsUpper(r) || unicode.IsLower(r) || unicode.IsTitle(r) || unicode.In(r, unicode.Other_Lowercase, unicode.Other_Uppercase)
	}},
	{"IsCaseIgnorable", IsCaseIgnorable, func(r rune) bool {
		switch r {
		case '\'', '.', ':', '·', '\u0387', '\u055f', '\u05f4', '\u2018', '\u2019', '\u2024', '\u2027', '\ufe13', '\ufe52', '\ufe55', '\uff07', '\uff0e', '\uff1a':
			return true
		}
		return unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk)
	}},
}

// With a toolchain that has Unicode 15.0, the properties of all code points equal those of package
// unicode.
func TestPropertiesAreThoseOfTheStandardLibrary(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Skipf("package unicode is of version %s here", unicode.Version)
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, p := range properties {
			if have, want := p.have(r), p.want(r); have != want {
				t.Errorf("%s(%U): expected %v, got %v", p.name, r, want, have)
			}
		}
		if have, want := ToLower(r), unicode.ToLower(r); have != want {
			t.Errorf("ToLower(%U): expected %U, got %U", r, want, have)
		}
	}
}

// The properties of all code points are equal with every toolchain.
func TestPropertiesAreFrozen(t *testing.T) {
	const want = 0xa33479a472184a76
	sum := crc64.New(crc64.MakeTable(crc64.ECMA))
	for r := rune(0); r <= unicode.MaxRune; r++ {
		lower := ToLower(r)
		line := []byte{byte(lower), byte(lower >> 8), byte(lower >> 16)}
		for _, p := range properties {
			bit := byte(0)
			if p.have(r) {
				bit = 1
			}
			line = append(line, bit)
		}
		sum.Write(line)
	}
	if have := sum.Sum64(); have != want {
		t.Errorf("with tables of Unicode %s: expected the checksum %#x, got %#x", unicode.Version, uint64(want), have)
	}
}

func TestIndexUnassigned(t *testing.T) {
	for _, c := range []struct {
		text     string
		at, size int
	}{
		{"", 0, 0}, {"abc", 3, 0}, {"é漢", 5, 0}, {"\ufffd\ue000", 6, 0}, {"\u0378", 0, 2}, {"é\ua7da", 2, 3}, {"a\U000323afb", 6, 0}, {"a\U000323b0b", 1, 4},
	} {
		if at, size := IndexUnassigned([]byte(c.text)); at != c.at || size != c.size {
			t.Errorf("%q: expected %d and %d, got %d and %d", c.text, c.at, c.size, at, size)
		}
	}
	for r := rune(0); r <= unicode.MaxRune; r++ {
		text := utf8.AppendRune([]byte("a"), r)
		want := len(text)
		if !IsAssigned(r) {
			want = 1
		}
		if at, _ := IndexUnassigned(text); utf8.ValidRune(r) && at != want {
			t.Fatalf("%q: expected %d, got %d", text, want, at)
		}
	}
}
