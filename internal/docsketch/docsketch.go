// Package docsketch computes the fingerprints of all documents of a file on several cores.
//
// It is not part of textsketch, so that programs that sketch their own texts do not build the
// libraries that read files.
package docsketch

import (
	"context"
	"fmt"
	"io"
	"iter"
	"runtime"
	"strconv"
	"sync"

	"simhashkit/datasets/documents"
	"simhashkit/fphash"
	"simhashkit/internal/english"
	"simhashkit/textsketch"
)

// Record is the id and fingerprint of a document or a vector. It is valid until the next one is
// requested.
type Record struct {
	ID          []byte
	Number      bool     // the id is a number, and remains one in formats with numbers
	MadeUp      bool     // the record has no id: this is its number in its file, perhaps with a #
	Fingerprint []uint64 // (bits+63)/64 words
	Informative bool     // false: the record has no features, or all sums are zero
	Features    int      // number of features of a text, including repeats; 0 if unknown
	Keys        []uint64 // of a text; see textsketch.Options.Keys
}

// The limits of a chunk, the documents that a worker processes at a time. Chunks are large enough
// to make the overhead negligible, and small enough to limit memory and to stop quickly.
const (
	chunkBytes     = 256 << 10
	chunkDocuments = 1024
)

// longDocument is the size in bytes from which documents stay in the reader's memory. The reader
// waits until the fingerprint is computed, so only one such document is in memory at a time.
const longDocument = 16 << 20

// chunk holds documents and, once computed, their fingerprints.
type chunk struct {
	entries      []entry
	texts, ids   []byte // of all documents
	long         []byte // last text, in the reader's memory; nil if it is in texts
	fingerprints []uint64
	keys         []uint64
	err          error // error of reading after the documents, or of computing
	computed     chan struct{}
}

// entry is a document of a chunk. Its ID, Fingerprint and Keys are set when it is yielded.
type entry struct {
	Record
	textEnd, idEnd, keyEnd int
}

func (c *chunk) reset() {
	*c = chunk{entries: c.entries[:0], texts: c.texts[:0], ids: c.ids[:0], fingerprints: c.fingerprints[:0], keys: c.keys[:0], computed: make(chan struct{})}
}

// read fills the chunk, and counts what its documents lack. It sets err to an error of the reader,
// io.EOF at the end.
func (c *chunk) read(r documents.Reader, missing *Missing) {
	var d documents.Document
	for len(c.texts) < chunkBytes && len(c.entries) < chunkDocuments && c.long == nil {
		if c.err = r.Read(&d); c.err != nil {
			return
		}
		missing.count(&d)
		if len(d.Text) >= longDocument {
			c.long, d.Text = d.Text, nil
		}
		if c.texts, c.ids = append(c.texts, d.Text...), append(c.ids, d.ID...); len(d.ID) == 0 {
			c.ids, d.NumericID, d.MadeUp = strconv.AppendInt(c.ids, int64(d.Number), 10), true, true
		}
		c.entries = append(c.entries, entry{Record: Record{Number: d.NumericID, MadeUp: d.MadeUp}, textEnd: len(c.texts), idEnd: len(c.ids)})
	}
}

// compute computes the fingerprints. If one fails, it drops the documents from there on.
func (c *chunk) compute(l *textsketch.Local) {
	defer close(c.computed)
	from := 0
	for i := range c.entries {
		e := &c.entries[i]
		text := c.texts[from:e.textEnd]
		if c.long != nil && i == len(c.entries)-1 {
			text = c.long
		}
		var status fphash.Status
		var err error
		if c.fingerprints, status, err = l.Append(c.fingerprints, text); err != nil {
			c.entries, c.err = c.entries[:i], err
			return
		}
		e.Informative = status == fphash.Informative
		e.Features, c.keys = l.Features(), append(c.keys, l.Keys()...)
		from, e.keyEnd = e.textEnd, len(c.keys)
	}
}

