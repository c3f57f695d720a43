package fphash

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"sort"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"

	"simhashkit/asm/accumulate"
)

// Append appends the fingerprint of the vector whose value in dimension features[i], or for the
// word features[i], is weights[i]: s.Words() words.
//
// Features may come in any order; repeated ones add up. With floating-point weights the order of
// the features is part of the input (see Order): pass them in ascending order to have fingerprints
// that others can reproduce.
//
// The status says whether the fingerprint means anything: one of a vector that is empty or whose
// sums are not finite is appended too, so that positions stay right. The error is for misuse, with
// nothing appended: lengths that differ, byte strings for a hash that takes none. Append allocates
// only if dst has no room and when byte strings are longer than before.
func Append[F Feature, W Weight](s *Sketcher, dst []uint64, features []F, weights []W) ([]uint64, Status, error) {
	if len(features) != len(weights) {
		return dst, NoInformation, errLengths(len(features), len(weights))
	}
	b := borrow(s)
	if indices, ok := any(features).([]uint64); ok && b.isPlain(len(indices)) {
		fingerprint, status := b.single(signsOf(b.hashPlain(indices), b.native(columnOf(weights)), b.order))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), columnOf(weights))
}

// AppendUnit is Append with weight 1 for every feature, and faster: bit j of the fingerprint is
// that of most codes.
func AppendUnit[F Feature](s *Sketcher, dst []uint64, features []F) ([]uint64, Status, error) {
	b := borrow(s)
	if indices, ok := any(features).([]uint64); ok && b.isPlain(len(indices)) {
		fingerprint, status := b.single(accumulate.SketchUnit(b.hashPlain(indices)))
		giveBack(s, b)
		return append(dst, fingerprint), status, nil
	}
	return appendAny(s, b, dst, columnOf(features), units(len(features)))
}

// appendAny is Append for whatever is not the common case.
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

// extend returns dst with room for one more fingerprint, which is to be stored.
func (d *definition) extend(dst []uint64) []uint64 {
	return slices.Grow(dst, d.words)[:len(dst)+d.words]
}

func errLengths(features, weights int) error {
	return fmt.Errorf("fphash: len(features) is %d but len(weights) is %d", features, weights)
}

// A batch is cut into spans of vectors, which the workers take one after the other, so that long
// vectors in one place do not leave a worker behind.
const (
	spanFeatures   = 4096 // of 64 bits
	vectorFeatures = 16   // what a vector costs besides its features
)

// stepTime is the least that several spans take which a worker takes at a time: much more than
// taking them costs.
const stepTime = 10 * time.Microsecond

// AppendBatch appends the fingerprints of many vectors and a status for each.
//
// The vectors are in compressed sparse row form (CSR): vector i has [offsets[i], offsets[i+1]) of
// features and weights, so len(offsets)-1 vectors give as many statuses and times s.Words() words,
// in order, whatever number of workers there is. Without offsets there are no vectors. Every vector
// gets what Append would give. The error is for misuse, with nothing appended: features and weights
// of different length, offsets that descend or are out of range, byte strings for a hash that takes
// none.
//
// Cost: short vectors of indices cost less than by Append, since several are hashed in one call. A
// batch that takes long enough runs on several cores (see WithWorkers): the caller does the first
// part and, if its time says that the rest is worth it, starts goroutines for the rest. They have
// ended when AppendBatch returns; a panic or runtime.Goexit of a hash on one of them becomes the
// caller's. Batches on one core allocate nothing but the room that dst and status lack; those on
// several allocate a few small objects for each worker, and its buffers the first time.
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

// appendBatch makes room and fills it.
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

// ints returns the offsets as int.
func ints[O ~int | ~int32 | ~int64](b *buffers, offsets []O) []int {
	if kindOf[O]() == kindOf[int]() {
		return unsafe.Slice((*int)(unsafe.Pointer(unsafe.SliceData(offsets))), len(offsets))
	}
	list := b.offsets[:0]
	for _, o := range offsets {
		if int64(o) != int64(int(o)) {
			o = -1 // no machine of this word size has a slice of that length
		}
		list = append(list, int(o))
	}
	if b.offsets = list; cap(list) > keptOffsets {
		b.offsets = nil
	}
	return list
}

// keptOffsets is the greatest room for converted offsets that is kept for the next call.
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

// split returns how many workers, at most, take how many spans of a batch of that cost. A worker
// with fewer than two would gain nothing: short batches are done by the caller at once.
func (s *buffers) split(cost int64) (workers, spans int) {
	workers = s.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	spans = int(min(cost*int64(s.words)/spanFeatures, 1<<20))
	return min(workers, spans/2), spans
}

// batch is where the vectors come from and where their fingerprints go.
type batch struct {
	fingerprints []uint64
	status       []Status

	offsets           []int
	features, weights column
}

// cost is that of the first n vectors, in features. It grows with n even where vectors are empty.
func (b *batch) cost(n int) int64 {
	return int64(b.offsets[n]-b.offsets[0]) + vectorFeatures*int64(n)
}

// runAll does all vectors. The caller does spans, more and more at a time, until they have taken
// long enough to tell from their time whether the rest is worth starting further workers.
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

