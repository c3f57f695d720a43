package dedup

import (
	"context"
	"errors"
	"fmt"
	"iter"
)

// Reread calls take with the texts of records, by their ascending numbers, which it reads from
// their files again. A text is valid until the next one. Files that are not what they were when the
// records were made are an error.
type Reread func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error

// errFewer says that a file has lost records.
var errFewer = errors.New("it has changed since its documents were compared: run again")

// TextsOf reads the documents of a file, of which those that are not wanted may have no text: by
// their numbers from 0, in ascending order.
type TextsOf func(ctx context.Context, path string, want func(record int) bool) iter.Seq2[[]byte, error]

// toldAtOnce is of how many documents Take tells at once.
const toldAtOnce = 4096

// Take calls take with the texts of records of a file: of the given numbers, ascending and all in
// the file, whose first record has the number first. Told is told now and then how many more
// documents were read; nil: nobody is.
func (f TextsOf) Take(ctx context.Context, path string, first uint64, records []uint64, told func(more int), take func(record uint64, text []byte) error) error {
	if len(records) == 0 {
		return nil
	}
	number := first
	for text, err := range f(ctx, path, func(record int) bool { return first+uint64(record) == records[0] }) {
		if err != nil {
			return err
		}
		if n := number - first + 1; told != nil && n%toldAtOnce == 0 {
			told(toldAtOnce)
		}
		if number == records[0] {
			if err := take(number, text); err != nil {
				return err
			}
			if records = records[1:]; len(records) == 0 {
				return nil
			}
		}
		number++
	}
	return fmt.Errorf("%s: %d documents: %w", path, number-first, errFewer)
}
