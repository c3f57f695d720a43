package source

import (
	"errors"

	"simhashkit/datasets"
	"simhashkit/datasets/text"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/similarity"
	"simhashkit/textsketch"
)

// DefaultSpec returns the default definition of near-duplicates for the records. In source code,
// symbols count as words.
func (s *Source) DefaultSpec() dedup.Spec {
	switch s.Kind {
	case Texts:
		return dedup.Spec{Measure: dedup.Words, Similarity: dedup.DefaultTextSimilarity, Recall: dedup.DefaultRecall, Symbols: s.Code}
	case Vectors:
		return dedup.Spec{Measure: dedup.Cosine, Similarity: dedup.DefaultVectorSimilarity, Recall: dedup.DefaultRecall}
	}
	return dedup.Spec{K: dedup.UsualK}
}

// MethodOf returns the Method for the fingerprints by which a search with a similarity finds
// candidates.
func MethodOf(spec dedup.Spec, workers int) (Method, error) { return methodOf(spec, nil, workers) }

// MethodWithKeys returns the Method of texts, which also computes keys; see package internal/dedup/keys.
func MethodWithKeys(spec dedup.Spec, keys textsketch.Keys, workers int) (Method, error) {
	return methodOf(spec, &keys, workers)
}

func methodOf(spec dedup.Spec, keys *textsketch.Keys, workers int) (Method, error) {
	if err := spec.Check(); err != nil {
		return Method{}, err
	}
	if spec.Similarity == 0 {
		return Method{}, errors.New("a Spec without a similarity requires a Method")
	}
	c := spec.Candidates()
	d := fphash.Definition{Hash: fphash.DefaultHash, Kind: c.Sketch, Bits: c.Bits}
	if c.Sketch == fphash.SimHash {
		d.Widen, d.Lanes = fphash.WidenMix, fphash.Float32
	}
	hash, err := fphash.New(d, fphash.WithWorkers(workers))
	if err != nil || spec.Measure == dedup.Cosine {
		return Method{Hash: hash, Weights: datasets.Float32, Workers: workers}, err
	}
	texts, err := textsketch.New(textsketch.Options{Text: featuresOf(spec), Hash: hash, Whole: true, Keys: keys})
	return Method{Hash: hash, Texts: texts, Workers: workers}, err
}

// featuresOf returns the features of texts that are compared by similarity: their words, numbered
// unless texts are compared as sets of words.
func featuresOf(spec dedup.Spec) text.Options {
	features := similarity.Features(spec.Symbols)
	features.Numbered = spec.Measure != dedup.Jaccard
	return features
}

// AreFeaturesOfSpec reports whether features are those of a search with a similarity.
func AreFeaturesOfSpec(features string) bool {
	for _, measure := range dedup.TextMeasures() {
		for _, symbols := range []bool{false, true} {
			if features == featuresOf(dedup.Spec{Measure: measure, Symbols: symbols}).String() {
				return true
			}
		}
	}
	return false
}
