package textsketch

import (
	"encoding/binary"
	"fmt"

	"github.com/cespare/xxhash/v2"

	"simhashkit/asm/minhash"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// Local computes fingerprints for one goroutine at a time. It has its own buffers.
type Local struct {
	route    route
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	hash     *fphash.Sketcher // Sketcher.codes on the route byCodes
	system   *Sketcher        // nil without a convention
	features [][]byte
	indices  []uint64
	count    int                        // number of features of the last text
	whole    *fphash.Sketcher           // for texts without features; nil if they have no fingerprint
	sums     *fphash.Accumulator[int64] // for long texts; nil before the first one
	keyer    *keyer                     // nil without Options.Keys
}

// Local returns a Local for one goroutine.
func (s *Sketcher) Local() *Local {
	o := &s.options
	l := &Local{route: s.route, analyzer: s.analyzer.Clone(), weigher: s.weigher.Local()}
	switch {
	case o.Convention != nil:
		l.system = s
	case s.route == byCodes:
		l.hash = s.codes.Local()
	default:
		l.hash = o.Hash.Local()
	}
	if o.Whole && o.Convention == nil {
		l.whole = o.Hash.Local()
	}
	if o.Keys != nil {
		l.keyer = newKeyer(*o.Keys)
	}
	return l
}

// Keys returns the keys of the last text of Append, as numbers below 2^63. There are none without
// Options.Keys, or if the text has no features. They are valid until the next call of Append.
func (l *Local) Keys() []uint64 {
	if l.keyer == nil {
		return nil
	}
	return l.keyer.keys
}

// Features returns the number of features of the last text, including repeats.
func (l *Local) Features() int { return l.count }

// Append appends the fingerprint of a text to dst.
//
// If weights are counts, the sums are integers, so the order of features does not matter: each
// occurrence of a feature is hashed, in text order. Other weights are summed as float64, in
// ascending order of the features' bytes.
//
// A shingle of up to 8 bytes is hashed as an index: the little-endian number of its bytes. Other
// features are hashed as byte strings. For shingles of exactly 8 bytes, both give the same hash.
func (l *Local) Append(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	if l.keyer != nil {
		l.keyer.reset()
		defer l.keyer.end()
	}
	from := len(dst)
	dst, status, err := l.append(dst, text)
	if err == nil && l.whole != nil && l.count == 0 && len(text) > 0 {
		if l.keyer != nil {
			l.keyer.add([]uint64{xxhash.Sum64(text)})
		}
		return fphash.AppendUnit(l.whole, dst[:from], [][]byte{text})
	}
	return dst, status, err
}

func (l *Local) append(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	if len(text) >= longDocument {
		defer l.forget()
	}
	if l.system != nil {
		return l.appendConvention(dst, text)
	}
	switch {
	case l.isLong(text):
		if err := l.sum(text); err != nil {
			return dst, fphash.NoInformation, err
		}
		dst, status := l.sums.Append(dst)
		return dst, status, nil
	case l.route == byIndices, l.route == byCodes:
		return fphash.AppendUnit(l.hash, dst, l.findIndices(text))
	case l.route == byCounts:
		return fphash.AppendUnit(l.hash, dst, l.find(text))
	}
	v := l.weigh(text)
	return fphash.Append(l.hash, dst, v.Features, v.Weights)
}

// longDocument is the size in bytes from which a Local releases a text and its features immediately
// after it has computed the fingerprint. Package docsketch holds only one such document at a time.
const longDocument = 16 << 20

// forget releases a large text, which the features refer to, and the memory allocated for it.
func (l *Local) forget() {
	l.analyzer, l.weigher, l.features, l.indices = l.analyzer.Clone(), l.weigher.Local(), nil, nil
}

// find returns the features of a text, valid until the next call.
func (l *Local) find(text []byte) [][]byte {
	l.features = l.analyzer.Append(l.features[:0], text)
	l.count = len(l.features)
	return l.features
}

// weigh returns the vector of a text. It counts the features of a long text in batches, if their
// bytes remain valid until the end.
func (l *Local) weigh(document []byte) weights.Vector {
	if o := l.analyzer.Options(); len(document) <= longText || o.Features == text.Words && o.N > 1 {
		return l.weigher.Weigh(l.find(document))
	}
	l.count = 0
	return l.weigher.WeighBatches(func(yield func([][]byte) bool) {
		for features := range l.analyzer.Batches(document) {
			l.count += len(features)
			if !yield(features) {
				return
			}
		}
	})
}

// findIndices returns the indices or codes of the features of a text, valid until the next call.
func (l *Local) findIndices(text []byte) []uint64 {
	l.indices = l.analyzer.AppendIndices(l.indices[:0], text)
	l.count = len(l.indices)
	if l.keyer != nil {
		l.keyer.add(l.indices)
	}
	return l.indices
}

// appendConvention appends the fingerprint by the convention, which takes shingles as byte strings.
func (l *Local) appendConvention(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	if l.system.options.OwnFeatures {
		return l.system.options.Convention.AppendText(dst, text)
	}
	if l.route == byCounts {
		return l.system.options.Convention.AppendFeatures(dst, l.find(text), nil)
	}
	v := l.weigh(text)
	return l.system.options.Convention.AppendFeatures(dst, v.Features, v.Weights)
}

// longText is the size in bytes above which the features of a text are not all held in memory. They
// can need more than 24 bytes for each byte of the text.
const longText = 64 << 10

// isLong reports whether the features of a text are added in batches. That is possible for integer
// sums, which do not depend on the order; other weights depend on the whole text.
func (l *Local) isLong(text []byte) bool { return len(text) > longText && l.route != byWeights }

// sum adds the features of a long text, or their indices, to l.sums in batches.
func (l *Local) sum(text []byte) error {
	if l.sums == nil {
		l.sums = fphash.NewAccumulator[int64](l.hash)
	}
	l.sums.Reset()
	l.count = 0
	if l.route == byCounts {
		for features := range l.analyzer.Batches(text) {
			l.count += len(features)
			if err := fphash.Add(l.sums, 1, features...); err != nil {
				return err
			}
		}
		return nil
	}
	for indices := range l.analyzer.IndexBatches(text) {
		l.count += len(indices)
		if l.keyer != nil {
			l.keyer.add(indices)
		}
		if err := fphash.Add(l.sums, 1, indices...); err != nil {
			return err
		}
	}
	return nil
}

// Keys defines keys by which any program that groups equal values finds texts that may be similar.
// A key is a hash of Minima minima of a MinHash of the features. If the sets of features of two
// texts have the Jaccard similarity J, a key is equal with a probability of about J^Minima, so that
// at least one of Count keys is equal with a probability of 1 - (1 - J^Minima)^Count. (Broder 1997;
// Leskovec, Rajaraman, Ullman: Mining of Massive Datasets, section 3.4.)
//
// No two keys use the same minimum. The minima are not those of the fingerprint: their MinHash has
// as many lanes as the keys need.
type Keys struct{ Minima, Count int }

// words returns the number of words of the MinHash that the keys need.
func (k Keys) words() int { return (k.Minima*k.Count + 63) / 64 }

// check returns an error unless a MinHash can have the minima.
func (k Keys) check() error {
	if k.Minima < 1 || k.Count < 1 || k.words() > minhash.Words {
		return fmt.Errorf("textsketch: %d keys of %d minima, expected 1 to %d minima in all", k.Count, k.Minima, 64*minhash.Words)
	}
	return nil
}

// keyer computes the keys of texts from the codes of their features.
type keyer struct {
	Keys
	minima  [][64]uint32
	scratch minhash.Scratch
	mixed   []uint64 // buffer: the keys of features in package minhash
	bytes   []byte   // buffer
	keys    []uint64 // of the last text
	empty   bool
}

func newKeyer(k Keys) *keyer { return &keyer{Keys: k, minima: make([][64]uint32, k.words())} }

func (k *keyer) reset() { k.empty, k.keys = true, k.keys[:0] }

// add adds features of a text.
func (k *keyer) add(codes []uint64) {
	if len(codes) == 0 {
		return
	}
	k.mixed = append(k.mixed[:0], codes...)
	minhash.Keys(k.mixed, k.mixed)
	if k.empty {
		minhash.Sketch(k.minima, k.mixed, &k.scratch)
	} else {
		minhash.Add(k.minima, k.mixed, &k.scratch)
	}
	k.empty = false
}

// end computes the keys of the added features. Key i is the XXH64, without its highest bit, of the
// number i and minima i*Minima to (i+1)*Minima-1, each as 4 bytes, little-endian.
func (k *keyer) end() {
	for i := range k.Count {
		if k.empty {
			return
		}
		k.bytes = binary.LittleEndian.AppendUint32(k.bytes[:0], uint32(i))
		for lane := i * k.Minima; lane < (i+1)*k.Minima; lane++ {
			k.bytes = binary.LittleEndian.AppendUint32(k.bytes, k.minima[lane/64][lane%64])
		}
		k.keys = append(k.keys, xxhash.Sum64(k.bytes)>>1)
	}
}
