package textsketch

import (
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// Options says how fingerprints of texts are made.
type Options struct {
	Text    text.Options
	Weights weights.Options
	Hash    *fphash.Sketcher
}

// Sketcher computes fingerprints of texts. It never changes and is safe for concurrent use, by way
// of a Local for each goroutine.
type Sketcher struct {
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	hash     *fphash.Sketcher
	route    route
}

// route is how features come to their codes.
type route int

const (
	byCounts  route = iota // each occurrence of a feature counts once: no vector is made
	byIndices              // as byCounts, of shingles that are numbers
	byWeights              // a vector of features and weights
)

// New returns a Sketcher. It loads the dictionaries that the text options ask for, which can take
// seconds the first time.
func New(o Options) (*Sketcher, error) {
	analyzer, err := text.New(o.Text)
	if err != nil {
		return nil, err
	}
	weigher, err := weights.New(o.Weights)
	if err != nil {
		return nil, err
	}
	s := &Sketcher{analyzer: analyzer, weigher: weigher, hash: o.Hash, route: byWeights}
	if scheme := o.Weights.Scheme; (scheme == "" || scheme == weights.Count) && o.Weights.Top == 0 {
		s.route = byCounts
		if t := analyzer.Options(); t.Features == text.Bytes && t.N <= 8 {
			s.route = byIndices
		}
	}
	return s, nil
}

// Definition returns what the fingerprints depend on, in one line: features, weights, hash.
func (s *Sketcher) Definition() string {
	return s.analyzer.Options().String() + "; " + s.weigher.String() + "; " + s.hash.String()
}

// Bits returns the width of the fingerprints.
func (s *Sketcher) Bits() int { return s.hash.Bits() }

// Words returns the number of words of a fingerprint.
func (s *Sketcher) Words() int { return s.hash.Words() }

// Local is a Sketcher's form for one goroutine at a time, with buffers of its own.
type Local struct {
	route    route
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	hash     *fphash.LocalSketcher
	features [][]byte
	indices  []uint64
}

// Local returns a form of the Sketcher for one goroutine.
func (s *Sketcher) Local() *Local {
	return &Local{route: s.route, analyzer: s.analyzer.Clone(), weigher: s.weigher.Local(), hash: s.hash.Local()}
}

// Features returns how many features the last text had, repeats included.
func (l *Local) Features() int {
	if l.route == byIndices {
		return len(l.indices)
	}
	return len(l.features)
}

// Append appends the fingerprint of a text to dst.
//
// With counts for weights the lanes are integers, which no order of the features changes: they go
// to the hash as they stand in the text, with repeats. Other weights are summed as float64, the
// features in ascending order of their bytes.
//
// A shingle of up to 8 bytes is a number, the bytes in little-endian order, and is hashed as an
// index is; other features are hashed byte by byte. For shingles of exactly 8 bytes both are the
// same.
func (l *Local) Append(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	if l.route == byIndices {
		l.indices = l.analyzer.AppendIndices(l.indices[:0], text)
		return fphash.AppendUnit(l.hash, dst, l.indices)
	}
	l.features = l.analyzer.Append(l.features[:0], text)
	if l.route == byCounts {
		return fphash.AppendUnit(l.hash, dst, l.features)
	}
	v := l.weigher.Weigh(l.features)
	return fphash.Append(l.hash, dst, v.Features, v.Weights)
}
