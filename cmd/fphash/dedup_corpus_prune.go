package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"simhashkit/dedup/corpus"
	"simhashkit/internal/english"
)

// pruneRun deletes what runs before have written for inputs that are none of this run.
func (f *corpusFlags) pruneRun(ctx context.Context, run *corpus.Run, stderr io.Writer) error {
	n, err := run.Prune(ctx)
	if n > 0 {
		fmt.Fprintf(stderr, "fphash: what runs before wrote for %d %s, which this run has not, is deleted\n", n, english.Plural(n, "input", "inputs"))
	}
	return err
}

// orForce adds to the error of a file that would be replaced how to replace it.
func orForce(err error) error {
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("%w; --force replaces it", err)
	}
	return err
}
