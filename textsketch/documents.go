package textsketch

import (
	"context"
	"io"
	"iter"
	"runtime"
	"sync"

	"simhashkit/datasets/documents"
	"simhashkit/fphash"
)

// Document is the fingerprint of a document and what it is called; both may be used again once the
// next one is asked for.
type Document struct {
	ID          []byte
	Number      int  // of the record in its file, from 1
	NumericID   bool // the id is a number
	Features    int  // that the text has, repeats included
	Fingerprint []uint64
	Status      fphash.Status
}

// A chunk is documents that one worker takes at a time: enough that handing it over costs nothing
// beside them, and little enough that memory does not matter and the end comes soon.
const (
	chunkBytes     = 256 << 10
	chunkDocuments = 1024
)

// longDocument is the size of documents that are not copied out of their reader's memory: it waits
// until their fingerprints are computed, so that there is one of them at a time.
const longDocument = 16 << 20

// chunk holds documents, and then their fingerprints.
type chunk struct {
	texts, ids       []byte
	textEnds, idEnds []int
	long             []byte // the text of the last document, of the reader's memory; nil if it is in texts
	numbers          []int
	numericIDs       []bool
	features         []int
	fingerprints     []uint64
	status           []fphash.Status
	err              error // of reading behind the documents, or of computing
	computed         chan struct{}
}

func (c *chunk) reset() {
	c.texts, c.ids, c.textEnds, c.idEnds = c.texts[:0], c.ids[:0], c.textEnds[:0], c.idEnds[:0]
	c.numbers, c.numericIDs, c.long = c.numbers[:0], c.numericIDs[:0], nil
	c.features, c.fingerprints, c.status, c.err = c.features[:0], c.fingerprints[:0], c.status[:0], nil
	c.computed = make(chan struct{})
}

// read fills the chunk; its error is that of the reader, io.EOF at the end.
func (c *chunk) read(r documents.Reader) {
	var d documents.Document
	for len(c.texts) < chunkBytes && len(c.textEnds) < chunkDocuments && c.long == nil {
		if c.err = r.Read(&d); c.err != nil {
			return
		}
		if len(d.Text) >= longDocument {
			c.long, d.Text = d.Text, nil
		}
		c.texts, c.ids = append(c.texts, d.Text...), append(c.ids, d.ID...)
		c.textEnds, c.idEnds = append(c.textEnds, len(c.texts)), append(c.idEnds, len(c.ids))
		c.numbers, c.numericIDs = append(c.numbers, d.Number), append(c.numericIDs, d.NumericID)
	}
}

// compute computes the fingerprints.
func (c *chunk) compute(l *Local) {
	defer close(c.computed)
	from := 0
	for i, end := range c.textEnds {
		text := c.texts[from:end]
		if c.long != nil && i == len(c.textEnds)-1 {
			text = c.long
		}
		var status fphash.Status
		var err error
		if c.fingerprints, status, err = l.Append(c.fingerprints, text); err != nil {
			c.err = err
			return
		}
		c.features, c.status = append(c.features, l.Features()), append(c.status, status)
		from = end
	}
}

// Documents returns the fingerprints of all documents in their order, computed by so many
// goroutines; 0 is GOMAXPROCS. One more reads, and tells the reader's OnError what is left out. An
// error ends it, after the documents before it. The end of the context ends it at once: a goroutine
// that is in the middle of a document is left to itself until it is through with that, and the
// reader can be closed then, but not read from. Memory is that of some chunks of 256 KB for each
// goroutine, or of the largest documents; of those of 16 MB or more there is one at a time.
func (s *Sketcher) Documents(ctx context.Context, r documents.Reader, workers int) iter.Seq2[Document, error] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Document, error) bool) {
		interrupted := ctx.Err
		ctx, cancel := context.WithCancelCause(ctx)
		var reading, computing sync.WaitGroup
		defer func() {
			cancel(nil)
			reading.Wait() // the reader is the caller's again
			if interrupted() == nil {
				computing.Wait()
			}
		}()
		// A chunk is in order as soon as it is read, and free again when it has been yielded.
		chunks := 2*workers + 1
		todo, order, free := make(chan *chunk), make(chan *chunk, chunks), make(chan *chunk, chunks)
		for range chunks {
			free <- new(chunk)
		}
		reading.Go(func() { readChunks(ctx, r, free, todo, order) })
		for range workers {
			computing.Go(func() {
				local := s.Local()
				for c := range todo {
					c.compute(local)
				}
			})
		}
		s.yieldChunks(ctx, order, free, yield)
	}
}

// readChunks reads all documents. It closes the channels that it sends to.
func readChunks(ctx context.Context, r documents.Reader, free <-chan *chunk, todo, order chan<- *chunk) {
	defer close(order)
	defer close(todo)
	for {
		var c *chunk
		select {
		case c = <-free:
		case <-ctx.Done():
			return
		}
		c.reset()
		c.read(r)
		ended, long, computed := c.err != nil, c.long != nil, c.computed // c is no longer ours once it is computed
		order <- c                                                       // has room for all chunks
		select {
		case todo <- c:
		case <-ctx.Done():
			return
		}
		if ended {
			return
		}
		if long {
			select {
			case <-computed: // the reader's memory may change again
			case <-ctx.Done():
				return
			}
		}
	}
}

// yieldChunks yields the documents of all chunks, and the error at the end.
func (s *Sketcher) yieldChunks(ctx context.Context, order <-chan *chunk, free chan<- *chunk, yield func(Document, error) bool) {
	words := s.Words()
	for c := range order {
		select {
		case <-c.computed:
		case <-ctx.Done():
			yield(Document{}, context.Cause(ctx))
			return
		}
		from := 0
		for i, status := range c.status {
			d := Document{
				ID: c.ids[from:c.idEnds[i]], Number: c.numbers[i], NumericID: c.numericIDs[i], Features: c.features[i],
				Fingerprint: c.fingerprints[i*words : (i+1)*words], Status: status,
			}
			from = c.idEnds[i]
			if !yield(d, nil) {
				return
			}
		}
		if c.err == io.EOF {
			return
		}
		if c.err != nil {
			yield(Document{}, c.err)
			return
		}
		free <- c
	}
	yield(Document{}, context.Cause(ctx)) // the reader was told to stop
}
