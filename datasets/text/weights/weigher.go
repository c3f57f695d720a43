// Package weights turns the features of texts into sparse weighted vectors. Weights are counts,
// TF-IDF, TextRank, or values from a list.
//
// Features come from package datasets/text as byte strings, in text order and with repeats. A
// [Weigher] makes a [Vector] from the features of one document, using a [Scheme]:
//
//	count     tf, the number of occurrences of the feature
//	tfidf     tf · idf
//	textrank  the TextRank of the feature, computed from its neighbours in the text
//	hand      the weight of the feature in a [List], independent of tf
//
// # Definition of idf
//
// idf = ln((1+N) / (1+df)) + 1, for N documents of which df contain the feature. This is the
// smoothed form, scikit-learn's default (TfidfVectorizer with smooth_idf=True). It is never zero,
// so words in all documents still count, and it is defined for words in no document. Spark omits
// the final + 1. The textbook's ln(N/df) has no smoothing at all, and gensim uses log2(N/df).
// Unlike scikit-learn, this package does not normalize vectors, since neither fingerprints nor
// cosines depend on their length.
//
// The idf comes from a [List]: of a [Builder], which counts document frequencies, or of weights
// such as those published with Chinese segmentation. [ReadList] reads both from files.
//
// # Reproducibility
//
// A vector is in ascending order of the features' bytes. Repeats are one feature. Weights have the
// same bits on every machine: logarithms come from internal/portable, and no multiplication is
// fused with an addition. So the fingerprint of a document depends only on the document and the
// definition.
package weights

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"math"
	"slices"
)

// Options configures a Weigher.
type Options struct {
	Scheme Scheme // Count if empty
	List   *List  // inverse document frequencies for TFIDF, or the weights for ByHand
	Top    int    // keep only the features with the largest weights; 0 keeps all
}

// Weigher makes vectors from the features of documents. It is not safe for concurrent use; see
// Local.
type Weigher struct {
	options Options
	counter counter
	ranks   ranker
	vector  Vector
}

// New returns a Weigher.
func New(o Options) (*Weigher, error) {
	o.Scheme = cmp.Or(o.Scheme, Count)
	if err := o.Scheme.Check(); err != nil {
		return nil, err
	}
	switch {
	case o.Scheme == TFIDF && o.List == nil:
		return nil, errors.New("weights: scheme tfidf: expected document frequencies or a list")
	case o.Scheme == ByHand && o.List == nil:
		return nil, errors.New("weights: scheme hand: expected a list of weights")
	case o.Top < 0:
		return nil, fmt.Errorf("weights: top %d: expected 0 or more", o.Top)
	}
	return (&Weigher{options: o}).Local(), nil
}

// Local returns a Weigher with the same options for another goroutine.
func (w *Weigher) Local() *Weigher { return &Weigher{options: w.options, counter: newCounter()} }

// String returns the definition of the weights, such as "tfidf,table=0123456789abcdef,top=22".
// Vectors of two Weighers are comparable if the definitions are equal.
func (w *Weigher) String() string {
	text := string(w.options.Scheme)
	switch w.options.Scheme {
	case TFIDF, ByHand:
		text += "," + w.options.List.Name()
	case TextRank:
		text += fmt.Sprintf(",window=%d", rankWindow)
	}
	if w.options.Top > 0 {
		text += fmt.Sprintf(",top=%d", w.options.Top)
	}
	return text
}

// Weigh returns the vector of a document from its features, in text order and with repeats. The
// vector shares the memory of the features and is valid until the next call.
func (w *Weigher) Weigh(features [][]byte) Vector {
	w.counter.reset()
	w.count(features)
	return w.weighed()
}

// WeighBatches is Weigh for features in batches. The bytes of the features must stay valid while
// the vector is used, but the slice of a batch need not.
func (w *Weigher) WeighBatches(batches iter.Seq[[][]byte]) Vector {
	w.counter.reset()
	for features := range batches {
		w.count(features)
	}
	return w.weighed()
}