// Documents yields the fingerprints of all documents that r reads, in order, and counts in missing
// what they lack. The id of a document without an id is its number.
//
// One goroutine reads and calls the reader's OnError, and workers goroutines (0: GOMAXPROCS)
// compute. If one of them fails, Documents yields the documents before the error and then the
// error. When the context ends, Documents stops immediately. A goroutine may still be computing a
// fingerprint then, so the reader may be closed but not read. Each goroutine needs memory for a few
// chunks of 256 KB or for larger documents. Only one document of 16 MB or more is in memory at a
// time.
func Documents(ctx context.Context, s *textsketch.Sketcher, r documents.Reader, missing *Missing, workers int) iter.Seq2[Record, error] {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return func(yield func(Record, error) bool) {
		interrupted := ctx.Err
		ctx, cancel := context.WithCancelCause(ctx)
		var reading, computing sync.WaitGroup
		defer func() {
			cancel(nil)
			reading.Wait() // the caller may use the reader again
			if interrupted() == nil {
				computing.Wait()
			}
		}()
		// The channel order gets each chunk after it is read. The channel free gets it back after
		// it is yielded.
		chunks := 2*workers + 1
		todo, order, free := make(chan *chunk), make(chan *chunk, chunks), make(chan *chunk, chunks)
		for range chunks {
			free <- new(chunk)
		}
		reading.Go(func() { readChunks(ctx, r, missing, free, todo, order) })
		for range workers {
			computing.Go(func() {
				local := s.Local()
				for c := range todo {
					c.compute(local)
				}
			})
		}
		yieldChunks(ctx, s.Words(), order, free, yield)
	}
}

// readChunks reads all documents. It closes the channels todo and order.
func readChunks(ctx context.Context, r documents.Reader, missing *Missing, free <-chan *chunk, todo, order chan<- *chunk) {
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
		c.read(r, missing)
		ended, long, computed := c.err != nil, c.long != nil, c.computed // c is no longer ours once it is computed
		order <- c                                                       // its buffer has room for all chunks
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

// yieldChunks yields the documents of all chunks and then the error, if any. Each fingerprint has
// the given number of words.
func yieldChunks(ctx context.Context, words int, order <-chan *chunk, free chan<- *chunk, yield func(Record, error) bool) {
	for c := range order {
		select {
		case <-c.computed:
		case <-ctx.Done():
			yield(Record{}, context.Cause(ctx))
			return
		}
		id, key := 0, 0
		for i, e := range c.entries {
			e.ID, e.Fingerprint, e.Keys = c.ids[id:e.idEnd], c.fingerprints[i*words:(i+1)*words], c.keys[key:e.keyEnd]
			id, key = e.idEnd, e.keyEnd
			if !yield(e.Record, nil) {
				return
			}
		}
		if c.err == io.EOF {
			return
		}
		if c.err != nil {
			yield(Record{}, c.err)
			return
		}
		free <- c
	}
	yield(Record{}, context.Cause(ctx)) // the context ended and readChunks stopped
}

// Missing counts the documents without a text or an id, and those with an id that is not read. The
// zero value has counted none.
type Missing struct {
	Texts, IDs, OtherIDs   int
	text, id, named, other string // the first document of each, and the name of the one without an id
}

// count counts what a document lacks.
func (m *Missing) count(d *documents.Document) {
	if d.NoText {
		if m.Texts++; m.Texts == 1 {
			m.text = whereIs(d)
		}
	}
	if d.MadeUp {
		if m.IDs++; m.IDs == 1 {
			m.id, m.named = whereIs(d), string(d.ID)
		}
	}
	if d.OtherID {
		if m.OtherIDs++; m.OtherIDs == 1 {
			m.other = whereIs(d)
		}
	}
}

func whereIs(d *documents.Document) string { return fmt.Sprintf("%s:%d", d.File, d.Line) }

// Take returns sentences with the counts, and sets them to zero.
func (m *Missing) Take() (sentences []string) {
	if n := m.Texts; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s without a text (missing or null), such as %s, %s as empty",
			english.Count(n, "document"), m.text, english.Plural(n, "counts", "count")))
	}
	if n := m.IDs; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s without an id, such as %s, %s named by number: %s",
			english.Count(n, "document"), m.id, english.Plural(n, "is", "are"), m.named))
	}
	if n := m.OtherIDs; n > 0 {
		sentences = append(sentences, fmt.Sprintf("%s with the field \"id\", such as %s, %s named by record number; --id id takes the field",
			english.Count(n, "document"), m.other, english.Plural(n, "is", "are")))
	}
	*m = Missing{}
	return sentences
}
