package dedup

import (
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"simhashkit/datasets"
	"simhashkit/dedup/similarity"
	"simhashkit/internal/scratch"
)

// Verifier compares records by their texts or vectors. It reads those of candidates again, once and
// in order, and writes their words to a temporary file, 8 bytes each and 24 for their traits, or
// their vectors, 16 bytes for each nonzero weight. It needs 16 bytes of memory for each candidate,
// about 40 MiB, and the memory for the longest record.
//
// Its methods take record numbers. After Load, they are safe for concurrent use.
type Verifier struct {
	Spec    Spec
	Texts   Reread[[]byte]                 // for Words and Jaccard
	Vectors Reread[*datasets.Row[float64]] // for Cosine
	Folder  string                         // for the temporary file; "": the default of the system
	Workers int                            // goroutines that read words; 0 is GOMAXPROCS

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

// Close removes the temporary file.
func (v *Verifier) Close() error { return v.store.close() }

// Load reads the texts or vectors of the records, whose numbers ascend.
func (v *Verifier) Load(ctx context.Context, records []uint64) (err error) {
	v.comparers.New = func() any { return new(comparer) }
	if v.store, err = newStore(v.Folder, records); err != nil {
		return err
	}
	if v.Spec.Measure != Cosine {
		v.store.head = traitNumbers
		return v.store.addTexts(ctx, v.Texts, v.Workers, func() func(dst []uint64, text []byte) []uint64 {
			words, traits := similarity.NewWordHasher(v.Spec.Symbols), new(similarity.TraitReader)
			return func(dst []uint64, text []byte) []uint64 {
				of := traits.Of(text)
				return words.Append(append(dst, of.Symbols, of.Numbers, of.Negations), text)
			}
		})
	}
	var numbers []uint64
	err = v.Vectors(ctx, records, func(_ uint64, row *datasets.Row[float64]) error {
		numbers = append(numbers[:0], row.Indices...) // followed by the weights
		for _, w := range row.Weights {
			numbers = append(numbers, math.Float64bits(w))
		}
		return v.store.add(numbers)
	})
	return cmp.Or(err, v.store.end())
}

// Compare returns the similarity of two records, and whether it reaches the threshold. If not, the
// similarity is meaningless. A cosine within 1e-12 of 1 counts as 1, so that rounding does not
// separate equal directions.
func (v *Verifier) Compare(a, b uint64) (of float64, similar bool, err error) {
	c := v.comparers.Get().(*comparer)
	defer v.comparers.Put(c)
	if c.a, err = v.store.append(c.a[:0], a); err != nil {
		return 0, false, err
	}
	if c.b, err = v.store.append(c.b[:0], b); err != nil {
		return 0, false, err
	}
	if of, similar, err = v.compare(context.Background(), c, c.a, c.b); similar && err == nil && v.Spec.KeepDifferent != 0 {
		var differs similarity.Differences
		differs, err = v.differencesOf(a, b, slices.Equal(c.a, c.b))
		similar = differs&v.Spec.KeepDifferent == 0
	}
	return of, similar, err
}

// differencesOf is differences for two records.
func (v *Verifier) differencesOf(a, b uint64, equal bool) (similarity.Differences, error) {
	headA, err := v.store.appendHead(nil, a)
	if err != nil {
		return 0, err
	}
	headB, err := v.store.appendHead(nil, b)
	if err != nil {
		return 0, err
	}
	return differences(traitsOf(headA), traitsOf(headB), equal), nil
}

// differences returns the traits in which two texts differ. equal says that their words are equal;
// then an apostrophe alone makes no negation: don't and don t.
func differences(a, b similarity.Traits, equal bool) similarity.Differences {
	d := a.Differences(b)
	if equal {
		d &^= similarity.InNegations
	}
	return d
}

// traitsOf returns the traits in the head of a record; zero for vectors, which have none.
func traitsOf(head []uint64) similarity.Traits {
	if len(head) < traitNumbers {
		return similarity.Traits{}
	}
	return similarity.Traits{Symbols: head[0], Numbers: head[1], Negations: head[2]}
}

// compare is Compare for the words or vectors of two records.
func (v *Verifier) compare(ctx context.Context, c *comparer, a, b []uint64) (of float64, similar bool, err error) {
	switch v.Spec.Measure {
	case Jaccard:
		of = similarity.Jaccard(a, b)
	case Cosine:
		inA, inB := len(a)/2, len(b)/2
		c.inA, c.inB = appendFloats(c.inA[:0], a[inA:]), appendFloats(c.inB[:0], b[inB:])
		if of = datasets.Cosine(a[:inA], c.inA, b[:inB], c.inB); of > 1-1e-12 {
			of = 1
		}
	default:
		return c.AtLeast(ctx, a, b, v.Spec.Similarity)
	}
	return of, of >= v.Spec.Similarity, nil
}

// inOrder reports whether the measure is the default one, Words.
func (v *Verifier) inOrder() bool { return v.Spec.Measure != Jaccard && v.Spec.Measure != Cosine }

// mayBeSimilar reports whether the summaries of two records allow them to be similar.
func (v *Verifier) mayBeSimilar(a, b *summary) bool {
	return !v.inOrder() || similarity.MayBeSimilar(v.Spec.Similarity, a.words, b.words, &a.bitmap, &b.bitmap)
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
	head    int      // how many numbers of each record come before its words or vector
}

// traitNumbers is the number of numbers that hold the traits of a text.
const traitNumbers = 3

func newStore(folder string, records []uint64) (*store, error) {
	file, err := scratch.NewIn(folder)
	if err != nil {
		return nil, fmt.Errorf("to compare records: %w", err)
	}
	return &store{file: file, w: bufio.NewWriterSize(file, 1<<20), records: records, ends: make([]int64, 1, len(records)+1)}, nil
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

// append appends the numbers of a record after its head to dst. It is safe for concurrent use.
func (s *store) append(dst []uint64, record uint64) ([]uint64, error) {
	from, to, err := s.find(record)
	if err != nil {
		return dst, err
	}
	return s.read(dst, from+8*int64(s.head), to)
}

// appendAll appends the numbers of a record to dst, its head first. It is safe for concurrent use.
func (s *store) appendAll(dst []uint64, record uint64) ([]uint64, error) {
	from, to, err := s.find(record)
	if err != nil {
		return dst, err
	}
	return s.read(dst, from, to)
}

// appendHead appends the head of a record to dst. It is safe for concurrent use.
func (s *store) appendHead(dst []uint64, record uint64) ([]uint64, error) {
	from, _, err := s.find(record)
	if err != nil {
		return dst, err
	}
	return s.read(dst, from, from+8*int64(s.head))
}

// find returns where the numbers of a record are in the file.
func (s *store) find(record uint64) (from, to int64, err error) {
	i, ok := slices.BinarySearch(s.records, record)
	if !ok {
		return 0, 0, fmt.Errorf("dedup: record %d was not loaded", record)
	}
	return s.ends[i], s.ends[i+1], nil
}

// read appends the numbers in a part of the file to dst.
func (s *store) read(dst []uint64, from, to int64) ([]uint64, error) {
	dst = slices.Grow(dst, int(to-from)/8)
	buffer := make([]byte, min(to-from, readBytes))
	for ; from < to; from += int64(len(buffer)) {
		buffer = buffer[:min(to-from, readBytes)]
		if _, err := s.file.ReadAt(buffer, from); err != nil {
			return dst, failedStore(err)
		}
		for at := 0; at < len(buffer); at += 8 {
			dst = append(dst, binary.LittleEndian.Uint64(buffer[at:]))
		}
	}
	return dst, nil
}

// readBytes is the size of the buffer for reading a record.
const readBytes = 1 << 20

func (s *store) close() error {
	if s == nil {
		return nil
	}
	return s.file.Close()
}

// The limits of a batch of texts.
const (
	batchTextBytes = 4 << 20
	batchTexts     = 4 << 10
)

// addTexts reads the texts of all records and adds the numbers computed from them. It calls
// computing once for each worker. The worker then calls the returned function for its share of each
// batch of texts.
func (s *store) addTexts(ctx context.Context, read Reread[[]byte], workers int, computing func() func(dst []uint64, text []byte) []uint64) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	compute, numbers := make([]func([]uint64, []byte) []uint64, workers), make([][]uint64, workers)
	for i := range compute {
		compute[i] = computing()
	}
	var texts []byte
	var ends []int
	flush := func() error {
		results := make([][]uint64, len(ends))
		var all sync.WaitGroup
		for i := range compute {
			all.Go(func() {
				numbers[i] = numbers[i][:0]
				for n := i; n < len(ends) && ctx.Err() == nil; n += workers {
					from := 0
					if n > 0 {
						from = ends[n-1]
					}
					start := len(numbers[i])
					numbers[i] = compute[i](numbers[i], texts[from:ends[n]])
					results[n] = numbers[i][start:]
				}
			})
		}
		all.Wait()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		texts, ends = texts[:0], ends[:0]
		for _, numbers := range results {
			if err := s.add(numbers); err != nil {
				return err
			}
		}
		return nil
	}
	err := read(ctx, s.records, func(_ uint64, text []byte) error {
		texts = append(texts, text...)
		if ends = append(ends, len(texts)); len(texts) < batchTextBytes && len(ends) < batchTexts {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	return cmp.Or(err, s.end())
}
