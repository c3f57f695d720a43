package dedup

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"simhashkit/datasets"
	"simhashkit/dedup/similarity"
	"simhashkit/internal/scratch"
)

// Texts verifies candidates by their texts. It reads the texts of candidates again, once and in
// order, and writes their words to a temporary file, 8 bytes each. It needs 16 bytes of memory for
// each candidate, about 40 MiB, and the memory for the longest text.
type Texts struct {
	Spec    Spec // Words or Jaccard
	Read    Reread
	Folder  string // for the temporary file; "": the default of the system
	Workers int    // goroutines that read words; 0 is GOMAXPROCS

	store     *store
	comparers sync.Pool // of *comparer
}

// comparer is the memory that one goroutine needs to compare texts.
type comparer struct {
	similarity.Comparer
	a, b []uint64
}

// Close removes the temporary file.
func (t *Texts) Close() error { return t.store.close() }

// Load reads the words of the records.
func (t *Texts) Load(ctx context.Context, records []uint64) (err error) {
	t.comparers.New = func() any { return new(comparer) }
	if t.store, err = newStore(t.Folder, records); err != nil {
		return err
	}
	if _, err := similarity.NewWordHasher(); err != nil {
		return err
	}
	return t.store.addTexts(ctx, t.Read, t.Workers, func() func(dst []uint64, text []byte) []uint64 {
		words, _ := similarity.NewWordHasher() // the call above returned no error
		return words.Append
	})
}

// Compare returns the similarity of two texts, and whether it reaches the threshold.
func (t *Texts) Compare(a, b uint64) (float64, bool, error) {
	c := t.comparers.Get().(*comparer)
	defer t.comparers.Put(c)
	var err error
	if c.a, err = t.store.append(c.a[:0], a); err != nil {
		return 0, false, err
	}
	if c.b, err = t.store.append(c.b[:0], b); err != nil {
		return 0, false, err
	}
	if t.Spec.Measure == Jaccard {
		jaccard := similarity.Jaccard(c.a, c.b)
		return jaccard, jaccard >= t.Spec.Similarity, nil
	}
	return c.AtLeast(context.Background(), c.a, c.b, t.Spec.Similarity)
}

// Select implements Verifier. With the measure Words, it finds all similar pairs of the group and
// never calls near.
func (t *Texts) Select(ctx context.Context, records []uint64, old int, near func(i, j int) bool) ([]int, []float32, error) {
	if t.Spec.Measure == Jaccard {
		return selectByPairs(ctx, len(records), old, near, func(i, j int) (float64, bool, error) { return t.Compare(records[i], records[j]) })
	}
	var places []int // indices of the kept texts in records
	s := similarity.NewSelector(t.Spec.Similarity, func(dst []uint64, index int) ([]uint64, error) {
		return t.store.append(dst, records[places[index]])
	})
	all := 0
	for _, record := range records {
		all += t.store.words(record)
	}
	s.Reset(all)
	var words []uint64
	var err error
	for i := 0; i < len(records) && len(records) > fewTexts; i++ {
		if words, err = t.store.append(words[:0], records[i]); err != nil {
			return nil, nil, err
		}
		s.Count(words)
	}
	kept, similar := make([]int, len(records)), make([]float32, len(records))
	for i, record := range records {
		if words, err = t.store.append(words[:0], record); err != nil {
			return nil, nil, err
		}
		add := s.Add
		if i < old {
			add = s.Keep
		}
		result, err := add(ctx, words)
		if err != nil {
			return nil, nil, err
		}
		if kept[i] = i; result.Dropped {
			kept[i], similar[i] = places[result.Index], float32(result.Similarity)
		} else {
			places = append(places, i)
		}
	}
	return kept, similar, nil
}

// fewTexts is the largest group for which Select does not count words.
const fewTexts = 8

// RereadVectors is like Reread, for vectors.
type RereadVectors func(ctx context.Context, records []uint64, take func(record uint64, indices []uint64, weights []float64) error) error

// Vectors verifies candidates by the cosine of their vectors. It reads the vectors of candidates
// again and writes them to a temporary file, 16 bytes for each nonzero weight.
type Vectors struct {
	Similarity float64
	Read       RereadVectors
	Folder     string // for the temporary file; "": the default of the system

	store *store
}

// Close removes the temporary file.
func (v *Vectors) Close() error { return v.store.close() }

// Load reads the vectors of the records.
func (v *Vectors) Load(ctx context.Context, records []uint64) (err error) {
	if v.store, err = newStore(v.Folder, records); err != nil {
		return err
	}
	var numbers []uint64
	err = v.Read(ctx, records, func(_ uint64, indices []uint64, weights []float64) error {
		numbers = append(numbers[:0], indices...) // followed by the weights
		for _, w := range weights {
			numbers = append(numbers, math.Float64bits(w))
		}
		return v.store.add(numbers)
	})
	if err == nil {
		err = v.store.end()
	}
	return err
}

// vector reads a vector that Load has stored.
func (v *Vectors) vector(record uint64) (indices []uint64, weights []float64, err error) {
	numbers, err := v.store.append(nil, record)
	half := len(numbers) / 2
	weights = make([]float64, half)
	for i, bits := range numbers[half:] {
		weights[i] = math.Float64frombits(bits)
	}
	return numbers[:half], weights, err
}

// Compare returns the cosine of two vectors, and whether it reaches the threshold. A cosine within
// 1e-12 of 1 counts as 1, so that rounding does not separate equal directions.
func (v *Vectors) Compare(a, b uint64) (float64, bool, error) {
	aIndices, aWeights, err := v.vector(a)
	if err != nil {
		return 0, false, err
	}
	bIndices, bWeights, err := v.vector(b)
	if err != nil {
		return 0, false, err
	}
	cosine := datasets.Cosine(aIndices, aWeights, bIndices, bWeights)
	if cosine > 1-1e-12 {
		cosine = 1
	}
	return cosine, cosine >= v.Similarity, nil
}

// Select implements Verifier. It compares each record with the near kept records before it, until
// one is similar.
func (v *Vectors) Select(ctx context.Context, records []uint64, old int, near func(i, j int) bool) ([]int, []float32, error) {
	return selectByPairs(ctx, len(records), old, near, func(i, j int) (float64, bool, error) {
		return v.Compare(records[i], records[j])
	})
}

// store keeps the words or vectors of records in a temporary file, as 64-bit numbers.
type store struct {
	file    *scratch.File
	w       *bufio.Writer
	records []uint64 // record numbers, ascending
	ends    []int64  // where the numbers of each record end, in bytes
}

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

// append appends the numbers of a record to dst. It is safe for concurrent use.
func (s *store) append(dst []uint64, record uint64) ([]uint64, error) {
	i, ok := slices.BinarySearch(s.records, record)
	if !ok {
		return dst, fmt.Errorf("dedup: record %d was not loaded", record)
	}
	from, to := s.ends[i], s.ends[i+1]
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

// words returns how many 64-bit numbers a record has.
func (s *store) words(record uint64) int {
	i, ok := slices.BinarySearch(s.records, record)
	if !ok {
		return 0
	}
	return int(s.ends[i+1]-s.ends[i]) / 8
}

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
func (s *store) addTexts(ctx context.Context, read Reread, workers int, computing func() func(dst []uint64, text []byte) []uint64) error {
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
	if err == nil {
		err = s.end()
	}
	return err
}
