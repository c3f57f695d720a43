package text

import (
	"fmt"
	"iter"
	"slices"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/english"
	"simhashkit/internal/unicode15"
)

// Analyzer computes the features of texts. It holds scratch memory, so it is for one goroutine at a
// time; use Clone for others.
type Analyzer struct {
	options  Options
	language language
	preparer
	terms terms

	collapsed []byte   // a text with its white space collapsed
	joined    []byte   // words with spaces between them
	ends      []int    // where each of them ends there
	words     [][]byte // of a dictionary
	spans     []span   // of words
	features  [][]byte // of AppendIndices and Batches
	indices   []uint64 // of IndexBatches
}

// New returns an Analyzer of features as the options say. It loads the dictionaries that they ask
// for, which can take seconds the first time.
func New(options Options) (*Analyzer, error) {
	options = options.withDefaults()
	if err := options.check(); err != nil {
		return nil, err
	}
	a := &Analyzer{options: options, preparer: newPreparer(options)}
	if options.Features == Words {
		var err error
		if a.language, err = languageOf(options.Language); err != nil {
			return nil, err
		}
		if options.Plain && (options.Code || a.language.usesDictionary()) {
			return nil, fmt.Errorf("text: plain words are cut without rules: expected no code and no dictionary with them, got %s", options)
		}
		if options.Code && a.language.dictionary != nil {
			return nil, fmt.Errorf("text: lang=%s cuts all texts by its dictionary: expected it without code", options.Language)
		}
		if a.terms, err = newTerms(options, a.language); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Clone returns an Analyzer of the same features for another goroutine. Dictionaries are shared.
func (a *Analyzer) Clone() *Analyzer {
	return &Analyzer{options: a.options, language: a.language, preparer: newPreparer(a.options), terms: a.terms.clone()}
}

// Options returns the definition of the features, without empty fields.
func (a *Analyzer) Options() Options { return a.options }

// Append appends the features of a text to dst, in their order and with repeats, and returns the
// extended slice.
//
// The features are parts of the text, or of memory that the next call of a method of a overwrites:
// they stay valid as long as neither changes. Once a is warm, nothing is allocated for a word,
// except by dictionaries and for the stems of words that are new to it.
func (a *Analyzer) Append(dst [][]byte, text []byte) [][]byte {
	switch a.options.Features {
	case Bytes:
		return appendShingles(dst, a.collapse(text), a.options.N)
	case Characters:
		return appendCharacters(dst, a.collapse(text), a.options.N)
	}
	start := len(dst)
	dst = a.appendWords(dst, a.prepare(text))
	dst = a.terms.replace(dst, start)
	if a.options.N > 1 {
		dst = a.join(dst, start)
	}
	return dst
}

// AppendIndices appends the features of a text as indices: the numbers that up to 8 bytes are in
// little-endian order, as datasets.AppendWindows gives them for 8, and the XXH64 of any other
// feature.
func (a *Analyzer) AppendIndices(dst []uint64, text []byte) []uint64 {
	switch {
	case a.options.Features == Bytes && a.options.N <= 8:
		return appendWindows(dst, a.collapse(text), a.options.N)
	case a.cutsOnly():
		text = a.prepare(text)
		a.spans, _ = a.appendSpans(a.spans[:0], text, 0, len(text))
		return appendHashes(dst, text, a.spans)
	}
	a.features = a.Append(a.features[:0], text)
	dst = slices.Grow(dst, len(a.features))
	for _, feature := range a.features {
		dst = append(dst, xxhash.Sum64(feature))
	}
	return dst
}

// cutsOnly reports whether the features are words as UAX #29 cuts them from a text that is
// prepared.
func (a *Analyzer) cutsOnly() bool {
	return a.options.Features == Words && a.options.N == 1 && a.terms.known == nil && !a.language.usesDictionary()
}

// collapse returns a text as its shingles are cut from it.
func (a *Analyzer) collapse(text []byte) []byte {
	if a.options.Features == Characters || a.nfkc || a.fold {
		text = a.prepare(text)
	}
	a.collapsed = appendCollapsed(a.collapsed[:0], text)
	return a.collapsed
}

// appendWords appends the words of a text that is prepared.
func (a *Analyzer) appendWords(dst [][]byte, text []byte) [][]byte {
	dictionary := a.language.dictionary
	if dictionary == nil && a.language.usesDictionary() {
		dictionary = a.language.dictionaries[a.language.choose(text).Language]
	}
	if dictionary == nil {
		a.spans, _ = a.appendSpans(a.spans[:0], text, 0, len(text))
		return appendSpanned(dst, text, a.spans)
	}
	// Dictionaries have rules for letters that are not in them, by tables of their own: they get no
	// code points that Unicode 15.0 has not assigned, which belong to no word.
	for {
		at, size := unicode15.IndexUnassigned(text)
		a.words = dictionary.AppendWords(a.words[:0], text[:at])
		dst = appendCleaned(dst, a.words)
		if size == 0 {
			return dst
		}
		text = text[at+size:]
	}
}

// appendSpans appends the words of a part of a text that is prepared, without a dictionary.
func (a *Analyzer) appendSpans(dst []span, text []byte, at, before int) ([]span, int) {
	first := len(dst)
	dst, at = appendScanned(dst, text, at, before, a.options.Plain)
	if a.options.Code {
		takeSigns(text, dst[first:])
	}
	return dst, at
}

// join replaces the words from start on by their n-grams: windows of all words, which are joined by
// spaces once.
func (a *Analyzer) join(dst [][]byte, start int) [][]byte {
	a.joined, a.ends = a.joined[:0], a.ends[:0]
	return a.joinOn(dst, start)
}

// joinOn is join with the words before them that are joined already, which are fewer than n.
func (a *Analyzer) joinOn(dst [][]byte, start int) [][]byte {
	words := dst[start:]
	for _, word := range words {
		a.joined = append(a.joined, word...)
		a.ends = append(a.ends, len(a.joined))
		a.joined = append(a.joined, ' ')
	}
	n := a.options.N
	count := max(0, len(a.ends)-n+1)
	from := 0
	for i := range count {
		end := a.ends[i+n-1]
		words[i] = a.joined[from:end:end]
		from = a.ends[i] + 1
	}
	return dst[:start+count]
}

// keepJoined forgets the joined words but for the last few, which the next n-grams begin with.
func (a *Analyzer) keepJoined(few int) {
	forgotten := len(a.ends) - few
	if forgotten <= 0 {
		return
	}
	from := a.ends[forgotten-1] + 1
	a.joined = a.joined[:copy(a.joined, a.joined[from:])]
	a.ends = a.ends[:copy(a.ends, a.ends[forgotten:])]
	for i := range a.ends {
		a.ends[i] -= from
	}
}

// batchBytes is the number of bytes of a text in which the features of a batch begin: few enough to
// stay in the caches, and enough to make the overhead of a batch negligible.
const batchBytes = 16 << 10

// Batches yields the features that Append appends, in the same order, a few thousand at a time: the
// features of a long text take no more memory than those of 16 KB of it. A batch is valid until the
// next one; the bytes of its features last as long as those of Append, unless they are n-grams of
// words.
//
// A dictionary needs the whole text, so its features are one batch. A run of characters without
// spaces is in one batch, too.
func (a *Analyzer) Batches(text []byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		switch {
		case a.options.Features == Bytes:
			a.shingleBatches(a.collapse(text), yield)
		case a.options.Features == Characters:
			a.characterBatches(a.collapse(text), yield)
		case a.language.usesDictionary():
			a.features = a.Append(a.features[:0], text)
			yield(a.features)
		default:
			a.wordBatches(a.prepare(text), yield)
		}
	}
}

// IndexBatches yields the indices that AppendIndices appends, as Batches does features.
func (a *Analyzer) IndexBatches(text []byte) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) {
		switch n := a.options.N; {
		case a.options.Features == Bytes && n <= 8:
			text = a.collapse(text)
			for from := 0; from < len(text); from += batchBytes {
				a.indices = appendWindows(a.indices[:0], text[from:min(from+batchBytes+n-1, len(text))], n)
				if !yield(a.indices) {
					return
				}
			}
			return
		case a.cutsOnly():
			text = a.prepare(text)
			for at := 0; at < len(text); {
				a.spans, at = a.appendSpans(a.spans[:0], text, at, min(at+batchBytes, len(text)))
				a.indices = appendHashes(a.indices[:0], text, a.spans)
				if !yield(a.indices) {
					return
				}
			}
			return
		}
		for features := range a.Batches(text) {
			a.indices = a.indices[:0]
			for _, feature := range features {
				a.indices = append(a.indices, xxhash.Sum64(feature))
			}
			if !yield(a.indices) {
				return
			}
		}
	}
}

