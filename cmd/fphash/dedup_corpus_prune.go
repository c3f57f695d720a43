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
	n, err := run.Prune(ctx, f.remove)
	if n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s deleted that runs before wrote for inputs or documents that have gone\n", n, english.Plural(n, "file is", "files are"))
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
