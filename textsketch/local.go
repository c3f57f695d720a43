package textsketch

import (
	"errors"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/fphash"
)

// Local is a Sketcher's form for one goroutine at a time, with buffers of its own.
type Local struct {
	route    route
	analyzer *text.Analyzer
	weigher  *weights.Weigher
	hash     *fphash.Sketcher // on the route by codes, of these
	system   *Sketcher        // with a convention; nil without
	features [][]byte
	indices  []uint64
	count    int                        // of features of the last text
	whole    *fphash.Sketcher           // of texts without features; nil if they have no fingerprint
	sums     *fphash.Accumulator[int64] // of a long text; nil until there is one
}

// Local returns a form of the Sketcher for one goroutine.
func (s *Sketcher) Local() *Local {
	l := &Local{route: s.route, analyzer: s.analyzer.Clone(), weigher: s.weigher.Local()}
	switch {
	case s.convention != nil:
		l.system = s
	case s.route == byCodes:
		l.hash = s.codes.Local()
	default:
		l.hash = s.hash.Local()
	}
	if s.whole && s.convention == nil {
		l.whole = s.hash.Local()
	}
	return l
}

// Features returns how many features the last text had, repeats included.
func (l *Local) Features() int { return l.count }

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
	from := len(dst)
	dst, status, err := l.append(dst, text)
	if err == nil && l.whole != nil && l.count == 0 && len(text) > 0 {
		return fphash.AppendUnit(l.whole, dst[:from], [][]byte{text})
	}
	return dst, status, err
}

func (l *Local) append(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	if len(text) >= longDocument {
		defer l.forget()
	}
	if l.system != nil {
		return l.appendConvention(dst, text)
	}
	switch {
	case l.isLong(text):
		if err := l.sum(text); err != nil {
			return dst, fphash.NoInformation, err
		}
		dst, status := l.sums.Append(dst)
		return dst, status, nil
	case l.route == byIndices, l.route == byCodes:
		return fphash.AppendUnit(l.hash, dst, l.findIndices(text))
	case l.route == byCounts:
		return fphash.AppendUnit(l.hash, dst, l.find(text))
	}
	v := l.weigh(text)
	return fphash.Append(l.hash, dst, v.Features, v.Weights)
}

// forget lets a huge text go, to which features refer, and room that was made for it.
func (l *Local) forget() {
	l.analyzer, l.weigher, l.features, l.indices = l.analyzer.Clone(), l.weigher.Local(), nil, nil
}

// find returns the features of a text, valid until the next call.
func (l *Local) find(text []byte) [][]byte {
	l.features = l.analyzer.Append(l.features[:0], text)
	l.count = len(l.features)
	return l.features
}

// weigh returns the vector of a text. The features of long ones are counted some at a time, where
// their bytes last until all are.
func (l *Local) weigh(document []byte) weights.Vector {
	if o := l.analyzer.Options(); len(document) <= longText || o.Features == text.Words && o.N > 1 {
		return l.weigher.Weigh(l.find(document))
	}
	l.count = 0
	return l.weigher.WeighBatches(func(yield func([][]byte) bool) {
		for features := range l.analyzer.Batches(document) {
			l.count += len(features)
			if !yield(features) {
				return
			}
		}
	})
}

// findIndices is find for features that are numbers, or their codes.
func (l *Local) findIndices(text []byte) []uint64 {
	l.indices = l.analyzer.AppendIndices(l.indices[:0], text)
	l.count = len(l.indices)
	return l.indices
}

// appendConvention appends the fingerprint by the convention; shingles are byte strings like
// others.
func (l *Local) appendConvention(dst []uint64, text []byte) ([]uint64, fphash.Status, error) {
	if l.system.ownFeatures {
		return l.system.convention.AppendText(dst, text)
	}
	if l.route == byCounts {
		return l.system.convention.AppendFeatures(dst, l.find(text), nil)
	}
	v := l.weigh(text)
	return l.system.convention.AppendFeatures(dst, v.Features, v.Weights)
}

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
