package similarity

import (
	"bytes"
	"encoding/binary"
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
	"simhashkit/internal/unicode15"
)

// Traits are hashes of those parts of a text that change its meaning while its similarity to
// another text hardly changes, or not at all: its symbols, numbers and negations, each in their
// order.
//
// Symbols are punctuation, operators and other signs, with their places between the words. A number
// is a word with a digit. A minus sign and a decimal point before it belong to it, and so does a
// full stop or a comma between two numbers, as in 3.14. Negations are words such as not, without
// and never; n't and cannot are the negation not. The languages are those of negations, whatever
// the language of the text. Case does not count.
type Traits struct{ Symbols, Numbers, Negations uint64 }

// Differences is a set of traits in which two texts differ.
type Differences uint8

// The elements of Differences.
const (
	InSymbols Differences = 1 << iota
	InNumbers
	InNegations
)

// String returns the last difference: "punctuation", "number" or "negation"; "" if there is none.
func (d Differences) String() string {
	return [...]string{"", "punctuation", "number", "negation"}[bits.Len8(uint8(d))]
}

// Differences returns the traits in which two texts differ in a way that their similarity hardly
// weighs. equal says that their words are equal. Only then symbols count, and an apostrophe alone
// makes no negation: don't and don t.
func (t Traits) Differences(other Traits, equal bool) (d Differences) {
	if equal && t.Symbols != other.Symbols {
		d |= InSymbols
	}
	if t.Numbers != other.Numbers {
		d |= InNumbers
	}
	if !equal && t.Negations != other.Negations {
		d |= InNegations
	}
	return d
}

// negations are the words that negate, by language.
var negations = map[string]string{
	"en": "no not never none without neither nor nobody nothing",
	"de": "nicht nie niemals ohne kein keine keinem keinen keiner keines",
	"es": "no nunca jamás sin ni ningún ninguno ninguna nada nadie tampoco",
	"fr": "ne pas jamais sans ni aucun aucune rien",
	"hu": "nem ne sem soha nincs sincs nélkül",
	"it": "non mai senza nessuno nessuna",
	"no": "ikke ikkje aldri uten ingen intet",
	"pt": "não nunca sem jamais nenhum nenhuma",
	"ru": "не нет ни никогда без нельзя",
	"sv": "inte aldrig utan ingen inget inga ej icke",
}

// unspacedNegations are those of Chinese and Japanese, by their first character. They are found in
// any place, since there are no spaces between words.
var unspacedNegations = map[rune][]string{
	'不': {"不"}, '没': {"没"}, '沒': {"沒"}, '未': {"未"}, '无': {"无"}, '無': {"無"}, 'な': {"ない", "なかっ"}, 'ま': {"ません"},
}

// negation has the form by which a negation is hashed.
var negation = func() map[string]string {
	all := map[string]string{"cannot": "not"}
	for _, words := range negations {
		for word := range strings.FieldsSeq(words) {
			all[word] = word
		}
	}
	return all
}()

// mayNegate has for the first byte of a word, in either case, a bit for each number of bytes that a
// negation with this byte has. Most words need no other look.
var mayNegate = func() (lengths [256]uint32) {
	lengths['t'], lengths['T'] = 1<<1, 1<<1 // of n't
	for word := range negation {
		for _, first := range []byte{word[0], strings.ToUpper(word)[0]} {
			lengths[first] |= 1 << len(word)
		}
	}
	return lengths
}()

// TraitReader computes the Traits of texts. It has buffers, so it must not be used concurrently.
// The zero value is ready to use.
type TraitReader struct {
	text      []byte
	symbols   []byte // each symbol after the number of words since the symbol before
	numbers   []byte // with a zero byte before each
	negations []byte // with a zero byte before each
	folded    []byte
	words     uint64 // since the last symbol
	numberEnd int    // end of the last number, or -1
}

// Of returns the Traits of a text. It takes linear time.
func (r *TraitReader) Of(text []byte) Traits {
	r.text, r.words, r.numberEnd = text, 0, -1
	r.symbols, r.numbers, r.negations = r.symbols[:0], r.numbers[:0], r.negations[:0]
	for at := 0; at < len(text); {
		switch classes[text[at]] {
		case other:
			at++
		case symbol:
			r.symbol(text[at : at+1])
			at++
		case beyond:
			at = r.beyondASCII(at)
		default:
			at = r.word(at)
		}
	}
	r.text = nil
	return Traits{xxhash.Sum64(r.symbols), xxhash.Sum64(r.numbers), xxhash.Sum64(r.negations)}
}

// The classes of bytes.
const (
	letter byte = 1 << iota
	digit
	symbol
	beyond     // not ASCII
	other  = 0 // white space and control characters
)

