package text

import (
	"fmt"
	"iter"
	"math"
	"math/bits"
	"slices"
	"strconv"

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
	joined    []byte   // words with spaces after them
	starts    []int    // start in joined of each word that the next n-grams begin with
	words     [][]byte // words from a dictionary
	spans     []span   // positions of words
	whole     []span   // positions of words before they are split into characters
	split     bool     // whether the words of this text are split into characters
	features  [][]byte // features of a batch
	indices   []uint64 // indices of a batch
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
		if options.Plain && a.language.dictionary != nil {
			return nil, fmt.Errorf("text: plain words cannot be combined with a dictionary: got %s", options)
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
	a.batches(text, wholeText, func(features [][]byte) bool {
		dst = append(dst, features...)
		return true
	})
	return dst
}

// AppendIndices appends the features of a text as indices. A feature of up to 8 bytes is read as a
// little-endian number. The index of a longer feature is its XXH64.
func (a *Analyzer) AppendIndices(dst []uint64, text []byte) []uint64 {
	a.indexBatches(text, wholeText, func(indices []uint64) bool {
		dst = append(dst, indices...)
		return true
	})
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

// appendFound appends the words of a prepared text that the dictionary finds. Dictionaries have
// their own rules for unknown letters. Code points not assigned in Unicode 15.0 belong to no word,
// so dictionaries do not get them.
func (a *Analyzer) appendFound(dst [][]byte, text []byte) [][]byte {
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
	return a.appendWhole(dst, text, at, before)
}

// appendWhole is appendSpans before words are split into characters.
func (a *Analyzer) appendWhole(dst []span, text []byte, at, before int) ([]span, int) {
	if a.options.Symbols {
		return appendPlain(dst, text, at, before, true)
	}
	return appendScanned(dst, text, at, before, a.options.Plain)
}

// join replaces words by the n-grams that end with them. It joins all words with spaces; the
// n-grams are slices of the result. It keeps the last words, with which the next n-grams begin.
func (a *Analyzer) join(words [][]byte) [][]byte {
	kept := 0
	if len(a.starts) > 0 {
		from := a.starts[0]
		kept = copy(a.joined, a.joined[from:])
		for i := range a.starts {
			a.starts[i] -= from
		}
	}
	a.joined = a.joined[:kept]
	for _, word := range words {
		a.starts = append(a.starts, len(a.joined))
		a.joined = append(append(a.joined, word...), ' ')
	}
	a.starts = append(a.starts, len(a.joined))
	n := a.options.N
	count := max(0, len(a.starts)-n)
	for i := range count {
		end := a.starts[i+n] - 1
		words[i] = a.joined[a.starts[i]:end:end]
	}
	last := len(a.starts) - 1
	a.starts = a.starts[:copy(a.starts, a.starts[count:last])]
	return words[:count]
}

// batchBytes is the number of text bytes that one batch covers: few enough for the caches, and
// enough to make the overhead of a batch negligible.
const batchBytes = 16 << 10

// wholeText is a number of bytes at a time that makes one batch of any text.
const wholeText = math.MaxInt / 2

// Batches yields the features of Append in the same order, a few thousand at a time, so a long text
// needs no more memory than 16 KB of it. A batch is valid until the next one. The bytes of its
// features stay valid as long as those of Append, except for n-grams of words.
//
// A dictionary needs the whole text, so its features form one batch. A run of characters without
// spaces is never split between batches.
func (a *Analyzer) Batches(text []byte) iter.Seq[[][]byte] {
	return func(yield func([][]byte) bool) { a.batches(text, batchBytes, yield) }
}

// IndexBatches yields the indices of AppendIndices in batches, like Batches.
func (a *Analyzer) IndexBatches(text []byte) iter.Seq[[]uint64] {
	return func(yield func([]uint64) bool) { a.indexBatches(text, batchBytes, yield) }
}

// batches is Batches for a number of bytes at a time.
func (a *Analyzer) batches(text []byte, size int, yield func([][]byte) bool) {
	switch a.options.Features {
	case Bytes:
		a.shingleBatches(a.collapse(text), size, yield)
	case Characters:
		a.characterBatches(a.collapse(text), size, yield)
	default:
		a.wordBatches(a.prepareWords(text), size, yield)
	}
}

// indexBatches is IndexBatches for a number of bytes at a time.
func (a *Analyzer) indexBatches(text []byte, size int, yield func([]uint64) bool) {
	switch n := a.options.N; {
	case a.options.Features == Bytes && n <= 8:
		text = a.collapse(text)
		for from := 0; from < len(text); from += size {
			a.indices = appendWindows(a.indices[:0], text[from:min(from+size+n-1, len(text))], n)
			if !yield(a.indices) {
				return
			}
		}
	case a.cutsOnly():
		text = a.prepareWords(text)
		for at := 0; at < len(text); {
			first := at == 0
			a.spans, at = a.appendSpans(a.spans[:0], text, at, min(at+size, len(text)))
			a.indices = appendHashes(a.indices[:0], text, a.spans)
			if a.options.Numbered {
				a.numberer.begin(first, len(a.spans))
				a.numberer.numberCodes(a.indices, text, a.spans)
			}
			if !yield(a.indices) {
				return
			}
		}
	default:
		a.batches(text, size, func(features [][]byte) bool {
			a.indices = a.indices[:0]
			for _, feature := range features {
				a.indices = append(a.indices, xxhash.Sum64(feature))
			}
			return yield(a.indices)
		})
	}
}

// shingleBatches yields the shingles of a collapsed text.
func (a *Analyzer) shingleBatches(text []byte, size int, yield func([][]byte) bool) {
	n := a.options.N
	for from := 0; from < len(text); from += size {
		a.features = appendShingles(a.features[:0], text[from:min(from+size+n-1, len(text))], n)
		if !yield(a.features) {
			return
		}
	}
}

// characterBatches yields the n-grams of characters of a collapsed text.
func (a *Analyzer) characterBatches(text []byte, size int, yield func([][]byte) bool) {
	for from := 0; from < len(text); {
		next := from
		for next < min(from+size, len(text)) {
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
func (a *Analyzer) wordBatches(text []byte, size int, yield func([][]byte) bool) {
	a.starts = a.starts[:0]
	for at := 0; at < len(text); {
		first := at == 0
		if a.language.dictionary != nil {
			a.features, at = a.appendFound(a.features[:0], text), len(text)
		} else {
			a.spans, at = a.appendSpans(a.spans[:0], text, at, min(at+size, len(text)))
			a.features = appendSpanned(a.features[:0], text, a.spans)
		}
		a.features = a.terms.replace(a.features)
		if a.options.N > 1 {
			a.features = a.join(a.features)
		}
		if a.options.Numbered {
			a.numberer.begin(first, len(a.features))
			a.numberer.number(a.features)
		}
		if !yield(a.features) {
			return
		}
	}
}

// numberer numbers the repeats of features: the second "the" of a text becomes "the 2". It counts
// features by their XXH64, in a hash table with linear probing.
type numberer struct {
	slots   []numbered // a power of two, at least half of them free
	used    int
	feature []byte // buffer for a numbered feature
}

type numbered struct {
	code  uint64
	count uint64 // 0: the slot is free
}

// fewestNumbered is the initial number of slots of a table.
const fewestNumbered = 1 << 6

// begin prepares for a batch with the given number of features. Before the first batch of a text,
// it forgets the features of the previous text.
func (n *numberer) begin(first bool, features int) {
	if !first {
		return
	}
	size := max(fewestNumbered, 1<<bits.Len(uint(2*features)))
	n.slots = slices.Grow(n.slots[:0], size)[:size]
	clear(n.slots)
	n.used = 0
}

// next returns the occurrence number of the next feature, given by its code: 1 for the first.
func (n *numberer) next(code uint64) uint64 {
	slot := n.slot(code)
	if slot.count == 0 {
		if 2*(n.used+1) > len(n.slots) {
			n.grow()
			slot = n.slot(code)
		}
		n.used++
		slot.code = code
	}
	slot.count++
	return slot.count
}

// slot returns the slot of a feature, or a free slot for it.
func (n *numberer) slot(code uint64) *numbered {
	mask := uint64(len(n.slots) - 1)
	for i := code & mask; ; i = (i + 1) & mask {
		if s := &n.slots[i]; s.count == 0 || s.code == code {
			return s
		}
	}
}

func (n *numberer) grow() {
	before := n.slots
	n.slots = make([]numbered, 2*len(before))
	for _, s := range before {
		if s.count > 0 {
			*n.slot(s.code) = s
		}
	}
}

// appendNumber appends a feature with its occurrence number.
func appendNumber(dst, feature []byte, occurrence uint64) []byte {
	return strconv.AppendUint(append(append(dst, feature...), ' '), occurrence, 10)
}

// numberCodes replaces the codes of repeated features by those of the numbered features. The
// features are the spans of the text.
func (n *numberer) numberCodes(codes []uint64, text []byte, spans []span) {
	for i, code := range codes {
		if occurrence := n.next(code); occurrence > 1 {
			n.feature = appendNumber(n.feature[:0], text[spans[i].From:spans[i].To], occurrence)
			codes[i] = xxhash.Sum64(n.feature)
		}
	}
}

// number replaces repeated features by numbered ones, whose bytes it allocates.
func (n *numberer) number(features [][]byte) {
	for i, feature := range features {
		if occurrence := n.next(xxhash.Sum64(feature)); occurrence > 1 {
			features[i] = appendNumber(nil, feature, occurrence)
		}
	}
}
