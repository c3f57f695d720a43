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
	switch {
	case l.isLong(text):
		return l.add(a, text, l.route == byIndices)
	case l.route == byIndices:
		return fphash.Add(a, 1, l.findIndices(text)...)
	}
	return fphash.Add(a, 1, l.find(text)...)
}

// Accumulator returns an empty accumulator for Accumulate, nil with a convention.
func (s *Sketcher) Accumulator() *fphash.Accumulator[int64] {
	if s.hash == nil {
		return nil
	}
	return fphash.NewAccumulator[int64](s.hash)
}

// longText is how many bytes a text has whose features are no longer held all at once: up to 24
// bytes for each byte of the text, and more where that grows.
const longText = 64 << 10

// isLong reports whether the features of a text are to be added some at a time. Sums of integers
// are the same in any order; other weights are known only when the whole text is.
func (l *Local) isLong(text []byte) bool { return len(text) > longText && l.route != byWeights }

// sum adds up the features of a text.
func (l *Local) sum(text []byte) error {
	if l.sums == nil {
		l.sums = fphash.NewAccumulator[int64](l.hash)
	}
	l.sums.Reset()
	return l.add(l.sums, text, l.route != byCounts)
}

// add adds the features of a text, or their indices, some at a time.
func (l *Local) add(a *fphash.Accumulator[int64], text []byte, byIndices bool) error {
	l.count = 0
	if byIndices {
		for indices := range l.analyzer.IndexBatches(text) {
			l.count += len(indices)
			if err := fphash.Add(a, 1, indices...); err != nil {
				return err
			}
		}
		return nil
	}
	for features := range l.analyzer.Batches(text) {
		l.count += len(features)
		if err := fphash.Add(a, 1, features...); err != nil {
			return err
		}
	}
	return nil
}
