package pipeline

import (
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"
)

func init() {
	register.Function2x0(byFingerprint)
	register.DoFn5x0[context.Context, []byte, func(*Position) bool, func(Fingerprint), func(Pair)](&copiesFn{})
	register.Emitter2[[]byte, Position]()
	register.Emitter1[Fingerprint]()
	register.Emitter1[Pair]()
	register.Iter1[Position]()
}

// byFingerprint has the position of a document under the bytes of its fingerprint.
func byFingerprint(r Record, emit func([]byte, Position)) {
	if r.Informative {
		emit(appendWords(nil, r.Words), r.Position)
	}
}

// copiesFn has the first of all documents with a fingerprint stand for them, and the others as
// pairs with it. A thousand copies would be half a million pairs, and a block that nothing divides.
type copiesFn struct{}

func (*copiesFn) ProcessElement(ctx context.Context, key []byte, positions func(*Position) bool, distinct func(Fingerprint), copies func(Pair)) {
	d := decoder{data: key}
	var all []Position
	for p := Position(0); positions(&p); {
		all = append(all, p)
	}
	slices.Sort(all)
	for _, p := range all[1:] {
		copies(Pair{A: all[0], B: p, Copies: true})
	}
	distinctCount.Inc(ctx, 1)
	distinct(Fingerprint{all[0], d.words()})
}

// distinct returns the distinct fingerprints, and what else has them.
func distinct(s beam.Scope, records beam.PCollection) (fingerprints, copies beam.PCollection) {
	s = s.Scope("distinct")
	return beam.ParDo2(s, &copiesFn{}, beam.GroupByKey(s, beam.ParDo(s, byFingerprint, records)))
}
