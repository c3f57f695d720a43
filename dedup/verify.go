package dedup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"simhashkit/datasets"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/scratch"
	"simhashkit/internal/similarity"
)

// pair is two near records, by their numbers.
type pair struct {
	join.Pair
	similarity float64 // 0 if nothing was verified, or of an unread record
}

// pairs yields each pair of near records once, if at least one is new. If records are verified, it
// yields only similar pairs.
func (r *Result) pairs(ctx context.Context) iter.Seq2[pair, error] {
	return func(yield func(pair, error) bool) {
		for found, err := range r.join().Pairs(ctx) { // after a search on disk, of the records in groups
			p, similar := pair{Pair: found}, true
			if err == nil && r.Old > 0 && max(p.A, p.B) < uint64(r.Old) {
				continue
			}
			if err == nil {
				p.similarity, similar, err = r.compare(p.A, p.B)
			}
			if err == nil && !similar {
				continue
			}
			if !yield(p, err) {
				return
			}
		}
	}
}

// compare compares two near records. Without a similarity, or if one of them is unread, they are
// similar.
func (r *Result) compare(a, b uint64) (similarity float64, similar bool, err error) {
	if r.verifier == nil || r.isUnread(a) || r.isUnread(b) {
		return 0, true, nil
	}
	return r.verifier.compare(a, b)
}

// load loads the records of groups and of sampled pairs into the verifier. It skips groups of only
// old records.
func (r *Result) load(ctx context.Context, groups *join.Groups, sampled []join.Pair) error {
	var records []uint64
	old := uint32(r.oldPositions())
	for _, g := range groups.All() {
		if slices.Max(g) < old {
			continue
		}
		for _, m := range g {
			records = append(records, r.Records.Set.ID(int(m)))
		}
	}
	for _, p := range sampled {
		records = append(records, p.A, p.B)
	}
	slices.Sort(records)
	return r.verifier.load(ctx, slices.DeleteFunc(slices.Compact(records), r.isUnread), &r.Options)
}

// selectVerified sets the record kept in place of each member of the groups, their similarity, and
// how they differ. Groups are independent.
func (r *Result) selectVerified(ctx context.Context, groups *join.Groups, order func(a, b uint32) int, kept *choices) error {
	n := len(kept.canonical)
	kept.similarity, kept.differs = make([]float32, n), make([]similarity.Differences, n)
	old := uint32(r.oldPositions())
	done := r.selected(groups)
	all, ctx := errgroup.WithContext(ctx)
	all.SetLimit(cmp.Or(r.Workers, runtime.GOMAXPROCS(0)))
	for i := range groups.Len() {
		if slices.Max(groups.At(i)) < old {
			continue
		}
		all.Go(func() error {
			members := slices.Clone(groups.At(i))
			if order != nil {
				slices.SortFunc(members, order)
			}
			s := selection{result: r, members: members}
			for s.old < len(members) && members[s.old] < old { // any order has the old records first
				s.old++
			}
			return s.decide(ctx, done, kept)
		})
	}
	return all.Wait()
}

// selected returns a function that counts the records of groups that are decided, and reports the
// progress now and then. It is safe for concurrent use.
func (r *Result) selected(groups *join.Groups) func() {
	const together = 256
	all := 0
	for _, g := range groups.All() {
		all += len(g)
	}
	var n int
	var mutex sync.Mutex
	return func() {
		mutex.Lock()
		defer mutex.Unlock()
		if n++; n%together == 0 {
			r.tell("comparing candidates", float64(n)/float64(all))
		}
	}
}

// Reread reads the texts, vectors or other values of records from their files again, in ascending
// order of record numbers, and calls take with each. A value is valid only during the call. If a
// file has changed since the first pass, Reread returns an error.
type Reread[T any] func(ctx context.Context, records []uint64, take func(record uint64, value T) error) error

// verifier compares records by their texts or vectors. It reads those of candidates again, once and
// in order, and writes their words to a temporary file, 8 bytes each and 24 for their traits, or
// their vectors, 16 bytes for each nonzero weight. It needs 16 bytes of memory for each candidate,
// about 40 MiB, and the memory for the longest record.
//
// Its methods take record numbers. After load, they are safe for concurrent use.
type verifier struct {
	spec      Spec
	folder    string                 // for the temporary file
	keep      similarity.Differences // in which a dropped record must not differ from the kept one
	store     *store
	comparers sync.Pool    // of *comparer
	examined  atomic.Int64 // number of candidates that were examined, for tests
}

