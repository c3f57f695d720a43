package text

import (
	"fmt"
	"iter"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/unicode15"
)

// Analyzer computes the features of texts. It holds scratch memory, so it is not safe for
// concurrent use; call Clone for each further goroutine.
type Analyzer struct {
	options  Options
	language language
	preparer
	terms terms

	collapsed []byte   // text with white space collapsed
	joined    []byte   // words with spaces between them
	ends      []int    // end of each word in joined
	words     [][]byte // words from a dictionary
	spans     []span   // positions of words
	whole     []span   // positions of words before they are split into characters
	split     bool     // whether the words of this text are split into characters
	features  [][]byte // features in AppendIndices and Batches
	indices   []uint64 // indices in IndexBatches
	numberer
}

// New returns an Analyzer with the given options. It loads the dictionaries they need, which can
// take seconds the first time.
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
		if options.Plain && (options.Code || a.language.dictionary != nil) {
			return nil, fmt.Errorf("text: plain words cannot be combined with code or a dictionary: got %s", options)
		}
		if options.Code && a.language.dictionary != nil {
			return nil, fmt.Errorf("text: lang=%s cannot be combined with code, since its dictionary splits all texts", options.Language)
		}
		if a.terms, err = newTerms(options, a.language); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Clone returns an Analyzer with the same options for another goroutine. Dictionaries are shared.
func (a *Analyzer) Clone() *Analyzer {
	return &Analyzer{options: a.options, language: a.language, preparer: newPreparer(a.options), terms: a.terms.clone()}
}

// Options returns the options with defaults filled in.
func (a *Analyzer) Options() Options { return a.options }

// Append appends the features of a text to dst, in text order and with repeats, and returns the
// extended slice.
//
// The features are slices of the text or of memory of the Analyzer. They are valid until the text
// changes or another method of the Analyzer is called. Once its buffers have grown, Append
// allocates nothing per word, except in dictionaries and for the stems of new words.
func (a *Analyzer) Append(dst [][]byte, text []byte) [][]byte {
	switch a.options.Features {
	case Bytes:
		return appendShingles(dst, a.collapse(text), a.options.N)
	case Characters:
		return appendCharacters(dst, a.collapse(text), a.options.N)
	}
	start := len(dst)
	dst = a.appendWords(dst, a.prepareWords(text))
	dst = a.terms.replace(dst, start)
	if a.options.N > 1 {
		dst = a.join(dst, start)
	}
	if a.options.Numbered {
		a.numberer.reset(len(dst) - start)
		a.numberer.number(dst[start:])
	}
	return dst
}

// AppendIndices appends the features of a text as indices. A feature of up to 8 bytes is read as a
// little-endian number. The index of a longer feature is its XXH64.
func (a *Analyzer) AppendIndices(dst []uint64, text []byte) []uint64 {
	switch {
	case a.options.Features == Bytes && a.options.N <= 8:
		return appendWindows(dst, a.collapse(text), a.options.N)
	case a.cutsOnly():
		text = a.prepareWords(text)
		a.spans, _ = a.appendSpans(a.spans[:0], text, 0, len(text))
		if a.options.Numbered {
			a.numberer.reset(len(a.spans))
		}
		return a.appendCodes(dst, text)
	}
	a.features = a.Append(a.features[:0], text)
	dst = slices.Grow(dst, len(a.features))
	for _, feature := range a.features {
		dst = append(dst, xxhash.Sum64(feature))
	}
	return dst
}

// cutsOnly reports whether the features are exactly the words that UAX #29 finds in a prepared
// text.
func (a *Analyzer) cutsOnly() bool {
	return a.options.Features == Words && a.options.N == 1 && a.terms.known == nil && a.language.dictionary == nil
}

// collapse returns a prepared text with its white space collapsed, the input for shingles and
// n-grams of characters.
func (a *Analyzer) collapse(text []byte) []byte {
	if a.options.Features == Characters || a.nfkc || a.fold {
		text = a.prepare(text)
	}
	a.collapsed = appendCollapsed(a.collapsed[:0], text)
	return a.collapsed
}

// appendWords appends the words of a prepared text.
func (a *Analyzer) appendWords(dst [][]byte, text []byte) [][]byte {
	if a.language.dictionary == nil {
		a.spans, _ = a.appendSpans(a.spans[:0], text, 0, len(text))
		return appendSpanned(dst, text, a.spans)
	}
	// Dictionaries have their own rules for unknown letters. Code points not assigned in Unicode
	// 15.0 belong to no word, so dictionaries do not get them.
	for {
		at, size := unicode15.IndexUnassigned(text)
		a.words = a.language.dictionary.AppendWords(a.words[:0], text[:at])
		dst = appendCleaned(dst, a.words)
		if size == 0 {
			return dst
		}
		text = text[at+size:]
	}
}

