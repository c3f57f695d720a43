package indexfile

import (
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
)

// Damage is a place of a file that is not as it was written.
type Damage struct {
	Offset, Bytes int64
	What          string
}

func (d *Damage) Error() string {
	return fmt.Sprintf("damaged at byte %d: %s, expected it as it was written (fphash index verify looks at all of the file)", d.Offset, d.What)
}

// ErrChanged is the error of a file that was changed under a reader by something else than a
// Writer.
var ErrChanged = errors.New("the file was changed or cut off while it was read")

// named puts the name of the file before an error.
func named(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

// reading calls what reads memory that a file is mapped to. Where the file was cut off or written
// over since it was checked, that is an error and no crash.
func reading(read func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() { err = faulted(before, recover(), err) }()
	return read()
}

// faulted ends the reading of memory that a file is mapped to, with what was recovered from it and
// its error.
func faulted(before bool, panicked any, err error) error {
	debug.SetPanicOnFault(before)
	if panicked == nil {
		return err
	}
	fault, ok := panicked.(runtime.Error)
	if !ok {
		panic(panicked)
	}
	return fmt.Errorf("%w (%v)", ErrChanged, fault)
}