// comparer is the memory that one goroutine needs to compare records.
type comparer struct {
	similarity.Comparer
	a, b     []uint64
	inA, inB []float64 // weights
}

func newVerifier(spec Spec, folder string) *verifier {
	v := &verifier{spec: spec, folder: folder}
	v.comparers.New = func() any { return new(comparer) }
	if spec.KeepNumbers {
		v.keep |= similarity.InNumbers
	}
	if spec.KeepNegations {
		v.keep |= similarity.InNegations
	}
	return v
}

// close removes the temporary file.
func (v *verifier) close() error {
	if v.store == nil {
		return nil
	}
	return v.store.file.Close()
}

// load reads the texts or vectors of the records, whose numbers ascend.
func (v *verifier) load(ctx context.Context, records []uint64, o *Options) error {
	if err := v.open(records); err != nil {
		return err
	}
	if v.spec.Measure != Cosine {
		return v.store.addTexts(ctx, o.Texts, o.Workers, v.spec.Symbols)
	}
	var numbers []uint64
	err := o.Vectors(ctx, records, func(_ uint64, row *datasets.Row[float64]) error {
		numbers = append(append(numbers[:0], 0, 0, 0), row.Indices...) // followed by the weights
		for _, w := range row.Weights {
			numbers = append(numbers, math.Float64bits(w))
		}
		return v.store.add(numbers)
	})
	return cmp.Or(err, v.store.end())
}

// open creates the temporary file for the given records.
func (v *verifier) open(records []uint64) error {
	file, err := scratch.NewIn(v.folder)
	if err != nil {
		return fmt.Errorf("to compare records: %w", err)
	}
	v.store = &store{file: file, w: bufio.NewWriterSize(file, 1<<20), records: records, ends: make([]int64, 1, len(records)+1)}
	return nil
}

// textReader computes the numbers of texts that a store has: their traits and words.
type textReader struct {
	words   *similarity.WordHasher
	traits  similarity.TraitReader
	numbers []uint64 // of the texts of a batch
}

func (r *textReader) append(dst []uint64, text []byte) []uint64 {
	of := r.traits.Of(text)
	return r.words.Append(append(dst, of.Symbols, of.Numbers, of.Negations), text)
}

// compare returns the similarity of two records, and whether it reaches the threshold. If not, the
// similarity is meaningless. A cosine within 1e-12 of 1 counts as 1, so that rounding does not
// separate equal directions.
func (v *verifier) compare(a, b uint64) (of float64, similar bool, err error) {
	c := v.comparers.Get().(*comparer)
	defer v.comparers.Put(c)
	var x, y stored
	if x, c.a, err = v.store.read(c.a, a); err != nil {
		return 0, false, err
	}
	if y, c.b, err = v.store.read(c.b, b); err != nil {
		return 0, false, err
	}
	of, similar, err = v.compareNumbers(context.Background(), c, x.numbers, y.numbers)
	differs := x.traits.Differences(y.traits, slices.Equal(x.numbers, y.numbers))
	return of, similar && differs&v.keep == 0, err
}

// compareNumbers is compare for the words or vectors of two records.
func (v *verifier) compareNumbers(ctx context.Context, c *comparer, a, b []uint64) (of float64, similar bool, err error) {
	switch v.spec.Measure {
	case Jaccard:
		of = similarity.Jaccard(a, b)
	case Cosine:
		inA, inB := len(a)/2, len(b)/2
		c.inA, c.inB = appendFloats(c.inA[:0], a[inA:]), appendFloats(c.inB[:0], b[inB:])
		if of = datasets.Cosine(a[:inA], c.inA, b[:inB], c.inB); of > 1-1e-12 {
			of = 1
		}
	default:
		return c.AtLeast(ctx, a, b, v.spec.Similarity)
	}
	return of, of >= v.spec.Similarity, nil
}

// inOrder reports whether the measure is the default one, Words.
func (v *verifier) inOrder() bool { return v.spec.Measure != Jaccard && v.spec.Measure != Cosine }

