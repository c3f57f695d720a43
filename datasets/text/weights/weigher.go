package weights

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"iter"
	"slices"
	"strings"

	"simhashkit/internal/portable"
)

// IDF provides inverse document frequencies. Table and List implement it.
type IDF interface {
	IDF(feature []byte) float64
	// Name identifies the IDF in the definition of the weights.
	Name() string
}

// Options configures a Weigher.
type Options struct {
	Scheme Scheme // Count if empty
	IDF    IDF    // for TFIDF and LogTFIDF
	List   *List  // for ByHand
	Top    int    // keep only the features with the largest weights; 0 keeps all
}

// Weigher makes vectors from the features of documents. It is not safe for concurrent use; see
// Local.
type Weigher struct {
	options Options
	window  int // window of TextRank; rankWindow except in tests
	counter counter
	logs    []float64 // [tf] 1 + ln tf
	ranks   ranker
	vector  Vector
}

// logsStored is the number of logarithms that a Weigher caches. Few features occur more often.
const logsStored = 64

// New returns a Weigher.
func New(o Options) (*Weigher, error) {
	if o.Scheme == "" {
		o.Scheme = Count
	}
	if _, err := ParseScheme(string(o.Scheme)); err != nil {
		return nil, err
	}
	switch {
	case o.Scheme.NeedsIDF() && o.IDF == nil:
		return nil, fmt.Errorf("weights: scheme %s: expected a table of document frequencies or a list", o.Scheme)
	case o.Scheme == ByHand && o.List == nil:
		return nil, errors.New("weights: scheme hand: expected a list of weights")
	case o.Top < 0:
		return nil, fmt.Errorf("weights: top %d: expected 0 or more", o.Top)
	}
	w := &Weigher{options: o, window: rankWindow, logs: make([]float64, logsStored)}
	for tf := 1; tf < logsStored; tf++ {
		w.logs[tf] = 1 + portable.Log(float64(tf))
	}
	return w.Local(), nil
}

// Local returns a Weigher with the same options for another goroutine.
func (w *Weigher) Local() *Weigher {
	return &Weigher{options: w.options, window: w.window, logs: w.logs, counter: newCounter()}
}

// String returns the definition of the weights, such as "tfidf,table=0123456789abcdef,top=22".
// Vectors of two Weighers are comparable if the definitions are equal.
func (w *Weigher) String() string {
	text := string(w.options.Scheme)
	switch {
	case w.options.Scheme.NeedsIDF():
		text += "," + w.options.IDF.Name()
	case w.options.Scheme == ByHand:
		text += "," + w.options.List.Name()
	case w.options.Scheme == TextRank:
		text += fmt.Sprintf(",window=%d", w.window)
	}
	if w.options.Top > 0 {
		text += fmt.Sprintf(",top=%d", w.options.Top)
	}
	return text
}

// Weigh returns the vector of a document from its features, in text order and with repeats. The
// vector shares the memory of the features and is valid until the next call.
func (w *Weigher) Weigh(features [][]byte) Vector {
	if w.options.Scheme == TextRank {
		return w.weighTerms(w.ranks.rank(&w.counter, features, w.window))
	}
	w.counter.reset(len(features))
	w.counter.count(features)
	return w.weighTerms(nil)
}

// WeighBatches is Weigh for features in batches. The bytes of the features must stay valid while
// the vector is used, but the slice of a batch need not. Memory grows with the number of distinct
// features, for TextRank with the number of all features.
func (w *Weigher) WeighBatches(batches iter.Seq[[][]byte]) Vector {
	if w.options.Scheme == TextRank {
		var all [][]byte
		for features := range batches {
			all = append(all, features...)
		}
		return w.Weigh(all)
	}
	w.counter.reset(0)
	for features := range batches {
		w.counter.count(features)
	}
	return w.weighTerms(nil)
}

// weighTerms returns the vector of the counter's terms. If ranks is not nil, the weights are the
// ranks.
func (w *Weigher) weighTerms(ranks []float64) Vector {
	v := &w.vector
	v.Features, v.Weights = v.Features[:0], v.Weights[:0]
	for _, p := range w.counter.ascending() {
		t := &w.counter.terms[p.term]
		weight := 0.0
		if ranks != nil {
			weight = ranks[p.term]
		} else {
			weight = w.weight(t)
		}
		if weight != 0 {
			v.Features, v.Weights = append(v.Features, t.feature), append(v.Weights, weight)
		}
	}
	if top := w.options.Top; top > 0 && v.Len() > top {
		v.keep(top)
	}
	return *v
}