// count counts more features of the document.
func (w *Weigher) count(features [][]byte) {
	for _, feature := range features {
		n := w.counter.number(feature)
		w.counter.terms[n].count++
		if w.options.Scheme == TextRank {
			w.ranks.sequence = append(w.ranks.sequence, n)
		}
	}
}

// weighed returns the vector of the counted features.
func (w *Weigher) weighed() Vector {
	terms := w.counter.terms
	var ranks []float64
	if w.options.Scheme == TextRank {
		ranks = w.ranks.rank(len(terms), rankWindow)
	}
	v := &w.vector
	v.Features, v.Weights = v.Features[:0], v.Weights[:0]
	for _, i := range w.counter.ascending() {
		weight := float64(terms[i].count)
		switch w.options.Scheme {
		case TFIDF:
			weight *= w.options.List.Weight(terms[i].feature)
		case ByHand:
			weight = w.options.List.Weight(terms[i].feature)
		case TextRank:
			weight = ranks[i]
		}
		if weight != 0 {
			v.Features, v.Weights = append(v.Features, terms[i].feature), append(v.Weights, weight)
		}
	}
	if top := w.options.Top; top > 0 && v.Len() > top {
		v.keep(top)
	}
	return *v
}

// Vector is a sparse vector whose dimensions are byte strings, in strictly ascending order. All
// weights are nonzero.
type Vector struct {
	Features [][]byte
	Weights  []float64
}

// Len returns the number of features.
func (v Vector) Len() int { return len(v.Features) }

// Clone returns a copy that shares no memory with v.
func (v Vector) Clone() Vector {
	c := Vector{make([][]byte, v.Len()), slices.Clone(v.Weights)}
	for i, feature := range v.Features {
		c.Features[i] = bytes.Clone(feature)
	}
	return c
}

// keep removes all features except the k with the largest absolute weights. Of equal weights, the
// first ones in byte order are kept.
func (v *Vector) keep(k int) {
	places := make([]int, v.Len())
	for i := range places {
		places[i] = i
	}
	slices.SortFunc(places, func(a, b int) int {
		return cmp.Or(cmp.Compare(math.Abs(v.Weights[b]), math.Abs(v.Weights[a])), a-b)
	})
	places = places[:k]
	slices.Sort(places)
	for to, from := range places {
		v.Features[to], v.Weights[to] = v.Features[from], v.Weights[from]
	}
	v.Features, v.Weights = v.Features[:k], v.Weights[:k]
}

// Scheme is a weighting scheme; see the package documentation.
type Scheme string

// The schemes.
const (
	Count    Scheme = "count"
	TFIDF    Scheme = "tfidf"
	TextRank Scheme = "textrank"
	ByHand   Scheme = "hand"
)

// Schemes lists all schemes.
func Schemes() []Scheme { return []Scheme{Count, TFIDF, TextRank, ByHand} }

// Check returns an error unless there is such a scheme.
func (s Scheme) Check() error {
	if slices.Contains(Schemes(), s) {
		return nil
	}
	return fmt.Errorf("weights: unknown scheme %q; expected count, tfidf, textrank or hand", s)
}

// counter numbers and counts the features of one document at a time. It does not allocate once its
// buffers have grown.
type counter struct {
	seed    maphash.Seed
	numbers map[uint64]uint32 // by hash of the feature, or the next free number after it
	terms   []term            // in order of first occurrence
	order   []uint32
}

// term is a feature of the document with its count.
type term struct {
	feature []byte
	count   int
}

func newCounter() counter {
	return counter{seed: maphash.MakeSeed(), numbers: map[uint64]uint32{}}
}

// mostCleared is the number of terms up to which a map is cleared rather than replaced. Clearing
// takes time for all terms that it ever held.
const mostCleared = 1 << 12

// reset prepares for the next document.
func (c *counter) reset() {
	if len(c.terms) > mostCleared {
		c.numbers = map[uint64]uint32{}
	}
	clear(c.numbers)
	c.terms = c.terms[:0]
}