// mayBeSimilar reports whether the summaries of two records allow them to be similar.
func (v *verifier) mayBeSimilar(a, b *summary) bool {
	return !v.inOrder() || similarity.MayBeSimilar(v.spec.Similarity, a.words, b.words, &a.bitmap, &b.bitmap)
}

func appendFloats(dst []float64, numbers []uint64) []float64 {
	for _, bits := range numbers {
		dst = append(dst, math.Float64frombits(bits))
	}
	return dst
}

// store keeps the words or vectors of records in a temporary file, as 64-bit numbers.
type store struct {
	file    *scratch.File
	w       *bufio.Writer
	records []uint64 // record numbers, ascending
	ends    []int64  // where the numbers of each record end, in bytes
}

// stored is a record in a store.
type stored struct {
	traits  similarity.Traits // zero for vectors
	numbers []uint64          // words of a text; indices of a vector and then its weights
}

// add writes the numbers of the next record.
func (s *store) add(numbers []uint64) error {
	s.ends = append(s.ends, s.ends[len(s.ends)-1]+8*int64(len(numbers)))
	var err error
	for _, n := range numbers {
		if _, err = s.w.Write(binary.LittleEndian.AppendUint64(s.w.AvailableBuffer(), n)); err != nil {
			break
		}
	}
	return failedStore(err)
}

// end flushes the file and checks that every record was added.
func (s *store) end() error {
	if got, want := len(s.ends)-1, len(s.records); got != want {
		return fmt.Errorf("dedup: %d records read again, expected %d", got, want)
	}
	return failedStore(s.w.Flush())
}

func failedStore(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("the words or vectors of candidates, in a temporary file: %w", err)
}

// read reads a record into a buffer, and returns both. It is safe for concurrent use.
func (s *store) read(buffer []uint64, record uint64) (stored, []uint64, error) {
	i, ok := slices.BinarySearch(s.records, record)
	if !ok {
		return stored{}, buffer, fmt.Errorf("dedup: record %d was not loaded", record)
	}
	from, to := s.ends[i], s.ends[i+1]
	buffer = slices.Grow(buffer[:0], int(to-from)/8)
	bytes := make([]byte, min(to-from, readBytes))
	for ; from < to; from += int64(len(bytes)) {
		bytes = bytes[:min(to-from, readBytes)]
		if _, err := s.file.ReadAt(bytes, from); err != nil {
			return stored{}, buffer, failedStore(err)
		}
		for at := 0; at < len(bytes); at += 8 {
			buffer = append(buffer, binary.LittleEndian.Uint64(bytes[at:]))
		}
	}
	return stored{similarity.Traits{Symbols: buffer[0], Numbers: buffer[1], Negations: buffer[2]}, buffer[3:]}, buffer, nil
}

// readBytes is the size of the buffer for reading a record.
const readBytes = 1 << 20

// The limits of a batch of texts.
const (
	batchTextBytes = 4 << 20
	batchTexts     = 4 << 10
)

// addTexts reads the texts of all records and adds their numbers. The workers share the texts of
// each batch.
func (s *store) addTexts(ctx context.Context, read Reread[[]byte], workers int, symbols bool) error {
	readers := make([]textReader, cmp.Or(workers, runtime.GOMAXPROCS(0)))
	for i := range readers {
		readers[i].words = similarity.NewWordHasher(symbols)
	}
	var texts []byte
	ends := []int{0}
	flush := func() error {
		results := make([][]uint64, len(ends)-1)
		var all errgroup.Group
		for i := range readers {
			all.Go(func() error {
				r := &readers[i]
				r.numbers = r.numbers[:0]
				for n := i; n < len(results) && ctx.Err() == nil; n += len(readers) {
					start := len(r.numbers)
					r.numbers = r.append(r.numbers, texts[ends[n]:ends[n+1]])
					results[n] = r.numbers[start:]
				}
				return context.Cause(ctx)
			})
		}
		if err := all.Wait(); err != nil {
			return err
		}
		texts, ends = texts[:0], ends[:1]
		for _, numbers := range results {
			if err := s.add(numbers); err != nil {
				return err
			}
		}
		return nil
	}
	err := read(ctx, s.records, func(_ uint64, text []byte) error {
		texts = append(texts, text...)
		if ends = append(ends, len(texts)); len(texts) < batchTextBytes && len(ends) <= batchTexts {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return cmp.Or(err, s.end())
}
