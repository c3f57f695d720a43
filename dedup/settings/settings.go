package settings

import (
	"context"
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/textsketch"
)

// Setting is how fingerprints of texts are made, and in how many bits near ones differ at most.
type Setting struct {
	Features string         `json:"features"`
	Weights  weights.Scheme `json:"weights,omitempty"` // none by MinHash
	Sketch   string         `json:"sketch"`
	Bits     int            `json:"bits"`
	K        int            `json:"k"`
}

// Default is what dedup does unasked.
var Default = Setting{Features: text.Words, Weights: weights.Count, Sketch: fphash.SimHash.String(), Bits: 64, K: dedup.DefaultK(fphash.SimHash, 64)}

// Widen returns how the hash gets the width: xxh64, the default, has 64 bits.
func (s Setting) Widen() string {
	if s.Bits > 64 && s.Sketch == fphash.SimHash.String() {
		return fphash.WidenMix.String()
	}
	return fphash.WidenNone.String()
}

// Flags returns the setting as the flags of fphash dedup.
func (s Setting) Flags() string {
	flags := "--features " + s.Features
	if s.Sketch != fphash.SimHash.String() {
		flags += " --sketch " + s.Sketch
	} else {
		flags += " --weights " + string(s.Weights)
	}
	if s.Bits != 64 {
		flags += fmt.Sprintf(" --bits %d", s.Bits)
	}
	if s.Widen() != fphash.WidenNone.String() {
		flags += " --widen " + s.Widen()
	}
	return flags + fmt.Sprintf(" --k %d", s.K)
}

func (s Setting) sketcher(weighed weights.Options) (*textsketch.Sketcher, error) {
	features, err := text.ParseOptions(s.Features)
	if err != nil {
		return nil, err
	}
	options := []fphash.Option{fphash.WithBits(s.Bits), fphash.WithWorkers(1)}
	if s.Sketch == fphash.MinHash.String() {
		options, weighed = append(options, fphash.WithSketch(fphash.MinHash)), weights.Options{}
	} else if s.Bits > 64 {
		options = append(options, fphash.WithWiden(fphash.WidenMix))
	}
	hash, err := fphash.New(options...)
	if err != nil {
		return nil, err
	}
	return textsketch.New(textsketch.Options{Text: features, Weights: weighed, Hash: hash})
}

// Options say among what to choose, and for what.
type Options struct {
	Jaccard  float64           // from which on texts are near; 0 is DefaultJaccard
	Features []string          // definitions of package text; none: those that suit the script
	Weights  []weights.Options // of simhash; none: count and log
	Sketch   string            // simhash or minhash; "": both
	Seed     uint64            // of the edits
	Workers  int               // goroutines; 0 is GOMAXPROCS
	Progress func(part float64)
}

// DefaultJaccard is the Jaccard similarity of runs of three words from which on texts are near.
const DefaultJaccard = 0.8

// candidate is a setting to be tried, whose K is to be found.
type candidate struct {
	Setting
	weighed weights.Options
}

// candidates lists the settings to be tried, the cheapest features first.
func (o *Options) candidates(spaced bool) (list []candidate) {
	features, weighed := o.Features, o.Weights
	if len(features) == 0 {
		features = []string{"words,fold", "words,fold,n=2", "words,fold,n=3", "characters,fold,n=5"}
		if !spaced {
			features = []string{"words", "words,n=2", "characters,n=2", "characters,n=3"}
		}
	}
	simhash, minhash := fphash.SimHash.String(), fphash.MinHash.String()
	if len(weighed) == 0 {
		weighed = []weights.Options{{Scheme: weights.LogCount}}
		if len(o.Features) == 0 && o.Sketch != minhash {
			list = append(list, candidate{Default, weights.Options{Scheme: weights.Count}})
		}
	}
	for _, f := range features {
		for _, bits := range []int{64, 128} {
			for _, w := range weighed {
				if o.Sketch != minhash {
					list = append(list, candidate{Setting{Features: f, Weights: w.Scheme, Sketch: simhash, Bits: bits}, w})
				}
			}
			if o.Sketch != simhash && len(o.Weights) == 0 {
				list = append(list, candidate{Setting{Features: f, Sketch: minhash, Bits: bits}, weights.Options{}})
			}
		}
	}
	return list
}

// Choose tries settings on a sample of texts. Of long texts the beginning is taken, and of many the
// first that have 8 MB together: their order is to be random. It fails where features or weights
// make no sense and, with its cause, where the context is done.
//
// Cost: some seconds on one core for 2,000 texts, whose pairs are all compared.
func Choose(ctx context.Context, texts [][]byte, o Options) (*Answer, error) {
	if o.Jaccard == 0 {
		o.Jaccard = DefaultJaccard
	}
	if o.Progress == nil {
		o.Progress = func(float64) {}
	}
	s, err := newSample(ctx, texts, o)
	if err != nil {
		return nil, err
	}
	a := &Answer{Jaccard: o.Jaccard, Given: len(texts), Used: len(s.texts), Copies: len(s.copies) / len(Edits), Near: s.near, Strangers: s.strangers}
	list := append([]candidate{{Default, weights.Options{Scheme: weights.Count}}}, o.candidates(s.spaced)...)
	figures, err := s.measure(ctx, list, a.score, o)
	if err != nil {
		return nil, err
	}
	a.Default, a.Tried = figures[0], figures[1:]
	if chosen := a.choose(); chosen >= 0 {
		a.Verified, a.Wrong, err = s.verified(ctx, candidate{a.Setting.Setting, list[1+chosen].weighed})
	}
	return a, err
}
