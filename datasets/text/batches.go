package text

import (
	"iter"

	"github.com/cespare/xxhash/v2"
)

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
