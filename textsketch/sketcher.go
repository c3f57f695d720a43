// Package textsketch computes fingerprints of texts: of one text, or of all documents of a file on
// several cores. It combines features (datasets/text), weights (datasets/text/weights) and hashing
// (fphash).
//
// [New] makes a [Sketcher], and each goroutine calls [Sketcher.Local] for one that computes.
// [Sketcher.Definition] says all that the fingerprints depend on: compare only fingerprints of
// equal definitions.
package textsketch

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/cespare/xxhash/v2"
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

// codesOf returns a Sketcher with the fingerprints of s that takes the XXH64 of a byte string in
// place of it, so that words are hashed where they are cut. It is nil if the hash of s is another
// one, which 64 fingerprints of one word each tell: a name does not, of a seed, a way to widen or a
// family of the user's own.
func codesOf(s *fphash.Sketcher) *fphash.Sketcher {
	d := s.Definition()
	if d.Hash != fphash.DefaultHash {
		return nil
	}
	d.Hash, d.Encoding, d.Seed = "identity", fphash.LE64, 0
	codes, err := fphash.New(fphash.WithDefinition(d))
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