// shingleBatches yields the shingles of a text that is collapsed.
func (a *Analyzer) shingleBatches(text []byte, yield func([][]byte) bool) {
	n := a.options.N
	for from := 0; from < len(text); from += batchBytes {
		a.features = appendShingles(a.features[:0], text[from:min(from+batchBytes+n-1, len(text))], n)
		if !yield(a.features) {
			return
		}
	}
}

// characterBatches yields the n-grams of characters of a text that is collapsed.
func (a *Analyzer) characterBatches(text []byte, yield func([][]byte) bool) {
	for from := 0; from < len(text); {
		next := from
		for next < min(from+batchBytes, len(text)) {
			next += characterSize(text[next:])
		}
		end := next // of the n-gram that begins last before next
		for i := 1; i < a.options.N && end < len(text); i++ {
			end += characterSize(text[end:])
		}
		a.features = appendCharacters(a.features[:0], text[from:end], a.options.N)
		if !yield(a.features) {
			return
		}
		from = next
	}
}

// wordBatches yields the words of a text that is prepared, or their n-grams.
func (a *Analyzer) wordBatches(text []byte, yield func([][]byte) bool) {
	n := a.options.N
	a.keepJoined(0)
	for at := 0; at < len(text); {
		a.spans, at = a.appendSpans(a.spans[:0], text, at, min(at+batchBytes, len(text)))
		a.features = a.terms.replace(appendSpanned(a.features[:0], text, a.spans), 0)
		if n > 1 {
			a.keepJoined(n - 1)
			a.features = a.joinOn(a.features, 0)
		}
		if !yield(a.features) {
			return
		}
	}
}

