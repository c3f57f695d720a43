package dedup

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"slices"
	"unicode"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// textVector is what is compared of a text: hashes of its tokens in their order, or of its runs or
// features, ascending and each once, and of features their weights.
type textVector struct {
	indices []uint64
	weights []float64 // nil of runs
}

// vectorizer makes vectors of texts, for one goroutine.
type vectorizer struct {
	measure  Measure
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	features [][]byte
	hashes   []byte // of tokens, 8 bytes each
}

func (t *Texts) newVectorizer() *vectorizer {
	v := &vectorizer{measure: t.Measure, analyzer: t.Analyzer.Clone()}
	if t.Measure.Kind == Cosine {
		v.weigher = t.Weigher.Local()
	}
	return v
}

// Of returns what computes the runs of a text that are compared, as hashes, ascending and each
// once, or the tokens of a Sequence; for one goroutine.
func (m Measure) Of(analyzer *text.Analyzer) func(text []byte) []uint64 {
	v := (&Texts{Measure: m, Analyzer: analyzer}).newVectorizer()
	return func(text []byte) []uint64 { return v.vector(text).indices }
}

// vector returns the vector of a text.
func (v *vectorizer) vector(text []byte) textVector {
	if v.measure.Kind == Cosine {
		return v.weigh(text)
	}
	v.features = v.analyzer.AppendTokens(v.features[:0], text)
	if len(v.features) == 0 {
		return textVector{}
	}
	if v.measure.Kind == Sequence {
		return textVector{indices: wordsOf(v.features)}
	}
	edge := 0 // bytes
	if v.measure.Kind == Jaccard {
		edge = 8 * (v.measure.N - 1)
	}
	v.hashes = append(v.hashes[:0], make([]byte, edge)...)
	for _, token := range v.features {
		v.hashes = binary.LittleEndian.AppendUint64(v.hashes, xxhash.Sum64(token))
	}
	v.hashes = append(v.hashes, make([]byte, edge)...)
	size := min(8*v.measure.N, len(v.hashes))
	runs := make([]uint64, 0, (len(v.hashes)-size)/8+1)
	for at := 0; at+size <= len(v.hashes); at += 8 {
		runs = append(runs, xxhash.Sum64(v.hashes[at:at+size]))
	}
	slices.Sort(runs)
	return textVector{indices: slices.Compact(runs)}
}

// wordsOf returns hashes of the words among tokens, upper and lower case alike; of all tokens where
// none is a word. Signs would count for words: a dotted line has more of them than a sentence.
// Where most words are single characters, of scripts without spaces, others count by their
// characters, too: a long name is more than one of them.
func wordsOf(tokens [][]byte) (words []uint64) {
	list, single := make([][]byte, 0, len(tokens)), 0
	for _, token := range tokens {
		if bytes.ContainsFunc(token, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }) {
			list = append(list, bytes.ToLower(token))
		}
		if bytes.ContainsFunc(token, text.IsUnspaced) {
			single++
		}
	}
	for _, word := range list {
		if 2*single <= len(list) {
			words = append(words, xxhash.Sum64(word))
			continue
		}
		for len(word) > 0 {
			_, size := utf8.DecodeRune(word)
			words, word = append(words, xxhash.Sum64(word[:size])), word[size:]
		}
	}
	if len(words) == 0 {
		for _, token := range tokens {
			words = append(words, xxhash.Sum64(token))
		}
	}
	return words
}

// weigh returns the vector of weighed features.
func (v *vectorizer) weigh(text []byte) textVector {
	v.features = v.analyzer.Append(v.features[:0], text)
	weighed := v.weigher.Weigh(v.features)
	order := make([]int, len(weighed.Features))
	hashes := make([]uint64, len(order))
	for i, feature := range weighed.Features {
		order[i], hashes[i] = i, xxhash.Sum64(feature)
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(hashes[i], hashes[j]) })
	made := textVector{make([]uint64, len(order)), make([]float64, len(order))}
	for to, from := range order {
		made.indices[to], made.weights[to] = hashes[from], weighed.Weights[from]
	}
	return made
}
