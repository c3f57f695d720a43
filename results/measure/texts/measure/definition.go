package measure

import (
	"fmt"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
	"simhashkit/results/measure/texts/collections"
)

// Definition is features and what they weigh.
type Definition struct {
	Features string // as text.ParseOptions reads them
	Weights  weights.Scheme
}

// Set weighs nothing: features are a set, whose fingerprints are those of 1-bit MinHash.
const Set weights.Scheme = "set"

// featuresOf are the features that are tried for a language.
var featuresOf = map[string][]string{
	collections.English: {
		"words", "words,fold", "words,fold,lang=en,stop", "words,fold,lang=en,stem", "words,fold,n=2", "words,fold,n=3",
		"characters,fold,n=3", "characters,fold,n=5", "bytes,n=4", "bytes,n=8",
	},
	collections.Chinese: {
		"words", "words,n=2", "words,lang=zh", "words,lang=zh,n=2", "characters,n=1", "characters,n=2", "characters,n=3", "bytes,n=4", "bytes,n=8",
	},
	collections.Japanese: {
		"words", "words,n=2", "characters,n=1", "characters,n=2", "characters,n=3", "bytes,n=4", "bytes,n=8",
	},
}

// Definitions are all that are tried for a collection: those that are Shown where it is unfit.
// TextRank looks at which words stand near which others, so it is tried on single words alone.
func Definitions(c *collections.Collection) (list []Definition) {
	if c.Unfit {
		return Shown[c.Language]
	}
	for _, features := range featuresOf[c.Language] {
		for _, scheme := range []weights.Scheme{weights.Count, weights.LogCount, weights.TFIDF, weights.LogTFIDF} {
			list = append(list, Definition{features, scheme})
		}
		if strings.HasPrefix(features, text.Words) && !strings.Contains(features, "n=") {
			list = append(list, Definition{features, weights.TextRank})
		}
	}
	return list
}

// SetDefinitions are those of MinHash that are tried for a collection.
func SetDefinitions(c *collections.Collection) (list []Definition) {
	for _, features := range featuresOf[c.Language] {
		list = append(list, Definition{features, Set})
	}
	return list
}

// Way is a width of fingerprints.
type Way struct{ Bits int }

// Ways are all that are tried.
var Ways = []Way{{64}, {128}, {256}}

// DefaultK is the k of the commands for a width.
func (w Way) DefaultK() int { return 3 * w.Bits / 64 }

// keys is what names say of a way.
func (w Way) keys() []string { return []string{"f", strconv.Itoa(w.Bits)} }

// sketcher returns what makes the fingerprints: the default hash, widened by the way that has no
// second pass over the bytes; of a set, MinHash.
func (w Way) sketcher(scheme weights.Scheme) (*fphash.Sketcher, error) {
	options := []fphash.Option{fphash.WithBits(w.Bits)}
	switch {
	case scheme == Set:
		options = append(options, fphash.WithSketch(fphash.MinHash))
	case w.Bits > 64:
		options = append(options, fphash.WithWiden(fphash.WidenMix))
	}
	s, err := fphash.New(options...)
	if err != nil {
		return nil, fmt.Errorf("measure: %w", err)
	}
	return s, nil
}

// nameOf is what names of rows say of a collection.
func nameOf(base string, c *collections.Collection, more ...string) benchname.Name {
	return benchname.New(base, append([]string{"collection", c.Name, "lang", c.Language, "length", c.Length}, more...)...)
}
