package main

import (
	"context"

	"golang.org/x/sync/errgroup"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// Limits of a batch: bytes of text and number of documents.
const (
	batchBytes     = 1 << 20
	batchDocuments = 1 << 12
)

// batch holds the texts of several documents, one after the other.
type batch struct {
	texts []byte
	ends  []int
}

// counting counts document frequencies in several goroutines, which take batches in turn. So the
// table depends only on their number, and without a limit not even on that.
type counting struct {
	ctx         context.Context // ends when a worker does
	interrupted context.Context // ends when the user says so
	group       *errgroup.Group
	workers     []chan batch
	builders    []*weights.Builder
	limit       int
	documents   int
	turn        int
	next        batch
}

func newCounting(ctx context.Context, analyzer *text.Analyzer, limit, workers int) *counting {
	c := &counting{interrupted: ctx, limit: limit}
	c.group, c.ctx = errgroup.WithContext(ctx)
	for range workers {
		batches, builder := make(chan batch, 1), weights.NewBuilder(analyzer.Options().String(), limit)
		c.workers, c.builders = append(c.workers, batches), append(c.builders, builder)
		local := analyzer.Clone()
		c.group.Go(func() error { return countBatches(c.ctx, batches, local, builder) })
	}
	return c
}

func countBatches(ctx context.Context, batches <-chan batch, analyzer *text.Analyzer, builder *weights.Builder) error {
	var features [][]byte
	for b := range batches {
		from := 0
		for _, end := range b.ends {
			if ctx.Err() != nil {
				return context.Cause(ctx)
			}
			features = analyzer.Append(features[:0], b.texts[from:end])
			builder.Add(features)
			from = end
		}
	}
	return nil
}

// add counts a document, whose text is copied.
func (c *counting) add(document []byte) error {
	c.documents++
	c.next.texts = append(c.next.texts, document...)
	c.next.ends = append(c.next.ends, len(c.next.texts))
	if len(c.next.texts) < batchBytes && len(c.next.ends) < batchDocuments {
		return nil
	}
	return c.send()
}

func (c *counting) send() error {
	select {
	case c.workers[c.turn] <- c.next:
	case <-c.ctx.Done():
		return context.Cause(c.ctx)
	}
	c.turn = (c.turn + 1) % len(c.workers)
	c.next = batch{}
	return nil
}

// end returns the table of all documents. It must be called, also after an error.
func (c *counting) end() (*weights.Table, error) {
	err := c.send()
	for _, batches := range c.workers {
		close(batches)
	}
	// so that an interrupt does not wait for the end of a long document
	if groupErr := abandon(c.interrupted, c.group.Wait); err == nil {
		err = groupErr
	}
	if err != nil {
		return nil, err
	}
	var tables []*weights.Table
	for _, builder := range c.builders {
		tables = append(tables, builder.Table())
	}
	if len(tables) == 1 {
		return tables[0], nil
	}
	return weights.Merge(c.limit, tables...)
}
