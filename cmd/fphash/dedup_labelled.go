package main

import (
	"context"
	"fmt"
	"io"

	"simhashkit/dedup"
	"simhashkit/internal/decompress"
)

// runLabelled says what a labelled sheet tells.
func (f *dedupFlags) runLabelled(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("--labelled %s: expected without FILE: the sheet has all that is asked for", f.labelled)
	}
	file, err := decompress.Open(ctx, f.labelled)
	if err != nil {
		return err
	}
	defer file.Close()
	strata, err := dedup.ReadSheet(file, f.labelled)
	if err != nil {
		return err
	}
	return dedup.WriteAudit(stdout, f.labelled, strata)
}
