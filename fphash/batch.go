package fphash

import (
	"fmt"
	"runtime"
	"slices"
	"sort"
	"sync/atomic"
	"time"
)

// A batch is cut into spans of vectors, which the workers take one after the other, so that long
// vectors in one place do not leave a worker behind. A span is ten microseconds of work and more,
// much more than taking it costs; a batch of one span is done by the caller alone.
const (
	spanFeatures   = 8192 // of 64 bits
	vectorFeatures = 16   // what a vector costs besides its features
)

// chunkText is how many bytes of byte strings are hashed together in a batch: so many that a call's
// cost does not count, and few enough that they stay in the caches.
const chunkText = 1 << 15

// AppendBatch appends the fingerprints of many vectors and a status for each.
//
// The vectors are in compressed sparse row form (CSR): vector i has [offsets[i], offsets[i+1]) of
// features and weights, so len(offsets)-1 vectors give as many statuses and times s.Words() words,
// in order, whatever number of workers there is. No offsets at all are no vectors. Every vector
// gets what Append would give. The error is for what is wrong with all, with nothing appended:
// features and weights of different length, offsets that descend or are out of range, byte strings
// for a hash that takes none.
//
// Cost: short vectors cost less than by Append, since they are hashed together. A batch that is
// worth it runs on several cores (see WithWorkers), for which a few small objects are allocated,
// and a Clone for each worker the first time; none is allocated per vector. The workers of batches
// that follow each other within 0.1 ms are the same goroutines, which stay awake for that long and
// then end.
func AppendBatch[F Feature, W Weight](s *Sketcher, dst []uint64, status []Status, offsets []int, features []F, weights []W) ([]uint64, []Status, error) {
	if len(features) != len(weights) {
		return dst, status, errLengths[F](len(features), len(weights))
	}
	return appendBatch(s, dst, status, offsets, features, weights)
}

// AppendBatchUnit is AppendBatch with weight 1 for every feature.
func AppendBatchUnit[F Feature](s *Sketcher, dst []uint64, status []Status, offsets []int, features []F) ([]uint64, []Status, error) {
	return appendBatch(s, dst, status, offsets, features, ones[:len(features)])
}

func appendBatch[F Feature, W weight](s *Sketcher, dst []uint64, status []Status, offsets []int, features []F, weights []W) ([]uint64, []Status, error) {
	err := checkFeatures(s.definition, features)
	if err == nil {
		err = checkOffsets(offsets, len(features))
	}
	if err != nil || len(offsets) == 0 {
		return dst, status, err
	}
	n := len(offsets) - 1
	dst = slices.Grow(dst, n*s.words)[:len(dst)+n*s.words]
	status = slices.Grow(status, n)[:len(status)+n]
	b := batch[F, W]{dst[len(dst)-n*s.words:], status[len(status)-n:], offsets, features, weights}
	workers, spans := s.split(b.cost(n))
	if workers > 1 {
		b.runParallel(s, workers, spans)
	} else {
		b.run(s, 0, n)
	}
	return dst, status, nil
}

func checkOffsets(offsets []int, features int) error {
	if len(offsets) > 0 && offsets[0] < 0 {
		return fmt.Errorf("fphash: offsets[0] is %d, want 0 or more", offsets[0])
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

// split decides how many workers take how many spans of a batch of that cost, at most.
func (s *Sketcher) split(cost int64) (workers, spans int) {
	workers = s.workers
	if workers == 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	spans = int(min(cost*int64(s.words)/spanFeatures, 1<<20))
	return min(workers, spans), spans
}

// batch is where the vectors come from and where their fingerprints go.
type batch[F Feature, W weight] struct {
	fingerprints []uint64
	status       []Status
	offsets      []int
	features     []F
	weights      []W
}

// cost is that of the first n vectors, in features. It grows with n even where vectors are empty.
func (b *batch[F, W]) cost(n int) int64 {
	return int64(b.offsets[n]-b.offsets[0]) + vectorFeatures*int64(n)
}

// run does the vectors [from, to).
func (b *batch[F, W]) run(s *Sketcher, from, to int) {
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

// chunk returns where the vectors end that begin with from and are to be hashed together. If that
// is from, the first is long enough to go by itself.
func (b *batch[F, W]) chunk(s *Sketcher, from, to int) int {
	end, most := from, b.offsets[from]+s.chunk
	for end < to && b.offsets[end+1] <= most {
		end++
	}
	switch features := any(b.features).(type) {
	case []string:
		return fitting(b.offsets, features, from, end)
	case [][]byte:
		return fitting(b.offsets, features, from, end)
	}
	return end
}

// fitting returns where the vectors end that begin with from and have at most chunkText bytes
// together.
func fitting[K Bytes](offsets []int, keys []K, from, to int) int {
	size := 0
	for i := from; i < to; i++ {
		for _, key := range keys[offsets[i]:offsets[i+1]] {
			size += len(key)
		}
		if size > chunkText {
			return i
		}
	}
	return to
}

// runChunk does the vectors [from, to) of one chunk. Their features are hashed in one call, which
// saves 10 to 16 ns for each vector of 3 to 30 features by xxh64 on AVX-512, and more by hashes
// that take longer to begin.
func (b *batch[F, W]) runChunk(s *Sketcher, from, to int) {
	start, past := b.offsets[from], b.offsets[to]
	codes := encode(&s.coder, b.features[start:past])
	for i := from; i < to; i++ {
		at := b.offsets[i]
		b.status[i] = readCodes(s.definition, b.fingerprints[i*s.words:(i+1)*s.words], codes[at-start:], past-start, b.weights[at:b.offsets[i+1]])
	}
}

// runParallel does all vectors; b is a copy, so that a batch that needs no second worker needs no
// heap.
func (b batch[F, W]) runParallel(s *Sketcher, workers, spans int) {
	n := len(b.status)
	total := b.cost(n)
	boundary := func(span int) int { // the first vector of the span
		from := total / int64(spans) * int64(span)
		return sort.Search(n, func(i int) bool { return b.cost(i) >= from })
	}
	var taken atomic.Int64
	next := func(s *Sketcher) bool {
		span := int(taken.Add(1)) - 1
		if span >= spans {
			return false
		}
		to := n
		if span < spans-1 {
			to = boundary(span + 1)
		}
		b.run(s, boundary(span), to)
		return true
	}
	follows := time.Since(s.ended) < patience
	if !follows {
		workers = worthWaking(workers, spans-1, func() { next(s) })
	}
	for len(s.helpers) < workers-1 {
		s.helpers = append(s.helpers, &helper{sketcher: s.Clone()})
	}
	together(s, s.helpers[:workers-1], follows, func(s *Sketcher) {
		for next(s) {
		}
	})
	s.ended = time.Now()
}