var classes = func() (classes [256]byte) {
	for i := range classes {
		switch b := byte(i); {
		case b >= utf8.RuneSelf:
			classes[b] = beyond
		case b >= '0' && b <= '9':
			classes[b] = digit
		case b|0x20 >= 'a' && b|0x20 <= 'z':
			classes[b] = letter
		case b > ' ' && b < 0x7F:
			classes[b] = symbol
		}
	}
	return classes
}()

// beyondASCII takes the non-ASCII character at a position, or the word that it begins, and returns
// the position after it.
func (r *TraitReader) beyondASCII(at int) int {
	c, size := utf8.DecodeRune(r.text[at:])
	switch {
	case text.IsUnspaced(c):
		r.words++
		for _, form := range unspacedNegations[c] {
			if bytes.HasPrefix(r.text[at:], []byte(form)) {
				r.negations = append(append(r.negations, 0), form...)
			}
		}
	case unicode15.IsLetterOrNumber(c):
		return r.word(at)
	case unicode15.IsSymbol(c):
		r.symbol(r.text[at : at+size])
	}
	return at + size
}

func (r *TraitReader) symbol(s []byte) {
	r.symbols = append(binary.AppendUvarint(r.symbols, r.words), s...)
	r.words = 0
}

// word takes the word that begins at a position, and returns the position after it.
func (r *TraitReader) word(from int) (to int) {
	all, number := r.text, false
	for to = from; ; {
		var seen byte
		for to < len(all) && classes[all[to]]&(letter|digit) != 0 {
			seen |= classes[all[to]]
			to++
		}
		number = number || seen&digit != 0
		if to == len(all) || classes[all[to]] != beyond {
			break
		}
		c, size := utf8.DecodeRune(all[to:])
		inWord := unicode15.IsLetterOrNumber(c)
		if text.IsUnspaced(c) || !inWord && !unicode15.IsMark(c) {
			break
		}
		number = number || inWord && !unicode15.IsLetter(c)
		to += size
	}
	r.words++
	switch {
	case number:
		r.number(from, to)
	case to-from < 32 && mayNegate[all[from]]>>(to-from)&1 == 1:
		r.negation(from, to)
	}
	return to
}

// number adds a number.
func (r *TraitReader) number(from, to int) {
	before := r.text[:from]
	if joined := r.numberEnd >= 0 && from == r.numberEnd+1 && (before[from-1] == '.' || before[from-1] == ','); joined {
		r.numbers = append(r.numbers, before[from-1])
	} else {
		r.numbers = append(r.numbers, 0)
		point := false
		if n := len(before); n > 0 && before[n-1] == '.' {
			if sign, size := minus(before[:n-1]); size > 0 || beginsNumber(sign) {
				point, before = true, before[:n-1]
			}
		}
		if sign, size := minus(before); size > 0 && beginsNumber(sign) {
			r.numbers = append(r.numbers, '-')
		}
		if point {
			r.numbers = append(r.numbers, '.')
		}
	}
	r.numbers = append(r.numbers, r.fold(from, to)...)
	r.numberEnd = to
}

// minus returns a text without the minus sign at its end, and the size of that sign, or 0.
func minus(text []byte) (before []byte, size int) {
	switch c, size := utf8.DecodeLastRune(text); c {
	case '-', '\u2212', '–':
		return text[:len(text)-size], size
	}
	return text, 0
}

// beginsNumber reports whether a sign or a decimal point after a text belongs to the number that
// follows: after white space, an opening bracket or an equals sign.
func beginsNumber(text []byte) bool {
	c, size := utf8.DecodeLastRune(text)
	return size == 0 || unicode15.IsSpace(c) || strings.ContainsRune("([{=", c)
}

// negation adds a word if it is a negation.
func (r *TraitReader) negation(from, to int) {
	form := negation[string(r.fold(from, to))]
	if form == "" && to == from+1 && r.text[from]|0x20 == 't' && endsInN(r.text[:from]) {
		form = "not"
	}
	if form != "" {
		r.negations = append(append(r.negations, 0), form...)
	}
}

// endsInN reports whether a text ends in an n and an apostrophe.
func endsInN(text []byte) bool {
	c, size := utf8.DecodeLastRune(text)
	text = text[:len(text)-size]
	return strings.ContainsRune("'’‘´`", c) && len(text) > 0 && text[len(text)-1]|0x20 == 'n'
}

// fold returns a word in lower case, valid until the next call.
func (r *TraitReader) fold(from, to int) []byte {
	r.folded = slices.Grow(r.folded[:0], to-from)
	for at := from; at < to; {
		b := r.text[at]
		if b < utf8.RuneSelf {
			if b >= 'A' && b <= 'Z' {
				b |= 0x20
			}
			r.folded = append(r.folded, b)
			at++
			continue
		}
		c, size := utf8.DecodeRune(r.text[at:])
		r.folded = utf8.AppendRune(r.folded, unicode15.ToLower(c))
		at += size
	}
	return r.folded
}