func (w *Weigher) weight(t *term) float64 {
	switch w.options.Scheme {
	case LogCount:
		return w.log(t.count)
	case TFIDF:
		return float64(t.count) * w.options.IDF.IDF(t.feature)
	case LogTFIDF:
		return w.log(t.count) * w.options.IDF.IDF(t.feature)
	case ByHand:
		return w.options.List.Weight(t.feature)
	}
	return float64(t.count)
}

func (w *Weigher) log(count int) float64 {
	if count < len(w.logs) {
		return w.logs[count]
	}
	return 1 + portable.Log(float64(count))
}

// Scheme is a weighting scheme; see the package documentation.
type Scheme string

// The schemes.
const (
	Count    Scheme = "count"
	LogCount Scheme = "log"
	TFIDF    Scheme = "tfidf"
	LogTFIDF Scheme = "log-tfidf"
	TextRank Scheme = "textrank"
	ByHand   Scheme = "hand"
)

// Schemes lists all schemes.
func Schemes() []Scheme { return []Scheme{Count, LogCount, TFIDF, LogTFIDF, TextRank, ByHand} }

// ParseScheme returns the scheme with a name.
func ParseScheme(name string) (Scheme, error) {
	if s := Scheme(name); slices.Contains(Schemes(), s) {
		return s, nil
	}
	var names []string
	for _, s := range Schemes() {
		names = append(names, string(s))
	}
	return "", fmt.Errorf("weights: unknown scheme %q; expected %s", name, strings.Join(names, ", "))
}

// NeedsIDF reports whether the scheme uses an IDF.
func (s Scheme) NeedsIDF() bool { return s == TFIDF || s == LogTFIDF }

// counter counts the features of one document at a time. It does not allocate once its buffers have
// grown.
type counter struct {
	seed  maphash.Seed
	slots []uint32 // hash table of term indices + 1; 0 is free; at most half full
	terms []term   // in order of first occurrence
	order []place
}

// term is a feature of the document with its count.
type term struct {
	feature []byte
	hash    uint64
	count   int
}

// place is a term with the first bytes of its feature as a big-endian number, which decides nearly
// all comparisons.
type place struct {
	prefix uint64
	term   uint32
}

func newCounter() counter { return counter{seed: maphash.MakeSeed()} }

// count counts more features. The terms share their memory.
func (c *counter) count(features [][]byte) {
	if size := slotsFor(len(c.terms) + len(features)); size > len(c.slots) {
		c.slots = make([]uint32, size)
		mask := uint64(size - 1)
		for i := range c.terms {
			at := c.terms[i].hash & mask
			for c.slots[at] != 0 {
				at = (at + 1) & mask
			}
			c.slots[at] = uint32(i + 1)
		}
	}
	for _, feature := range features {
		c.terms[c.number(feature)].count++
	}
}

// reset prepares for the next document, with the given number of features.
func (c *counter) reset(features int) {
	size := slotsFor(features)
	if size > cap(c.slots) {
		c.slots = make([]uint32, size)
	}
	c.slots = c.slots[:size] // a short document clears only as many slots as it needs
	clear(c.slots)
	c.terms = c.terms[:0]
}

// number returns the index of the term of a feature, adding the term if it is new.
func (c *counter) number(feature []byte) uint32 {
	hash := maphash.Bytes(c.seed, feature)
	mask := uint64(len(c.slots) - 1)
	for at := hash & mask; ; at = (at + 1) & mask {
		slot := c.slots[at]
		if slot == 0 {
			c.terms = append(c.terms, term{feature: feature, hash: hash})
			c.slots[at] = uint32(len(c.terms))
			return uint32(len(c.terms) - 1)
		}
		if t := &c.terms[slot-1]; t.hash == hash && bytes.Equal(t.feature, feature) {
			return slot - 1
		}
	}
}

// ascending returns the terms in ascending byte order of their features. It is valid until the next
// call.
func (c *counter) ascending() []place {
	c.order = c.order[:0]
	for i := range c.terms {
		c.order = append(c.order, place{prefix(c.terms[i].feature), uint32(i)})
	}
	slices.SortFunc(c.order, func(a, b place) int {
		if a.prefix != b.prefix {
			return cmp.Compare(a.prefix, b.prefix)
		}
		return bytes.Compare(c.terms[a.term].feature, c.terms[b.term].feature)
	})
	return c.order
}

// slotsFor returns the number of slots for a number of features.
func slotsFor(features int) int {
	size := 16
	for size < 2*features {
		size *= 2
	}
	return size
}

func prefix(feature []byte) uint64 {
	if len(feature) >= 8 {
		return binary.BigEndian.Uint64(feature)
	}
	var padded [8]byte
	copy(padded[:], feature)
	return binary.BigEndian.Uint64(padded[:])
}
