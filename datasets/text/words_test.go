package text

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"
	"github.com/clipperhouse/uax29/v2/words"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/unicode15"
)

// referenceWords is a reference for the words of a text, using the library and plain loops.
func referenceWords(text []byte) (list []string) {
	var run []byte
	flush := func() {
		var characters []string
		for at := 0; at < len(run); {
			r, size := utf8.DecodeRune(run[at:])
			if unicode15.IsUnspaced(r) || at == 0 {
				characters = append(characters, "")
			}
			characters[len(characters)-1] += string(run[at : at+size])
			at += size
		}
		// marks before the first letter belong to its word
		if len(characters) > 1 && !bytes.ContainsFunc([]byte(characters[0]), unicode15.IsUnspaced) {
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
		isSpaced := func(r rune) bool { return isNumberOrLetter(r) && !unicode15.IsUnspaced(r) }
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

// pieces are strings for which UAX #29 has rules.
var pieces = []string{
	"a", "B", "1", "_", ":", ".", "'", ",", ";", "\"", " ", "  ", "\t", "\r\n", "\n", "é", "\u0301", "\u200d", "\u00ad", "א", "カ", "ー", "ひ", "漢", "々", "〇", "한", "ไ", "ย", "่", "๑",
	"ℹ", "😀", "🇩", "\u3000", "’", "٣", "·", "…", "\ufffd", "\u0085", "゙", "ꓸ", "🄰", "１",
}

// Words equal those of the library for all texts of up to three pieces and for random longer ones.
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

// representatives have one character per class that the word rules distinguish, both ASCII and
// non-ASCII.
var representatives = []string{
	"a", "1", "_", ":", ".", "'", ",", "\"", " ", "\n", "\r", "-", // ";" has the class of ","
	"é", "\u0301", "\u200d", "א", "カ", "漢", "ไ", "😀", "🇩",
}

// Words equal those of the library, and plain words those of the naive loop, for all texts of up to
// four representatives (five in long tests). The texts are tested alone and across the ends of
// blocks and scanned ranges.
func TestWordsOfAllClasses(t *testing.T) {
	most := 4
	if long.Enabled() {
		most = 5
	}
	filler := strings.Repeat("a  b ", scanBytes)
	var check func(text string, more int)
	check = func(text string, more int) {
		for _, before := range []int{0, blockSize, scanBytes} {
			if before < scanBytes || more > 0 { // the longest are slow
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

// Words equal those of the library for longer, mostly ASCII texts of many blocks. They do not
// change if the text is split at segment borders.
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

// Every byte value at every position is classified correctly, in groups of eight bytes and alone.
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
		text = []byte(string([]rune(string(text))))
		checkWords(t, text)
		checkWords(t, append(filler[:scanBytes-len(text)%8:scanBytes], text...))
	})
}

// IsUnspaced returns true only for letters and signs of scripts without spaces.
func TestUnspacedLetters(t *testing.T) {
	for r := rune(0); r <= unicode.MaxRune; r++ {
		scripts := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
		letter := (unicode.IsLetter(r) || unicode.Is(unicode.Nl, r)) && unicode15.IsAssigned(r)
		want := scripts && letter || r == 'ー' || r == 'ｰ'
		if unicode15.IsUnspaced(r) != want {
			t.Errorf("%U: expected %v", r, want)
		}
	}
}

// Splitting a text into parts does not change its words.
func TestWordsOfParts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	more := append(slices.Clone(pieces), "+", "#", "++", ".", "C++", ".NET", " ", " ")
	var a Analyzer
	for range 20_000 {
		var text []byte
		for range r.IntN(40) {
			text = append(text, more[r.IntN(len(more))]...)
		}
		var parts []span
		for at := 0; at < len(text); {
			parts, at = a.appendSpans(parts, text, at, min(at+1+r.IntN(20), len(text)))
		}
		if want := spansOf(text); !slices.Equal(parts, want) {
			t.Fatalf("%q in parts: %v, want %v", text, parts, want)
		}
	}
}

// naivePlain finds the plain words of a text, character by character. A character that is not a
// letter, digit or mark ends a word. Each character of a script without spaces is a word, and with
// symbols each symbol.
func naivePlain(text string, symbols bool) []string {
	var words []string
	open := byte(0) // 'w' inside a word, 'c' after a one-character word
	for _, r := range text {
		switch {
		case unicode15.IsMark(r) && open > 0:
			words[len(words)-1] += string(r)
		case unicode15.IsUnspaced(r), symbols && unicode15.IsSymbol(r):
			words, open = append(words, string(r)), 'c'
		case isLetterOrNumber(r) && open == 'w':
			words[len(words)-1] += string(r)
		case isLetterOrNumber(r):
			words, open = append(words, string(r)), 'w'
		default:
			open = 0
		}
	}
	return words
}

// naiveCharacters splits plain words into characters with their marks, if more than half of the
// words without symbols are characters of scripts without spaces.
func naiveCharacters(text string, symbols bool) []string {
	words, unspaced := naivePlain(text, symbols), 0
	letters := naivePlain(text, false)
	for _, word := range letters {
		if first, _ := utf8.DecodeRuneInString(word); unicode15.IsUnspaced(first) {
			unspaced++
		}
	}
	if 2*unspaced <= len(letters) {
		return words
	}
	var characters []string
	for _, word := range words {
		for i, r := range word {
			if i > 0 && unicode15.IsMark(r) {
				characters[len(characters)-1] += string(r)
			} else {
				characters = append(characters, string(r))
			}
		}
	}
	return characters
}

func checkPlain(t *testing.T, text string) {
	t.Helper()
	spans, _ := appendScanned(nil, []byte(text), 0, len(text), true)
	want := naivePlain(text, false)
	if !slices.EqualFunc(spans, want, func(s span, word string) bool { return text[s.From:s.To] == word }) {
		t.Fatalf("plain words of %q: expected %q, got %v", text, want, spans)
	}
}

func TestPlain(t *testing.T) {
	a, err := New(Options{Plain: true, Fold: true})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"Abraham\u2019s, Abraham's": "abraham|s|abraham|s",
		"上海の天気":                     "上|海|の|天|気",
		"Go は速い, A-1":               "go|は|速|い|a|1",
		"a上b3.14_x":                 "a|上|b3|14|x",
		"…":                         "",
		"か\u3099き\u3099ア":           "か\u3099|き\u3099|ア",
		"e\u0301a \u0301b":          "e\u0301a|b",
	} {
		if got := string(bytes.Join(a.Append(nil, []byte(text)), []byte("|"))); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if o, err := ParseOptions("words,fold,plain"); err != nil || !o.Plain || o.String() != "words,n=1,lang=auto,fold,plain" {
		t.Errorf("%v, %v", o, err)
	}
}

// Plain words and their hashes equal those of the naive loop, in one piece and in batches.
func FuzzPlain(f *testing.F) {
	for _, text := range []string{"don't stop", "上海 has 3 \u0301 signs\u0301", "\xff\u3099か_ー", "ab\u0301c\u200dd", "上海 ha\u0301b +\u0301", "日本語 a, b", "if (a <= b) { c++; } // “x”\x7f☺\ufe0f"} {
		f.Add(text, false)
		f.Add(text, true)
	}
	f.Fuzz(func(t *testing.T, text string, symbols bool) {
		a, err := New(Options{Plain: true, Fold: true, Symbols: symbols})
		if err != nil {
			t.Fatal(err)
		}
		want := naiveCharacters(string(a.Clone().prepare([]byte(text))), symbols)
		got := a.Append(nil, []byte(text))
		if !slices.EqualFunc(got, want, func(b []byte, s string) bool { return string(b) == s }) {
			t.Fatalf("%q: %q, want %q", text, got, want)
		}
		for i, index := range a.AppendIndices(nil, []byte(text)) {
			if index != xxhash.Sum64String(want[i]) {
				t.Fatalf("%q: index %d is not from %q", text, i, want[i])
			}
		}
		if len(text)%8 > 0 { // the rest is much slower
			return
		}
		long, n := []byte(text), 0
		for len(text) > 0 && len(long) < batchBytes+100 {
			long = append(append(long, ' '), text...)
		}
		for batch := range a.IndexBatches(long) {
			n += len(batch)
		}
		if whole := len(a.AppendIndices(nil, long)); n != whole {
			t.Fatalf("%q: %d words in batches, %d in one piece", text, n, whole)
		}
	})
}

// TestHashes checks that each part of a text has the library's hash, for all lengths and distances
// from the end of the text.
func TestHashes(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	text := make([]byte, 120)
	for i := range text {
		text[i] = byte(r.Uint32())
	}
	var spans []span
	for from := range len(text) + 1 {
		for to := from; to <= len(text); to++ {
			spans = append(spans, span{From: from, To: to})
		}
	}
	got := appendHashes([]uint64{5}, text, spans)
	if len(got) != 1+len(spans) || got[0] != 5 {
		t.Fatalf("%d hashes after %d, want %d", len(got)-1, got[0], len(spans))
	}
	for i, s := range spans {
		if want := xxhash.Sum64(text[s.From:s.To]); got[1+i] != want {
			t.Fatalf("bytes %d to %d of %d: %x, want %x", s.From, s.To, len(text), got[1+i], want)
		}
	}
}
