package fphash

import (
	"fmt"
	"runtime"
	"slices"
	"sort"
	"time"
)

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
func AppendBatch[F Feature, W Weight, O Offset](s AnySketcher, dst []uint64, status []Status, offsets []O, features []F, weights []W) ([]uint64, []Status, error) {
	if len(features) != len(weights) {
		return dst, status, errLengths(len(features), len(weights))
	}
	return appendBatch[F](s, dst, status, offsets, len(features), func(b *buffers, to results) { runAny(b, to, features, weights) })
}

// AppendBatchUnit is AppendBatch with weight 1 for every feature.
func AppendBatchUnit[F Feature, O Offset](s AnySketcher, dst []uint64, status []Status, offsets []O, features []F) ([]uint64, []Status, error) {
	return appendBatch[F](s, dst, status, offsets, len(features), func(b *buffers, to results) { runUnitAny(b, to, features) })
}

// appendBatch makes room and lets run fill it.
func appendBatch[F Feature, O Offset](s AnySketcher, dst []uint64, status []Status, offsets []O, features int, run func(*buffers, results)) ([]uint64, []Status, error) {
	b := borrow(s)
	ends := ints(b, offsets)
	err := checkFeatures[F](b.definition)
	if err == nil {
		err = checkOffsets(ends, features)
	}
	if err != nil || len(ends) == 0 {
		giveBack(s, b)
		return dst, status, err
	}
	n := len(ends) - 1
	dst = slices.Grow(dst, n*b.words)[:len(dst)+n*b.words]
	status = slices.Grow(status, n)[:len(status)+n]
	run(b, results{fingerprints: dst[len(dst)-n*b.words:], status: status[len(status)-n:], offsets: ends})
	giveBack(s, b)
	return dst, status, nil
}

// ints returns the offsets as int.
func ints[O Offset](b *buffers, offsets []O) []int {
	if kindOf[O]() == kindOf[int]() {
		return as[int](offsets)
	}
	list := b.offsets[:0]
	for _, o := range offsets {
		if int64(o) != int64(int(o)) {
			o = -1 // no machine of this word size has a slice of that length
		}
		list = append(list, int(o))
	}
	if b.offsets = list; cap(list) > keptWeights {
		b.offsets = nil
	}
	return list
}

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

// results is where the fingerprints of a batch go, and which features are whose.
type results struct {
	fingerprints []uint64
	status       []Status
	offsets      []int
	masks        []uint64 // nil: none are wanted
	unsure       int      // bits of a mask
}

// masked makes masks wanted, of t bits each, and room for them behind those that there are.
func (r *results) masked(masks []uint64, t int) []uint64 {
	n := len(r.fingerprints)
	masks = slices.Grow(masks, n)[:len(masks)+n]
	r.masks, r.unsure = masks[len(masks)-n:], t
	return masks
}

// batch is where the vectors come from and where their fingerprints go.
type batch[F feature, W weight] struct {
	results
	features []F
	weights  []W
}

func run[F feature, W weight](b *buffers, to results, features []F, weights []W) {
	all := batch[F, W]{to, features, weights}
	all.runAll(b)
}

// cost is that of the first n vectors, in features. It grows with n even where vectors are empty.
func (b *batch[F, W]) cost(n int) int64 {
	return int64(b.offsets[n]-b.offsets[0]) + vectorFeatures*int64(n)
}

// runAll does all vectors. The caller does spans, more and more at a time, until they have taken
// long enough to tell from their time whether the rest is worth starting further workers.
func (b *batch[F, W]) runAll(s *buffers) {
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
func (b *batch[F, W]) share(s *buffers, workers, first, spans, step int) {
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
func (b *batch[F, W]) runSpans(s *buffers, from, to, spans int) {
	b.run(s, b.boundary(from, spans), b.boundary(to, spans))
}

// boundary returns the first vector of the span; behind the last span, the number of vectors.
func (b *batch[F, W]) boundary(span, spans int) int {
	n := len(b.status)
	if span == spans {
		return n
	}
	from := b.cost(n) / int64(spans) * int64(span)
	return sort.Search(n, func(i int) bool { return b.cost(i) >= from })
}

// run does the vectors [from, to).
func (b *batch[F, W]) run(s *buffers, from, to int) {
	if b.masks != nil {
		b.runMasked(s, from, to)
		return
	}
	for from < to {
		end := b.chunk(s, from, to)
		if end > from {
			b.runChunk(s, from, end)
		} else {
			end++
			start, past := b.offsets[from], b.offsets[end]
			b.status[from] = sketch(s, b.fingerprints[from*s.words:end*s.words], b.features[start:past], b.weights[start:past])
		}
		from = end
	}
}

// runMasked does the vectors [from, to) with their masks, which take the sums themselves.
func (b *batch[F, W]) runMasked(s *buffers, from, to int) {
	sums := only[W](&s.lanes)
	for i := from; i < to; i++ {
		start, past := b.offsets[i], b.offsets[i+1]
		sums.clear()
		addFeatures(&s.coder, sums, b.features[start:past], b.weights[start:past])
		at, end := i*s.words, (i+1)*s.words
		b.status[i] = s.readMasked(b.fingerprints[at:end], b.masks[at:end], b.unsure, sums)
	}
}

// chunk returns where the vectors end that begin with from and are hashed in one call. If that is
// from, the first goes by itself: it is long enough, or its features are byte strings, which take
// longer to copy than a call costs.
func (b *batch[F, W]) chunk(s *buffers, from, to int) int {
	switch any(b.features).(type) {
	case []string, [][]byte:
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
func (b *batch[F, W]) runChunk(s *buffers, from, to int) {
	start, past := b.offsets[from], b.offsets[to]
	codes := encode(&s.coder, b.features[start:past])
	for i := from; i < to; i++ {
		at := b.offsets[i]
		b.status[i] = readCodes(s.definition, b.fingerprints[i*s.words:(i+1)*s.words], codes[at-start:], past-start, b.weights[at:b.offsets[i+1]])
	}
}
