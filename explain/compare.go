package explain

import (
	"errors"
	"fmt"
	"math"

	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/internal/binomial"
)

// Document is a document of which the features have been weighed.
type Document struct {
	Name       string // in what is printed
	Characters int    // of its text
	Vector     weights.Vector
}

// Options says how documents are compared.
type Options struct {
	Sketcher *fphash.Sketcher
	K        int // near-duplicates differ in at most so many bits
	Words    int // how many words of each kind are listed
}

// Comparison is what there is to say of two documents.
type Comparison struct {
	A, B      Side
	Bits, K   int
	Distance  int
	Estimated float64 // cosine, by the distance
	Cosine    float64 // of the vectors
	Finds     float64 // probability, by the model, that k finds a pair of this cosine
	Heaviest  []Word  // words that weigh most in both together
	Differing []Word  // words that make most of the difference
}

// Side is one of the two documents.
type Side struct {
	Name        string
	Characters  int
	Features    int // different ones
	Fingerprint fphash.Fingerprint
	Status      fphash.Status
	Change      Change
}

// Change is what becomes of a document if one of its features is replaced by another of the same
// weight: how much a threshold must forgive.
type Change struct {
	Cosine float64 // between before and after, for a feature of average weight
	Finds  float64 // probability, by the model, that k finds it
	K      int     // the least that finds 95 of 100
}

// wanted is the part of small changes that a good threshold finds, and least that below which a
// document is called too short for its threshold.
const (
	wanted = 0.95
	least  = 0.5
)

// Word is a feature and its weights.
type Word struct {
	Feature []byte
	A, B    float64 // weights; 0 where it is none of the document's
	Part    float64 // of the weight of both vectors, or of the difference, as squares
}

// Compare compares two documents.
func Compare(a, b Document, o Options) (*Comparison, error) {
	switch {
	case o.Sketcher == nil:
		return nil, errors.New("explain: expected a Sketcher")
	case o.K < 0 || o.K > o.Sketcher.Bits():
		return nil, fmt.Errorf("explain: k = %d: expected 0 to %d, the width of the fingerprints", o.K, o.Sketcher.Bits())
	case o.Words < 0:
		return nil, fmt.Errorf("explain: %d words: expected 0 or more", o.Words)
	}
	c := &Comparison{Bits: o.Sketcher.Bits(), K: o.K, Cosine: weights.Cosine(a.Vector, b.Vector)}
	var err error
	if c.A, err = side(a, o); err == nil {
		c.B, err = side(b, o)
	}
	if err != nil {
		return nil, fmt.Errorf("explain: %w", err)
	}
	c.Distance = fphash.Distance(c.A.Fingerprint, c.B.Fingerprint)
	c.Estimated = fphash.Cosine(c.Distance, c.Bits)
	c.Finds = cumulative(c.Cosine, c.Bits)[c.K]
	c.Heaviest, c.Differing = words(a.Vector, b.Vector, o.Words)
	return c, nil
}

// Comparable reports whether both documents have a fingerprint that says something of them.
func (c *Comparison) Comparable() bool {
	return c.A.Status == fphash.Informative && c.B.Status == fphash.Informative
}

// Near reports whether the documents are near-duplicates by their fingerprints.
func (c *Comparison) Near() bool { return c.Comparable() && c.Distance <= c.K }

// TooShort reports whether the threshold is likelier than not to miss a document after a change of
// one feature.
func (c *Comparison) TooShort(s Side) bool { return s.Features > 0 && s.Change.Missed() }

// Missed reports whether the threshold is likelier than not to miss the document after the change.
func (c Change) Missed() bool { return c.Finds < least }

func side(d Document, o Options) (Side, error) {
	words, status, err := fphash.Append(o.Sketcher, nil, d.Vector.Features, d.Vector.Weights)
	s := Side{Name: d.Name, Characters: d.Characters, Features: d.Vector.Len(), Fingerprint: words, Status: status}
	if s.Features > 0 {
		s.Change = ChangeOf(s.Features, o.Sketcher.Bits(), o.K)
	}
	return s, err
}

// ChangeOf returns what becomes of a document when one of its n features, 1 or more, is replaced by
// another. With weights whose squares have the mean m, of n·m there are m less in the scalar
// product, and the length stays.
func ChangeOf(n, bits, k int) Change {
	cosine := 1 - 1/float64(n)
	within := cumulative(cosine, bits)
	change := Change{Cosine: cosine, Finds: within[k]}
	for within[change.K] < wanted {
		change.K++
	}
	return change
}

// cumulative returns the model's probabilities of distances of at most 0 to bits.
func cumulative(cosine float64, bits int) []float64 {
	within := make([]float64, bits+1)
	binomial.AtMost(within, math.Acos(max(-1, min(1, cosine)))/math.Pi)
	return within
}
