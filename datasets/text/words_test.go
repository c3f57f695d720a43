package text

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/unicode15"
)

// referenceWords is the contract of words, by the library and plain loops.
func referenceWords(text []byte) (list []string) {
	var run []byte
	flush := func() {
		var characters []string
		for at := 0; at < len(run); {
			r, size := utf8.DecodeRune(run[at:])
			if IsUnspaced(r) || at == 0 {
				characters = append(characters, "")
			}
			characters[len(characters)-1] += string(run[at : at+size])
			at += size
		}
		// marks before the first letter belong to it
		if len(characters) > 1 && !bytes.ContainsFunc([]byte(characters[0]), IsUnspaced) {
			characters[1] = characters[0] + characters[1]
			characters = characters[1:]
		}
		for i := range characters {
			if i > 0 {
				list = append(list, characters[i-1]+characters[i])
			}
		}
		if len(characters) == 1 {
			list = append(list, characters[0])
		}
		run = nil
	}
	for tokens := words.FromBytes(text); tokens.Next(); {
		token := tokens.Value()
		isNumberOrLetter := func(r rune) bool { return unicode15.IsLetterOrNumber(r) }
		isSpaced := func(r rune) bool { return isNumberOrLetter(r) && !IsUnspaced(r) }
		switch {
		case !bytes.ContainsFunc(token, isNumberOrLetter):
			flush()
		case bytes.ContainsFunc(token, isSpaced):
			flush()
			list = append(list, string(bytes.TrimLeftFunc(token, func(r rune) bool { return r <= ' ' })))
		default:
			run = append(run, token...)
		}
	}
	flush()
	return list
}

// spansOf returns the words of a text.
func spansOf(text []byte) []span {
	list, _ := appendScanned(nil, text, 0, len(text), false)
	return list
}

func checkWords(t *testing.T, text []byte) {
	t.Helper()
	var got []string
	for _, s := range spansOf(text) {
		got = append(got, string(text[s.From:s.To]))
	}
	if want := referenceWords(text); !slices.Equal(got, want) {
		t.Fatalf("words of %q: expected %q, got %q", text, want, got)
	}
}

// pieces are what UAX #29 has rules for.
var pieces = []string{
	"a", "B", "1", "_", ":", ".", "'", ",", ";", "\"", " ", "  ", "\t", "\r\n", "\n", "é", "\u0301", "\u200d", "\u00ad", "א", "カ", "ー", "ひ", "漢", "々", "〇", "한", "ไ", "ย", "่", "๑",
	"ℹ", "😀", "🇩", "\u3000", "’", "٣", "·", "…", "\ufffd", "\u0085", "゙", "ꓸ", "🄰", "１",
}

// Words of all texts of up to three pieces, and of seeded longer ones, are the library's.
func TestWordsAreThoseOfTheLibrary(t *testing.T) {
	for _, a := range pieces {
		for _, b := range pieces {
			for _, c := range pieces {
				checkWords(t, []byte(a+b+c))
			}
		}
	}
	state := uint64(1)
	for range 20_000 {
		var text []byte
		for range 12 {
			state = state*6364136223846793005 + 1442695040888963407
			text = append(text, pieces[state>>33%uint64(len(pieces))]...)
		}
		checkWords(t, text)
	}
}

// representatives have one character for each class that the rules for words know, and for each of
// ASCII.
var representatives = []string{
	"a", "1", "_", ":", ".", "'", ",", "\"", " ", "\n", "\r", "-", // ";" is of the class of ","
	"é", "\u0301", "\u200d", "א", "カ", "漢", "ไ", "😀", "🇩",
}

// Words of every text of up to four representatives, of five in long tests, are the library's, and
// plain words those of the naive loop: the text alone, and across the end of a block and of what is
// scanned at once.
func TestWordsOfAllClasses(t *testing.T) {
	most := 4
	if long.Enabled() {
		most = 5
	}
	filler := strings.Repeat("a  b ", scanBytes)
	var check func(text string, more int)
	check = func(text string, more int) {
		for _, before := range []int{0, blockSize, scanBytes} {
			if before < scanBytes || more > 0 { // the longest take a while
				whole := filler[:max(0, before-2)] + text
				checkWords(t, []byte(whole))
				checkPlain(t, whole)
			}
		}
		for _, symbol := range representatives[:len(representatives)*min(more, 1)] {
			check(text+symbol, more-1)
		}
	}
	check("", most)
}

// Words of texts that are longer than the blocks that are looked at at once, mostly of ASCII, are
// the library's, and those of a text that is cut where segments begin are those of the whole.
func TestWordsOfManyBlocks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ends := []string{" ", " ", " ", ". ", ", ", "  ", "\r\n", "'", "-", "'s ", ".5 ", "_", ":", ";", " é ", "é", " \u0301", "\u0301 ", " 漢字", "\"", "..", "\t_", " :\u200dℹ"}
	for round := range 20_000 {
		var text []byte
		for range 1 + r.IntN(30) {
			for range r.IntN([]int{2, 9, 20, 90}[r.IntN(4)]) {
				text = append(text, "aZ09bcde"[r.IntN(8)])
			}
			text = append(text, ends[r.IntN(len(ends)*(1+round%3)/3)]...)
		}
		checkWords(t, text)
		want := spansOf(text)
		var got []span
		for at := 0; at < len(text); {
			before := min(at+1+r.IntN(100), len(text))
			got, at = appendScanned(got, text, at, before, false)
			if n := len(got); n > 0 && isASCII(text) && got[n-1].From >= before {
				t.Fatalf("the word %v of %q does not begin before %d", got[n-1], text, before)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("words of %q in parts: expected %v, got %v", text, want, got)
		}
	}
}

// Every byte at every place among others, where eight are looked at and where one is.
func TestEightBytesAtOnce(t *testing.T) {
	for size := range 20 {
		for place := range size {
			for b := range 256 {
				for _, around := range []byte{'a', 'Z', '0'} {
					text := bytes.Repeat([]byte{around}, size)
					text[place] = byte(b)
					want := size
					if !bytes.ContainsRune([]byte("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"), rune(b)) {
						want = place
					}
					if got := alphanumerics(text); got != want {
						t.Fatalf("alphanumerics(%q): expected %d, got %d", text, want, got)
					}
				}
			}
		}
	}
}

func isASCII(text []byte) bool {
	return !bytes.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

func FuzzWords(f *testing.F) {
	for _, seed := range []string{"don't 3.14 foo_bar a:b 1,0", "  \u200dℹ", "ー漢字かな カ_abc", "a.é 1.٣ ไทย"} {
		f.Add([]byte(seed))
	}
	filler := bytes.Repeat([]byte("a  b "), scanBytes)
	f.Fuzz(func(t *testing.T, text []byte) {
		text = appendValid(nil, text)
		checkWords(t, text)
		checkWords(t, append(filler[:scanBytes-len(text)%8:scanBytes], text...))
	})
}

// What is said to be a letter without spaces is one.
func TestUnspacedLetters(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		scripts := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
		letter := (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)) && unicode15.IsAssigned(r)
		want := scripts && letter || r == 'ー' || r == 'ｰ'
		if IsUnspaced(r) != want {
			t.Errorf("%U: expected %v", r, want)
		}
	}
}
