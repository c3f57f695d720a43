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

	"golang.org/x/sync/errgroup"

	"simhashkit/datasets"
	"simhashkit/internal/scratch"
	"simhashkit/internal/similarity"
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
func (v *Verifier) Close() error {
	if v.store == nil {
		return nil
	}
	return v.store.file.Close()
}

// Load reads the texts or vectors of the records, whose numbers ascend.
func (v *Verifier) Load(ctx context.Context, records []uint64) error {
	if err := v.open(records); err != nil {
		return err
	}
	if v.Spec.Measure != Cosine {
		return v.store.addTexts(ctx, v.Texts, v.Workers, v.Spec.Symbols)
	}
	var numbers []uint64
	err := v.Vectors(ctx, records, func(_ uint64, row *datasets.Row[float64]) error {
		numbers = append(append(numbers[:0], 0, 0, 0), row.Indices...) // followed by the weights
		for _, w := range row.Weights {
			numbers = append(numbers, math.Float64bits(w))
		}
		return v.store.add(numbers)
	})
	return cmp.Or(err, v.store.end())
}

// open creates the temporary file for the given records.
func (v *Verifier) open(records []uint64) error {
	file, err := scratch.NewIn(v.Folder)
	if err != nil {
		return fmt.Errorf("to compare records: %w", err)
	}
	v.comparers.New = func() any { return new(comparer) }
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

// Compare returns the similarity of two records, and whether it reaches the threshold. If not, the
// similarity is meaningless. A cosine within 1e-12 of 1 counts as 1, so that rounding does not
// separate equal directions.
func (v *Verifier) Compare(a, b uint64) (of float64, similar bool, err error) {
	c := v.comparers.Get().(*comparer)
	defer v.comparers.Put(c)
	var x, y stored
	if x, c.a, err = v.store.read(c.a, a); err != nil {
		return 0, false, err
	}
	if y, c.b, err = v.store.read(c.b, b); err != nil {
		return 0, false, err
	}
	of, similar, err = v.compare(context.Background(), c, x.numbers, y.numbers)
	differs := differences(x.traits, y.traits, slices.Equal(x.numbers, y.numbers))
	return of, similar && differs&v.Spec.KeepDifferent == 0, err
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
