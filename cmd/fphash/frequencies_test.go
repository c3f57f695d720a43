package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
)

// Several goroutines count what one does.
func TestCountingByWorkers(t *testing.T) {
	analyzer, err := text.New(text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var tables [2]string
	for i, workers := range []int{1, 3} {
		c := newCounting(t.Context(), analyzer, 0, workers)
		for n := range 5 * batchDocuments / 2 { // three batches
			if err := c.add(fmt.Appendf(nil, "all of %d and %d", n%7, n%100)); err != nil {
				t.Fatal(err)
			}
		}
		table, err := c.end()
		if err != nil {
			t.Fatal(err)
		}
		var written strings.Builder
		if err := table.Write(&written); err != nil {
			t.Fatal(err)
		}
		tables[i] = written.String()
	}
	if diff := cmp.Diff(tables[0], tables[1]); diff != "" {
		t.Error(diff)
	}
}

// Counting ends with the context, and says why.
func TestCountingIsInterrupted(t *testing.T) {
	analyzer, err := text.New(text.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	c := newCounting(ctx, analyzer, 0, 2)
	cancel(errInterrupted)
	for err == nil { // a worker that takes no more ends this
		err = c.add(make([]byte, batchBytes))
	}
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
	if _, err := c.end(); !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
}
