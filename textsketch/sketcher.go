package textsketch

import (
	"cmp"
	"errors"
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// Options says how fingerprints of texts are made.
type Options struct {
	Text    text.Options
	Weights weights.Options
	Hash    *fphash.Sketcher // must be there, or Convention

	// Convention computes the fingerprints in place of Hash, if it is not nil; with OwnFeatures it
	// makes the features too, and Text and Weights do not matter.
	Convention  Convention
	OwnFeatures bool

	// Whole makes a text without features, such as one of punctuation, one feature: all its bytes.
	// So such texts are near only those that are equal to them. An empty text has none.
	Whole bool
}

// Convention computes fingerprints as another system does, as a Sketcher of package
// simhashkit/fphash/conventions. It is safe for concurrent use.
type Convention interface {
	String() string // the definition
	Bits() int
	Words() int
	// AppendFeatures appends the fingerprint of features; without weights each occurrence counts
	// once.
	AppendFeatures(dst []uint64, features [][]byte, weights []float64) ([]uint64, fphash.Status, error)
	// AppendText appends the fingerprint of a text, of which the system itself makes features.
	AppendText(dst []uint64, text []byte) ([]uint64, fphash.Status, error)
}

// Sketcher holds what fingerprints of texts depend on. It never changes and is safe for concurrent
// use. It computes nothing itself: each goroutine calls Local.
type Sketcher struct {
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	hash     *fphash.Sketcher // nil where there is a convention
	codes    *fphash.Sketcher // takes codes of the hash in place of features; nil if there is no need
	route    route

	convention  Convention
	ownFeatures bool
	whole       bool
}

// route is how features come to their codes.
type route int

const (
	byCounts  route = iota // each occurrence of a feature counts once: no vector is made
	byIndices              // as byCounts, of shingles that are numbers
	byCodes                // as byCounts, of words that are hashed where they are cut
	byWeights              // a vector of features and weights
)

// New returns a Sketcher. It loads the dictionaries that the text options ask for, which can take
// seconds the first time.
func New(o Options) (*Sketcher, error) {
	switch {
	case o.Hash == nil && o.Convention == nil:
		return nil, errors.New("textsketch: neither a Hash nor a Convention, expected one of them")
	case o.Convention == nil && o.Hash.Definition().Sketch == fphash.MinHash:
		if scheme := cmp.Or(o.Weights.Scheme, weights.Count); scheme != weights.Count || o.Weights.Top != 0 {
			return nil, fmt.Errorf("textsketch: weights %s, expected %s and all features by MinHash, which takes sets", scheme, weights.Count)
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
	s := &Sketcher{analyzer: analyzer, weigher: weigher, hash: o.Hash, route: byWeights, convention: o.Convention, ownFeatures: o.OwnFeatures, whole: o.Whole}
	if scheme := o.Weights.Scheme; (scheme == "" || scheme == weights.Count) && o.Weights.Top == 0 {
		s.route = byCounts
		switch t := analyzer.Options(); {
		case s.convention != nil:
		case t.Features == text.Bytes && t.N <= 8:
			s.route = byIndices
		case t.Features == text.Words && t.N == 1:
			if s.codes = codesOf(o.Hash); s.codes != nil {
				s.route = byCodes
			}
		}
	}
	return s, nil
}

// Definition returns what the fingerprints depend on, in one line: features, weights, hash. It is
// not an fphash.Definition: in index files, store Hash.String() as Definition and Features() as
// Features.
func (s *Sketcher) Definition() string {
	if s.convention != nil {
		return s.Features() + "; " + s.convention.String()
	}
	return s.Features() + "; " + s.hash.String()
}

// Features returns the first part of Definition: features and weights.
func (s *Sketcher) Features() string {
	if s.ownFeatures {
		return "its own features"
	}
	return s.analyzer.Options().String() + "; " + s.weigher.String()
}

// Bits returns the width of the fingerprints.
func (s *Sketcher) Bits() int { return s.made().Bits() }

// made returns what computes the fingerprints.
func (s *Sketcher) made() interface {
	Bits() int
	Words() int
} {
	if s.convention != nil {
		return s.convention
	}
	return s.hash
}

// Words returns the number of words of a fingerprint.
func (s *Sketcher) Words() int { return s.made().Words() }
