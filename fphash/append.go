package fphash

import (
	"cmp"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"simhashkit/asm/accumulate"
)

// Append appends the fingerprint of a vector, which has s.Words() words. The vector has the value
// weights[i] in dimension features[i], or for the word features[i].
//
// Features may come in any order; repeated ones add up. With floating-point weights, the result
// depends on the order of features (see Order): pass them in ascending order so that others can
// reproduce the fingerprints.
//
// The status says whether the fingerprint is meaningful. If the vector is empty or its sums are not
// finite, Append still appends a fingerprint, so that positions remain right. It returns an error,
// and appends nothing, only for misuse: lengths that differ, floating-point weights of another type
// than the Sketcher's (ErrMismatch), or byte strings for a hash of integers. Append allocates
// only if dst has too little capacity, or if byte strings are longer than in earlier calls.
func Append[F Feature, W Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, Status, error) {
	if len(features) != len(weights) {
		return dst, NoInformation, errLengths(len(features), len(weights))
	}
	b := borrow(s)
	column := columnOf(weights)
	if indices, ok := any(features).([]uint64); ok && b.isPlain(len(indices)) && column.kind != b.refused {
		fingerprint, status := b.single(signsOf(b.hashPlain(indices), b.native(column), b.order))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), column)
}

// AppendUnit is a faster Append for features that all have weight 1: bit j of the fingerprint is
// the majority of bit j over all codes.
func AppendUnit[F Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, Status, error) {
	b := borrow(s)
	if indices, ok := any(features).([]uint64); ok && b.isPlain(len(indices)) {
		fingerprint, status := b.single(accumulate.SketchUnit(b.hashPlain(indices)))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), units(len(features)))
}

// appendAny is Append without the fast path.
func appendAny(s *Sketcher, b *buffers, dst []uint64, features, weights column) (_ []uint64, status Status, err error) {
	status = NoInformation
	if err = b.checkVector(features, weights); err == nil {
		at := len(dst)
		dst = b.extend(dst)
		status = b.sketch(dst[at:], features, weights)
	}
	giveBack(s, b)
	return dst, status, err
}

// extend returns dst extended by one fingerprint, which the caller must set.
func (d *definition) extend(dst []uint64) []uint64 {
	return slices.Grow(dst, d.words)[:len(dst)+d.words]
}

func errLengths(features, weights int) error {
	return fmt.Errorf("fphash: len(features) is %d but len(weights) is %d", features, weights)
}

// A batch is divided into spans of vectors. A worker takes one span after the other, so that a run
// of long vectors does not delay the batch.
const (
	spanFeatures   = 4096 // features per span, at 64 bits
	vectorFeatures = 16   // fixed cost of a vector, in features
)

// stepTime is the minimum running time of the spans that a worker takes together. It is much longer
// than the time to take them.
const stepTime = 10 * time.Microsecond

// AppendBatch appends the fingerprints of many vectors and a status for each.
//
// The vectors are in compressed sparse row form (CSR): vector i has the features and weights
// [offsets[i], offsets[i+1]), so there are len(offsets)-1 vectors, or none without offsets.
// AppendBatch appends one status and s.Words() words for each vector, in order, the same as Append.
// AppendBatch returns an error, and appends nothing, only for misuse, as Append does, or if offsets
// descend or are out of range.
//
// Cost: short vectors of indices cost less than with Append, because one call hashes several of
// them. A large batch runs on several cores (see WithWorkers). The calling goroutine processes the
// first part, and starts other goroutines if the measured time shows that it is worthwhile. They
// have ended when AppendBatch returns. If a hash panics or calls runtime.Goexit on one of them, so
// does the calling goroutine. On one core, AppendBatch allocates only if dst or status have too
// little capacity. On several cores, it also allocates a few small objects for each worker, and
// buffers the first time.
func AppendBatch[F Feature, W Weight, O ~int | ~int32 | ~int64](s *Sketcher, dst []uint64, status []Status, offsets []O, features []F, weights []W) ([]uint64, []Status, error) {
	if len(features) != len(weights) {
		return dst, status, errLengths(len(features), len(weights))
	}
	return appendBatch(s, dst, status, offsets, columnOf(features), columnOf(weights))
}

// AppendBatchUnit is AppendBatch with weight 1 for every feature.
func AppendBatchUnit[F Feature, O ~int | ~int32 | ~int64](s *Sketcher, dst []uint64, status []Status, offsets []O, features []F) ([]uint64, []Status, error) {
	return appendBatch(s, dst, status, offsets, columnOf(features), units(len(features)))
}

// appendBatch extends dst and status, and fills them.
func appendBatch[O ~int | ~int32 | ~int64](s *Sketcher, dst []uint64, status []Status, offsets []O, features, weights column) (_ []uint64, _ []Status, err error) {
	b := borrow(s)
	ends := ints(b, offsets)
	if err = cmp.Or(b.checkVector(features, weights), checkOffsets(ends, features.len)); err == nil && len(ends) > 0 {
		n := len(ends) - 1
		words := n * b.words
		dst = slices.Grow(dst, words)[:len(dst)+words]
		status = slices.Grow(status, n)[:len(status)+n]
		to := batch{
			fingerprints: dst[len(dst)-words:], status: status[len(status)-n:],
			offsets: ends, features: features, weights: weights,
		}
		to.runAll(b)
	}
	giveBack(s, b)
	return dst, status, err
}

