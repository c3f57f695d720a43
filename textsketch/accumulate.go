package textsketch

import (
	"errors"

	"simhashkit/fphash"
)

// Accumulate adds the features of a text to an accumulator of the Sketcher's hash: a document that
// comes in parts has the fingerprint of the sums of all of them, whatever their order and wherever
// each was summed. Features that would reach from one part into the next, such as n-grams, are not
// among them.
//
// It fails, with nothing added, unless each occurrence of a feature counts once: other weights are
// known only when the whole text is.
func (l *Local) Accumulate(a *fphash.Accumulator[int64], text []byte) error {
	if l.system != nil || l.route == byWeights {
		return errors.New("textsketch: parts of a text add up where features are counted; expected weights count and no convention")
	}
	if l.route == byIndices {
		l.indices = l.analyzer.AppendIndices(l.indices[:0], text)
		return fphash.Add(a, 1, l.indices...)
	}
	l.features = l.analyzer.Append(l.features[:0], text)
	return fphash.Add(a, 1, l.features...)
}

// Accumulator returns an empty accumulator for Accumulate, nil with a convention.
func (s *Sketcher) Accumulator() *fphash.Accumulator[int64] {
	if s.hash == nil {
		return nil
	}
	return fphash.NewAccumulator[int64](s.hash)
}
