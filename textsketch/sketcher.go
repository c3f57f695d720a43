// Package textsketch computes fingerprints of texts. It combines features (datasets/text), weights
// (datasets/text/weights) and hashing (fphash).
//
// [New] makes a [Sketcher]. Each goroutine calls [Sketcher.Local] and computes fingerprints with
// the result. [Sketcher.Definition] identifies everything that fingerprints depend on: compare only
// fingerprints with equal definitions.
//
// To sketch the documents of a file, such as JSON lines or CSV, open it with documents.Open of
// datasets/documents. This package does not import it, so a program that sketches its own texts
// does not include decompression and parsers.
package textsketch

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/asm/minhash"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// Options determine the fingerprints of texts.
type Options struct {
	Text    text.Options
	Weights weights.Options
	Hash    *fphash.Sketcher // required unless Convention is set

	// Convention, if not nil, computes the fingerprints in place of Hash. With OwnFeatures, it also
	// makes the features, and Text and Weights are ignored.
	Convention  Convention
	OwnFeatures bool

	// Whole makes the bytes of a text without features, such as punctuation, its only feature. Such
	// texts are near only equal texts. An empty text has no features.
	Whole bool

	// Keys, if not nil, are computed with each fingerprint; see Local.Keys. They require MinHash
	// with the default hash, and words as features.
	Keys *Keys
}

// Convention computes fingerprints as another system does; package
// simhashkit/fphash/conventions implements it. It is safe for concurrent use.
type Convention interface {
	String() string // the definition
	Bits() int
	// AppendFeatures appends the fingerprint of features. If weights is nil, each occurrence has
	// weight 1.
	AppendFeatures(dst []uint64, features [][]byte, weights []float64) ([]uint64, fphash.Status, error)
	// AppendText appends the fingerprint of a text whose features the convention makes itself.
	AppendText(dst []uint64, text []byte) ([]uint64, fphash.Status, error)
}

// Sketcher holds everything that fingerprints of texts depend on. It never changes and is safe for
// concurrent use. It computes nothing itself: each goroutine calls Local.
type Sketcher struct {
	options  Options
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	codes    *fphash.Sketcher // takes codes in place of features; nil if not needed
	route    route
}

// route is the way in which features are hashed.
type route int

const (
	byCounts  route = iota // each occurrence has weight 1; there is no vector
	byIndices              // like byCounts, for shingles as numbers
	byCodes                // like byCounts, for words that the analyzer hashes
	byWeights              // a vector of features and weights
)

// New returns a Sketcher. It loads the dictionaries that the text options need, which can take
// seconds the first time.
func New(o Options) (*Sketcher, error) {
	switch {
	case o.Hash == nil && o.Convention == nil:
		return nil, errors.New("textsketch: no Hash and no Convention: set one of them")
	case o.Convention == nil && o.Hash.Definition().Kind == fphash.MinHash:
		if scheme := cmp.Or(o.Weights.Scheme, weights.Count); scheme != weights.Count || o.Weights.Top != 0 {
			return nil, fmt.Errorf("textsketch: weights %s with MinHash, expected %s and all features", scheme, weights.Count)
		}
	}
	analyzer, err := text.New(o.Text)
	if err != nil {
		return nil, err
	}
	weigher, err := weights.New(o.Weights)
	if err != nil {
		return nil, err
	}
	s := &Sketcher{options: o, analyzer: analyzer, weigher: weigher, route: byWeights}
	if scheme := o.Weights.Scheme; (scheme == "" || scheme == weights.Count) && o.Weights.Top == 0 {
		s.route = byCounts
		switch t := analyzer.Options(); {
		case o.Convention != nil:
		case t.Features == text.Bytes && t.N <= 8:
			s.route = byIndices
		case t.Features == text.Words && t.N == 1:
			if s.codes = codesOf(o.Hash); s.codes != nil {
				s.route = byCodes
			}
		}
	}
	if o.Keys != nil {
		if s.route != byCodes || o.Hash.Definition().Kind != fphash.MinHash {
			return nil, errors.New("textsketch: Keys requires words, MinHash and the default hash")
		}
		return s, o.Keys.check()
	}
	return s, nil
}

// Definition returns one line that identifies everything the fingerprints depend on: features,
// weights, hash. It is not an fphash.Definition: in index files, store Hash.String() as Definition
// and Features() as Features.
func (s *Sketcher) Definition() string {
	if s.options.Convention != nil {
		return s.Features() + "; " + s.options.Convention.String()
	}
	return s.Features() + "; " + s.options.Hash.String()
}

// Features returns the first part of Definition, the features and weights.
func (s *Sketcher) Features() string {
	if s.options.OwnFeatures {
		return "its own features"
	}
	return s.analyzer.Options().String() + "; " + s.weigher.String()
}

// Bits returns the width of the fingerprints.
func (s *Sketcher) Bits() int {
	if s.options.Convention != nil {
		return s.options.Convention.Bits()
	}
	return s.options.Hash.Bits()
}

// Words returns the number of words of a fingerprint.
func (s *Sketcher) Words() int { return (s.Bits() + 63) / 64 }

// codesOf returns a Sketcher that computes the same fingerprints as s from the XXH64 of byte
// strings, so that the analyzer can hash words. It returns nil if the hash of s is not plain XXH64:
// there may be a seed, a widening, or a user's family with that name. To find out, codesOf compares
// 64 fingerprints of single words.
func codesOf(s *fphash.Sketcher) *fphash.Sketcher {
	d := s.Definition()
	if d.Hash != fphash.DefaultHash {
		return nil
	}
	d.Hash, d.Encoding, d.Seed = "identity", fphash.LE64, 0
	codes, err := fphash.New(d)
	if err != nil {
		return nil
	}
	for b := range byte(64) {
		word := []byte{b}
		want, _, errWant := fphash.AppendUnit(s, nil, [][]byte{word})
		got, _, errGot := fphash.AppendUnit(codes, nil, []uint64{xxhash.Sum64(word)})
		if errWant != nil || errGot != nil || !slices.Equal(got, want) {
			return nil
		}
	}
	return codes
}

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