// share does the spans from first on by that many workers.
func (b *batch) share(s *buffers, workers, first, spans, step int) {
	if workers < 2 {
		b.runSpans(s, first, spans, spans)
		return
	}
	for len(s.helpers) < workers-1 {
		s.helpers = append(s.helpers, s.clone())
	}
	shared := *b // so that batches on one core need no heap
	share(s, s.helpers[:workers-1], first, spans, step, func(s *buffers, from, to int) { shared.runSpans(s, from, to, spans) })
}

// runSpans does the vectors of the spans [from, to).
func (b *batch) runSpans(s *buffers, from, to, spans int) {
	b.run(s, b.boundary(from, spans), b.boundary(to, spans))
}

// boundary returns the first vector of the span; behind the last span, the number of vectors.
func (b *batch) boundary(span, spans int) int {
	n := len(b.status)
	if span == spans {
		return n
	}
	from := b.cost(n) / int64(spans) * int64(span)
	return sort.Search(n, func(i int) bool { return b.cost(i) >= from })
}

// run does the vectors [from, to).
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

// runVector does the vector i by itself.
func (b *batch) runVector(s *buffers, i int) {
	from, to := b.offsets[i], b.offsets[i+1]
	features, weights := b.features.slice(from, to), b.weights.slice(from, to)
	b.status[i] = s.sketch(b.fingerprints[i*s.words:(i+1)*s.words], features, weights)
}

// chunk returns where the vectors end that begin with from and are hashed in one call. If that is
// from, the first goes by itself: it is long enough, or its features are byte strings, which take
// longer to copy than a call costs.
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

// runChunk does the vectors [from, to) of one chunk. Their features are hashed in one call, which
// saves 10 to 16 ns for each vector of 3 to 30 features by xxh64 on AVX-512, and more by hashes
// that take longer to begin.
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

// Status says of a fingerprint whether it means anything.
type Status uint8

// The statuses.
const (
	// Informative is a fingerprint like any other.
	Informative Status = iota
	// NoInformation says that every lane's sum is zero: the vector is
	// empty, all its weights are zero, or they cancel out. The fingerprint
	// is what the tie rule gives, 0 by default.
	NoInformation
	// NotFinite says that some lane's sum is infinite or not a number:
	// because a weight is, or because finite weights overflow. The
	// fingerprint is 0.
	NotFinite
)

var statusNames = [...]string{Informative: "informative", NoInformation: "no information", NotFinite: "not finite"}

// String returns the status in words.
func (s Status) String() string { return nameOf(s, statusNames[:], "Status") }

// Err returns the status as an error: nil for Informative, and always the same error for each of
// the others, so that errors.Is(err, fphash.NotFinite.Err()) finds it.
func (s Status) Err() error {
	switch s {
	case NoInformation:
		return errNoInformation
	case NotFinite:
		return errNotFinite
	}
	return nil
}

// Sorted returns the features of a map in ascending order, and their weights. Maps have no order,
// but sums of floating-point weights depend on it: use ascending order to make fingerprints that
// others can reproduce. Cost: two slices, and sorting.
func Sorted[M ~map[F]W, F ~uint32 | ~uint64 | ~string, W Weight](m M) (features []F, weights []W) {
	features = slices.Sorted(maps.Keys(m))
	weights = make([]W, len(features))
	for i, f := range features {
		weights[i] = m[f]
	}
	return features, weights
}

// workerTime is how much work a further worker must have to be started. To wake a processor takes
// the system up to 100 µs on a virtual machine. Where that processor turns out to be busy with
// something else, this has been spent in vain, and should be little beside the work.
const workerTime = 500 * time.Microsecond

// worthStarting returns how many of the workers have enough to do, the caller included, by the time
// that the spans took that are done.
func worthStarting(workers, left, done int, elapsed time.Duration) int {
	work := float64(elapsed) / float64(done) * float64(left)
	return int(min(float64(workers), 1+work/float64(workerTime)))
}

// sharedWork is a number of spans that several workers take, a few at a time.
type sharedWork struct {
	do      func(s *buffers, from, to int) // does the spans [from, to)
	spans   int64
	step    int64        // how many are taken at a time
	next    atomic.Int64 // the first span not yet taken
	workers sync.WaitGroup
	failure atomic.Pointer[failure] // of the first worker that failed
}

// failure is how a worker ended before its time: by a panic with the reason, or by runtime.Goexit,
// whose reason is nil.
type failure struct{ reason any }

// share does the spans [first, spans), each once: the caller with s, and a goroutine with each of
// the helpers. When it returns or panics, all of them have ended. A hash that panics or ends its
// goroutine on a helper's does the same to the caller.
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

// lead takes spans on the caller's goroutine and waits for the helpers, also where a hash panics:
// they must not write into what the caller has back.
func (w *sharedWork) lead(s *buffers) {
	defer w.workers.Wait()
	defer w.stop()
	w.work(s)
}

// help takes spans on a goroutine of its own, and keeps how it failed for the caller.
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

// stop leaves no span to take.
func (w *sharedWork) stop() { w.next.Store(w.spans) }