// ints returns the offsets as ints.
func ints[O ~int | ~int32 | ~int64](b *buffers, offsets []O) []int {
	if kindOf[O]() == kindOf[int]() {
		return unsafe.Slice((*int)(unsafe.Pointer(unsafe.SliceData(offsets))), len(offsets))
	}
	list := b.offsets[:0]
	for _, o := range offsets {
		if int64(o) != int64(int(o)) {
			o = -1 // no slice of this length can exist on a machine with this word size
		}
		list = append(list, int(o))
	}
	if b.offsets = list; cap(list) > keptOffsets {
		b.offsets = nil
	}
	return list
}

// keptOffsets is the maximum capacity of the buffer for converted offsets that is kept between
// calls.
const keptOffsets = 1 << 17

func checkOffsets(offsets []int, features int) error {
	if len(offsets) > 0 && offsets[0] < 0 {
		return fmt.Errorf("fphash: offsets[0] is %d, expected 0 or more", offsets[0])
	}
	for i := 1; i < len(offsets); i++ {
		if offsets[i] < offsets[i-1] {
			return fmt.Errorf("fphash: offsets[%d] is %d, less than offsets[%d], which is %d", i, offsets[i], i-1, offsets[i-1])
		}
	}
	if i := len(offsets) - 1; i >= 0 && offsets[i] > features {
		return fmt.Errorf("fphash: offsets[%d] is %d, but there are %d features", i, offsets[i], features)
	}
	return nil
}

// split returns the maximum number of workers for a batch with the given cost, and its number of
// spans. A worker should have at least two spans, so the calling goroutine processes short batches
// itself.
func (s *buffers) split(cost int64) (workers, spans int) {
	workers = s.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	spans = int(min(cost*int64(s.words)/spanFeatures, 1<<20))
	return min(workers, spans/2), spans
}

// batch holds the vectors of a batch and the slices that receive their fingerprints.
type batch struct {
	fingerprints []uint64
	status       []Status

	offsets           []int
	features, weights column
}

// cost returns the cost of the first n vectors, in features. It increases with n even if vectors
// are empty.
func (b *batch) cost(n int) int64 {
	return int64(b.offsets[n]-b.offsets[0]) + vectorFeatures*int64(n)
}

// runAll processes all vectors. The caller processes more and more spans at a time, until their
// running time shows whether the remaining work justifies more workers.
func (b *batch) runAll(s *buffers) {
	n := len(b.status)
	workers, spans := s.split(b.cost(n))
	if workers < 2 {
		b.run(s, 0, n)
		return
	}
	start := time.Now()
	for done, step := 0, 1; done < spans; step *= 2 {
		from := done
		done = min(done+step, spans)
		b.runSpans(s, from, done, spans)
		if elapsed := time.Since(start); elapsed >= stepTime {
			workers = worthStarting(workers, spans-done, done, elapsed)
			b.share(s, workers, done, spans, step)
			return
		}
	}
}

// share processes the spans from first on with the given number of workers.
func (b *batch) share(s *buffers, workers, first, spans, step int) {
	if workers < 2 {
		b.runSpans(s, first, spans, spans)
		return
	}
	for len(s.helpers) < workers-1 {
		s.helpers = append(s.helpers, s.clone())
	}
	shared := *b // a copy: otherwise batches on one core would allocate
	share(s, s.helpers[:workers-1], first, spans, step, func(s *buffers, from, to int) { shared.runSpans(s, from, to, spans) })
}

// runSpans processes the vectors of the spans [from, to).
func (b *batch) runSpans(s *buffers, from, to, spans int) {
	b.run(s, b.boundary(from, spans), b.boundary(to, spans))
}

// boundary returns the first vector of a span, or the number of vectors if span is spans.
func (b *batch) boundary(span, spans int) int {
	n := len(b.status)
	if span == spans {
		return n
	}
	from := b.cost(n) / int64(spans) * int64(span)
	return sort.Search(n, func(i int) bool { return b.cost(i) >= from })
}

// run processes the vectors [from, to).
func (b *batch) run(s *buffers, from, to int) {
	for from < to {
		end := b.chunk(s, from, to)
		if end > from {
			b.runChunk(s, from, end)
		} else {
			end++
			b.runVector(s, from)
		}
		from = end
	}
}

// runVector processes vector i alone.
func (b *batch) runVector(s *buffers, i int) {
	from, to := b.offsets[i], b.offsets[i+1]
	features, weights := b.features.slice(from, to), b.weights.slice(from, to)
	b.status[i] = s.sketch(b.fingerprints[i*s.words:(i+1)*s.words], features, weights)
}

