package dedup

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"simhashkit/internal/scratch"
)

// store keeps what is compared of records, numbers of 64 bits, in a temporary file.
type store struct {
	file    *scratch.File
	w       *bufio.Writer
	records []uint64 // their numbers, ascending
	ends    []int64  // of what each has, in bytes
}

func newStore(folder string, records []uint64) (*store, error) {
	file, err := scratch.NewIn(folder)
	if err != nil {
		return nil, fmt.Errorf("to compare records: %w", err)
	}
	return &store{file: file, w: bufio.NewWriterSize(file, 1<<20), records: records, ends: make([]int64, 1, len(records)+1)}, nil
}

// add writes what the next record has.
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

// end ends the writing.
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

// append appends what a record has to dst. It may be called by several goroutines.
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

// readBytes is how much of a record is read at once.
const readBytes = 1 << 20

// words returns how many numbers a record has.
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

// addTexts adds the numbers of the texts of all records. Each worker calls computing once, and
// appends the numbers of its share of a batch of texts by the function that it returns.
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