// number returns the index of the term of a feature, adding the term if it is new.
func (c *counter) number(feature []byte) uint32 {
	for hash := maphash.Bytes(c.seed, feature); ; hash++ {
		n, known := c.numbers[hash]
		if !known {
			n = uint32(len(c.terms))
			c.numbers[hash] = n
			c.terms = append(c.terms, term{feature: feature})
			return n
		}
		if bytes.Equal(c.terms[n].feature, feature) {
			return n
		}
	}
}

// ascending returns the indices of the terms in ascending byte order of their features. It is valid
// until the next call.
func (c *counter) ascending() []uint32 {
	c.order = c.order[:0]
	for i := range c.terms {
		c.order = append(c.order, uint32(i))
	}
	slices.SortFunc(c.order, func(a, b uint32) int { return bytes.Compare(c.terms[a].feature, c.terms[b].feature) })
	return c.order
}

// TextRank (Mihalcea and Tarau 2004) ranks features by their neighbours. An undirected edge joins
// two distinct features; its weight is the number of times both occur in the same window of the
// text. The rank is defined by
//
//	rank(i) = (1-d) + d · Σ over the neighbours j of i: weight(i,j) / weights(j) · rank(j)
//
// where d = 0.85 and weights(j) is the sum of the weights of all edges of j. Ranks start at 1. The
// computation is repeated until no rank changes by more than 0.0001, as in the paper, or a hundred
// times. Features are processed in the order of their first occurrence, so the result is the same
// on every machine.
const (
	// rankWindow is the number of features in a window, as in jieba and gse.
	rankWindow = 5

	damping    = 0.85
	tolerance  = 1e-4
	iterations = 100
)

// ranker computes ranks and reuses its memory.
type ranker struct {
	sequence    []uint32 // the terms of the document, in text order; taken by rank
	pairs       []uint64
	edges       []edge
	from        []int // index of the first edge of each term, then the number of edges
	total       []float64
	ranks, next []float64
}

// edge is an edge to a term.
type edge struct {
	to     uint32
	weight float64
}

// rank returns the ranks of the terms in r.sequence, and empties it. The ranks are valid until the
// next call.
func (r *ranker) rank(terms, window int) []float64 {
	r.join(terms, window)
	r.sequence = r.sequence[:0]
	r.ranks, r.next = resized(r.ranks, terms), resized(r.next, terms)
	for i := range r.ranks {
		r.ranks[i] = 1
	}
	for range iterations {
		if r.step() <= tolerance {
			break
		}
	}
	return r.ranks
}

// join builds the edges between the terms.
func (r *ranker) join(terms, window int) {
	r.pairs = r.pairs[:0]
	for i, a := range r.sequence {
		for _, b := range r.sequence[i+1 : min(i+window, len(r.sequence))] {
			if a != b {
				r.pairs = append(r.pairs, uint64(a)<<32|uint64(b), uint64(b)<<32|uint64(a))
			}
		}
	}
	slices.Sort(r.pairs)
	r.edges, r.from, r.total = r.edges[:0], r.from[:0], resized(r.total, terms)
	clear(r.total)
	for at := 0; at < len(r.pairs); {
		pair, first := r.pairs[at], at
		for at < len(r.pairs) && r.pairs[at] == pair {
			at++
		}
		for len(r.from) <= int(pair>>32) {
			r.from = append(r.from, len(r.edges))
		}
		r.edges = append(r.edges, edge{uint32(pair), float64(at - first)})
		r.total[pair>>32] += float64(at - first)
	}
	for len(r.from) <= terms {
		r.from = append(r.from, len(r.edges))
	}
}

// step updates all ranks once and returns the largest change.
func (r *ranker) step() float64 {
	change := 0.0
	for i := range r.next {
		sum := 0.0
		for _, e := range r.edges[r.from[i]:r.from[i+1]] {
			// The conversions prevent fused multiply-adds.
			sum += float64(float64(e.weight/r.total[e.to]) * r.ranks[e.to])
		}
		r.next[i] = (1 - damping) + float64(damping*sum)
		change = max(change, math.Abs(r.next[i]-r.ranks[i]))
	}
	r.ranks, r.next = r.next, r.ranks
	return change
}

func resized(list []float64, n int) []float64 { return slices.Grow(list[:0], n)[:n] }