// chunk returns the end of the vectors from from on that are hashed in one call. If it returns
// from, the caller processes that vector alone: it is long, or its features are byte strings, which
// cost more to copy than a call.
func (b *batch) chunk(s *buffers, from, to int) int {
	if isBytes(b.features.kind) {
		return from
	}
	end, most := from, b.offsets[from]+s.chunk
	for end < to && b.offsets[end+1] <= most {
		end++
	}
	return end
}

// runChunk processes the vectors [from, to) of one chunk. It hashes their features in one call,
// which is faster for short vectors.
func (b *batch) runChunk(s *buffers, from, to int) {
	start, past := b.offsets[from], b.offsets[to]
	codes := s.encode(b.features.slice(start, past))
	for i := from; i < to; i++ {
		at, end := b.offsets[i], b.offsets[i+1]
		b.status[i] = s.sketchCodes(b.fingerprints[i*s.words:(i+1)*s.words], codes[at-start:], past-start, b.weights.slice(at, end))
	}
}

var (
	errNoInformation = errors.New("fphash: fingerprint carries no information: all sums are zero")
	errNotFinite     = errors.New("fphash: sum of weights is not finite")
)

// Status says whether a fingerprint is meaningful.
type Status uint8

// The statuses.
const (
	// Informative means that nothing is wrong with the fingerprint.
	Informative Status = iota
	// NoInformation means that every lane's sum is zero: the vector is
	// empty, all its weights are zero, or they cancel out. The tie rule
	// alone determines the fingerprint, which is 0 by default.
	NoInformation
	// NotFinite means that some lane's sum is infinite or not a number,
	// because a weight is, or because finite weights overflow. The
	// fingerprint is 0.
	NotFinite
)

var statusNames = [...]string{Informative: "informative", NoInformation: "no information", NotFinite: "not finite"}

// String returns the name of the status, such as "no information".
func (s Status) String() string { return nameOf(s, statusNames[:], "Status") }

// Err returns the status as an error: nil for Informative, and one fixed error for each other
// status, so that errors.Is(err, fphash.NotFinite.Err()) works.
func (s Status) Err() error {
	switch s {
	case NoInformation:
		return errNoInformation
	case NotFinite:
		return errNotFinite
	}
	return nil
}

// workerTime is the minimum remaining work that justifies starting another worker. It can take up
// to 100 µs to wake a processor of a virtual machine. That time is lost if the processor is busy,
// so it must be short compared to the work.
const workerTime = 500 * time.Microsecond

// worthStarting returns the number of workers, including the caller, for which enough work is left,
// judged by the running time of the finished spans.
func worthStarting(workers, left, done int, elapsed time.Duration) int {
	work := float64(elapsed) / float64(done) * float64(left)
	return int(min(float64(workers), 1+work/float64(workerTime)))
}

// sharedWork is a sequence of spans that several workers process, a few at a time.
type sharedWork struct {
	do      func(s *buffers, from, to int) // processes the spans [from, to)
	spans   int64
	step    int64        // number of spans that a worker takes at a time
	next    atomic.Int64 // the first span not yet taken
	workers sync.WaitGroup
	failure atomic.Pointer[failure] // of the first worker that failed
}

// failure describes how a worker ended early: by a panic with that reason, or by runtime.Goexit if
// reason is nil.
type failure struct{ reason any }

// share processes each of the spans [first, spans) once. The caller uses s, and a goroutine for
// each helper uses that helper's buffers. When share returns or panics, all goroutines have ended.
// If a hash panics or calls runtime.Goexit on one of them, so does the caller.
func share(s *buffers, helpers []*buffers, first, spans, step int, do func(s *buffers, from, to int)) {
	w := &sharedWork{do: do, spans: int64(spans), step: int64(step)}
	w.next.Store(int64(first))
	for _, helper := range helpers {
		w.workers.Go(func() { w.help(helper) })
	}
	w.lead(s)
	if f := w.failure.Load(); f != nil {
		if f.reason == nil {
			runtime.Goexit()
		}
		panic(f.reason)
	}
}

// lead processes spans on the caller's goroutine and then waits for the helpers. It waits even if a
// hash panics, because the helpers must not write after the caller continues.
func (w *sharedWork) lead(s *buffers) {
	defer w.workers.Wait()
	defer w.stop()
	w.work(s)
}

// help processes spans on its own goroutine, and records a failure for the caller.
func (w *sharedWork) help(s *buffers) {
	returned := false
	defer func() {
		if !returned {
			w.failure.CompareAndSwap(nil, &failure{recover()})
			w.stop()
		}
	}()
	w.work(s)
	returned = true
}

// work takes spans until none is left.
func (w *sharedWork) work(s *buffers) {
	for {
		to := w.next.Add(w.step)
		from := to - w.step
		if from >= w.spans {
			return
		}
		w.do(s, int(from), int(min(to, w.spans)))
	}
}

// stop ends the work: no spans are left to take.
func (w *sharedWork) stop() { w.next.Store(w.spans) }