// appendCodes appends the XXH64 of the features at a.spans, which are words.
func (a *Analyzer) appendCodes(dst []uint64, text []byte) []uint64 {
	first := len(dst)
	dst = appendHashes(dst, text, a.spans)
	if a.options.Numbered {
		a.numberer.numberCodes(dst[first:], text, a.spans)
	}
	return dst
}

// prepareWords prepares a text for appendSpans.
func (a *Analyzer) prepareWords(text []byte) []byte {
	text = a.prepare(text)
	a.split = a.options.Plain && a.isUnspaced(text)
	return text
}

// isUnspaced reports whether more than half of the plain words of a prepared text are characters of
// scripts without spaces.
func (a *Analyzer) isUnspaced(text []byte) bool {
	characters, others := countUnspaced(text)
	if characters == 0 || characters > others {
		return characters > 0
	}
	words := 0
	for at := 0; at < len(text) && words < 2*characters; {
		a.spans, at = appendScanned(a.spans[:0], text, at, min(at+batchBytes, len(text)), true)
		words += len(a.spans)
	}
	return 2*characters > words
}

// appendSpans appends the words of text[at:before], without a dictionary.
func (a *Analyzer) appendSpans(dst []span, text []byte, at, before int) ([]span, int) {
	if a.split {
		a.whole, at = a.appendWhole(a.whole[:0], text, at, before)
		return appendCharacterSpans(dst, text, a.whole), at
	}
	first := len(dst)
	dst, at = a.appendWhole(dst, text, at, before)
	if a.options.Code {
		takeSigns(text, dst[first:])
	}
	return dst, at
}

// appendWhole is appendSpans before words are split into characters and take signs.
func (a *Analyzer) appendWhole(dst []span, text []byte, at, before int) ([]span, int) {
	if a.options.Symbols {
		return appendPlain(dst, text, at, before, true)
	}
	return appendScanned(dst, text, at, before, a.options.Plain)
}

// join replaces the words from start on by their n-grams. It joins all words with spaces once; the
// n-grams are slices of the result.
func (a *Analyzer) join(dst [][]byte, start int) [][]byte {
	a.joined, a.ends = a.joined[:0], a.ends[:0]
	return a.joinOn(dst, start)
}

// joinOn is join for words that follow fewer than n words joined before.
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

// keepJoined drops all joined words but the last few, which begin the next n-grams.
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

// batchBytes is the number of text bytes that one batch covers: few enough for the caches, and
// enough to make the overhead of a batch negligible.
const batchBytes = 16 << 10

// Batches yields the features of Append in the same order, a few thousand at a time, so a long text
// needs no more memory than 16 KB of it. A batch is valid until the next one. The bytes of its
// features stay valid as long as those of Append, except for n-grams of words.
//
// A dictionary needs the whole text, so its features form one batch. A run of characters without
// spaces is never split between batches.
func (a *Analyzer) Batches(text []byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) {
		switch {
		case a.options.Features == Bytes:
			a.shingleBatches(a.collapse(text), yield)
		case a.options.Features == Characters:
			a.characterBatches(a.collapse(text), yield)
		case a.language.dictionary != nil:
			a.features = a.Append(a.features[:0], text)
			yield(a.features)
		default:
			a.wordBatches(a.prepareWords(text), yield)
		}
	}
}

// IndexBatches yields the indices of AppendIndices in batches, like Batches.
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
			text = a.prepareWords(text)
			a.numberer.reset(0)
			for at := 0; at < len(text); {
				a.spans, at = a.appendSpans(a.spans[:0], text, at, min(at+batchBytes, len(text)))
				a.indices = a.appendCodes(a.indices[:0], text)
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

// shingleBatches yields the shingles of a collapsed text.
func (a *Analyzer) shingleBatches(text []byte, yield func([][]byte) bool) {
	n := a.options.N
	for from := 0; from < len(text); from += batchBytes {
		a.features = appendShingles(a.features[:0], text[from:min(from+batchBytes+n-1, len(text))], n)
		if !yield(a.features) {
			return
		}
	}
}

// characterBatches yields the n-grams of characters of a collapsed text.
func (a *Analyzer) characterBatches(text []byte, yield func([][]byte) bool) {
	for from := 0; from < len(text); {
		next := from
		for next < min(from+batchBytes, len(text)) {
			next += characterSize(text[next:])
		}
		end := next // end of the last n-gram that begins before next
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

// wordBatches yields the words of a prepared text, or their n-grams.
func (a *Analyzer) wordBatches(text []byte, yield func([][]byte) bool) {
	n := a.options.N
	a.keepJoined(0)
	a.numberer.reset(0)
	for at := 0; at < len(text); {
		a.spans, at = a.appendSpans(a.spans[:0], text, at, min(at+batchBytes, len(text)))
		a.features = a.terms.replace(appendSpanned(a.features[:0], text, a.spans), 0)
		if n > 1 {
			a.keepJoined(n - 1)
			a.features = a.joinOn(a.features, 0)
		}
		if a.options.Numbered {
			a.numberer.number(a.features)
		}
		if !yield(a.features) {
			return
		}
	}
}