// Choice is how a text is classified, and why.
type Choice struct {
	Language string // "zh" or "ja" for a text of their letters; else empty
	ByWords  bool   // whether a dictionary cuts the text
	Letters  int    // letters of the text, of all scripts
	Unspaced int    // those of scripts without spaces between words
	Han      int    // those of them that are Chinese characters
	Kana     int    // and those that are Japanese syllables
}

// Choose classifies a text.
func (a *Analyzer) Choose(text []byte) Choice {
	c := a.language.choose(a.prepare(text))
	c.ByWords = a.language.dictionary != nil || a.language.dictionaries[c.Language] != nil
	return c
}

// add counts a letter that is not ASCII.
func (c *Choice) add(r rune) {
	switch {
	case !IsUnspaced(r):
		if unicode15.IsLetter(r) {
			c.Letters++
		}
		return
	case r >= 0x3041 && r <= 0x30FF, unicode15.IsKana(r), r == 'ｰ':
		c.Kana++
	case unicode15.IsHan(r):
		c.Han++
	}
	c.Letters++
	c.Unspaced++
}

// String says it in a sentence.
func (c Choice) String() string {
	switch {
	case c.ByWords && c.Language == "":
		return "words by the dictionary that was asked for"
	case c.ByWords:
		return fmt.Sprintf("words by dictionary: %s", c.why())
	case c.Unspaced == 0:
		return "words by UAX #29: no letters of scripts without spaces"
	}
	return fmt.Sprintf("words by UAX #29, and every two neighbouring characters where there are no spaces: %s", c.why())
}

func (c Choice) why() string {
	share := func(n int) string { return english.Hundred(float64(n) / float64(c.Letters)) }
	return fmt.Sprintf("%s%% of the letters are Chinese characters, %s%% kana", share(c.Han), share(c.Kana))
}

// choose counts letters. A text is Chinese or Japanese if half of its letters or more are, and
// Japanese if kana are a tenth of these: Chinese texts quote a little of it, and no Japanese text
// does with less.
func (l *language) choose(text []byte) (c Choice) {
	for at := 0; at < len(text); {
		if b := text[at]; b < utf8.RuneSelf {
			c.Letters += int(classesOf[b] & letter)
			at++
			continue
		}
		r, size := utf8.DecodeRune(text[at:])
		c.add(r)
		at += size
	}
	if 2*(c.Han+c.Kana) >= c.Letters && c.Han+c.Kana > 0 {
		c.Language = "zh"
		if 10*c.Kana >= c.Han+c.Kana {
			c.Language = "ja"
		}
	}
	return c
}
