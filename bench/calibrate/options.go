package calibrate

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"simhashkit/fphash"
)

// Defaults and limits.
const (
	DefaultVectors   = 10_000
	DefaultCosine    = 0.9
	DefaultJaccard   = 0.8 // for which MinHash is asked
	DefaultRecall    = 0.95
	DefaultPrecision = 0.95
	MaxVectors       = 1_000_000 // in a sample
	leastPairs       = 30        // near-duplicates, and other pairs, for a suggestion
	leastWidth       = 8         // of fingerprints that are tried
	copyAngle        = 1e-6
	keyings          = 4 // of a hash that has a seed or a key: the user's, and those that follow
)

// Hash is one way to make fingerprints.
type Hash struct {
	Family   fphash.Family
	Sketch   fphash.Sketch // by MinHash vectors are sets, and Jaccard similarities stand for cosines
	Encoding fphash.Encoding
	Seed     uint64
	Tie      fphash.Tie
	Widen    fphash.Widen // for widths beyond the family's; see Options
}

// sketcher returns the sketcher of a width.
func (h Hash) sketcher(bits, workers int) (*fphash.Sketcher, error) {
	return fphash.New(fphash.WithFamily(h.Family), fphash.WithSketch(h.Sketch), fphash.WithEncoding(h.Encoding), fphash.WithSeed(h.Seed), fphash.WithTie(h.Tie), fphash.WithBits(bits),
		fphash.WithWiden(h.widenTo(bits)), fphash.WithWorkers(workers))
}

// keyed returns the hash under the keyings that its figures are means over.
func (h Hash) keyed() []Hash {
	list := []Hash{h}
	for i := 1; i < keyings && (h.Family.Seeded || h.Family.KeyBytes > 0); i++ {
		next := h
		next.Seed += uint64(i)
		list = append(list, next)
	}
	return list
}

// widenTo returns the widening that a width takes.
func (h Hash) widenTo(bits int) fphash.Widen {
	if bits <= h.Family.Bits || h.Sketch == fphash.MinHash {
		return fphash.WidenNone
	}
	return h.Widen
}

// widening names a way of widening, "" for none.
func widening(w fphash.Widen) string {
	if w == fphash.WidenNone {
		return ""
	}
	return w.String()
}

// widenable returns the hash with a way of widening to that many bits if it has none and one suits
// it.
func (h Hash) widenable(bits int) Hash {
	if h.Widen != fphash.WidenNone || h.Sketch == fphash.MinHash {
		return h
	}
	// the cheapest first
	for _, way := range []fphash.Widen{fphash.WidenMix, fphash.WidenCounter, fphash.WidenReseed} {
		wider := h
		wider.Widen = way
		if _, err := wider.sketcher(bits, 1); err == nil {
			return wider
		}
	}
	return h
}

// Options say what is wanted. What is 0 stands for its default.
type Options struct {
	Hash      Hash
	Bits      int                // width f; 64
	Cosine    float64            // from which on two vectors are near-duplicates; 0.9, by MinHash 0.8
	Recall    float64            // wanted; 0.95
	Precision float64            // wanted; 0.95
	Vectors   int                // in the sample, at most; 10,000
	Seed      uint64             // of the sample
	Workers   int                // goroutines; one for each processor
	Progress  func(part float64) // of the pairs that have been looked at, 0 to 1
}

func (o *Options) complete() error {
	usual := DefaultCosine
	if o.Hash.Sketch == fphash.MinHash {
		usual = DefaultJaccard
	}
	o.Cosine, o.Recall, o.Precision = cmp.Or(o.Cosine, usual), cmp.Or(o.Recall, DefaultRecall), cmp.Or(o.Precision, DefaultPrecision)
	o.Bits, o.Vectors = cmp.Or(o.Bits, 64), cmp.Or(o.Vectors, DefaultVectors)
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	switch {
	case !(o.Cosine > -1 && o.Cosine < 1):
		return fmt.Errorf("calibrate: cosine %v: expected one above -1 and below 1", o.Cosine)
	case !(o.Recall > 0 && o.Recall <= 1) || !(o.Precision > 0 && o.Precision <= 1):
		return fmt.Errorf("calibrate: recall %v and precision %v: expected both above 0 and at most 1", o.Recall, o.Precision)
	case o.Vectors < 2 || o.Vectors > MaxVectors:
		return fmt.Errorf("calibrate: a sample of %d vectors: expected 2 to %d", o.Vectors, MaxVectors)
	case o.Hash.Family.New == nil:
		return errors.New("calibrate: no hash")
	}
	return nil
}

// similarityOf names what distances of a sketch are about.
func similarityOf(sketch fphash.Sketch) string {
	if sketch == fphash.MinHash {
		return "Jaccard similarity"
	}
	return "cosine"
}

// calibration returns one in which nothing has been counted, of that many vectors given, used and
// skipped.
func (o *Options) calibration(given, used, skipped int) *Calibration {
	return &Calibration{Given: given, Similarity: similarityOf(o.Hash.Sketch), Used: used, Skipped: skipped, Bits: o.Bits, Cosine: o.Cosine, Recall: o.Recall, Precision: o.Precision, Bands: []Band{}, Widths: []Width{}}
}

// widths returns the widths that are tried: the wanted one, half of it, and two and four times as
// many bits, as far as the hash can be widened.
func (o *Options) widths(h Hash) []int {
	var widths []int
	for _, w := range []int{o.Bits / 2, o.Bits, 2 * o.Bits, 4 * o.Bits} {
		if w == o.Bits || w >= leastWidth && w <= fphash.MaxBits {
			if _, err := h.sketcher(w, 1); err == nil || w == o.Bits {
				widths = append(widths, w)
			}
		}
	}
	return slices.Compact(widths)
}
