package dedup

import (
	"bufio"
	"context"
	"fmt"
	"runtime"
	"sync"

	"simhashkit/datasets"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/internal/scratch"
)

// Texts verifies near records by their texts, which are read again, once and in order. What is
// compared of them goes to a temporary file: 8 bytes for each token or different run of tokens, 16
// for each feature of a cosine. Memory is 16 bytes for each record that is near another, some 40
// MiB, and what the longest text takes.
//
// Runs and features are compared by hashes of 64 bits.
type Texts struct {
	Measure  Measure
	Analyzer *text.Analyzer
	Weigher  *weights.Weigher // of a Cosine

	Read, ReadAgainst Reread

	Folder  string // of the temporary file; "" is the system's
	Workers int    // goroutines; 0 is GOMAXPROCS

	ctx              context.Context // of Load: long sequences take a while
	file             *scratch.File
	records, against vectorFile
}

// Figure returns the name of the measure.
func (t *Texts) Figure() string { return string(t.Measure.Kind) }

func (t *Texts) String() string { return t.Measure.String() }

// Close removes the temporary file.
func (t *Texts) Close() error {
	if t.file == nil {
		return nil
	}
	return t.file.Close()
}

// Load reads the texts of the records.
func (t *Texts) Load(ctx context.Context, records, against []uint64) (err error) {
	t.ctx = ctx
	if t.file, err = scratch.NewIn(t.Folder); err != nil {
		return fmt.Errorf("to compare texts: %w", err)
	}
	w := bufio.NewWriterSize(t.file, 1<<20)
	t.records = vectorFile{file: t.file, numbers: records, weighed: t.Measure.Kind == Cosine}
	if err := t.load(ctx, w, t.Read, &t.records); err != nil {
		return err
	}
	if t.against = t.records; t.ReadAgainst != nil {
		t.against = vectorFile{file: t.file, numbers: against, weighed: t.records.weighed, ends: []int64{t.records.end()}}
		if err := t.load(ctx, w, t.ReadAgainst, &t.against); err != nil {
			return err
		}
	}
	return failedScratch(w.Flush())
}

func failedScratch(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("what is compared of texts needs room on disk, some 8 bytes a word: %w", err)
}

// A batch of texts is so many bytes, or so many texts.
const (
	batchTextBytes = 4 << 20
	batchTexts     = 4 << 10
)

// load appends to the file what is compared of the texts that read gives.
func (t *Texts) load(ctx context.Context, w *bufio.Writer, read Reread, to *vectorFile) error {
	workers := make([]*vectorizer, max(t.Workers, 0))
	if len(workers) == 0 {
		workers = make([]*vectorizer, runtime.GOMAXPROCS(0))
	}
	for i := range workers {
		workers[i] = t.newVectorizer()
	}
	var texts []byte
	var ends []int
	flush := func() error {
		vectors := make([]textVector, len(ends))
		var all sync.WaitGroup
		for i, worker := range workers {
			all.Go(func() {
				for n := i; n < len(ends) && ctx.Err() == nil; n += len(workers) {
					from := 0
					if n > 0 {
						from = ends[n-1]
					}
					vectors[n] = worker.vector(texts[from:ends[n]])
				}
			})
		}
		all.Wait()
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		texts, ends = texts[:0], ends[:0]
		for _, v := range vectors {
			if err := to.append(w, v); err != nil {
				return failedScratch(err)
			}
		}
		return nil
	}
	err := read(ctx, to.numbers, func(_ uint64, text []byte) error {
		texts = append(texts, text...)
		if ends = append(ends, len(texts)); len(texts) < batchTextBytes && len(ends) < batchTexts {
			return nil
		}
		return flush()
	})
	if err != nil {
		return err
	}
	return flush()
}

// Compare measures two texts. Both being without any token, they are alike.
func (t *Texts) Compare(record, kept uint64) (float64, bool, error) {
	a, err := t.records.at(record)
	if err != nil {
		return 0, false, err
	}
	b, err := t.against.at(kept)
	if err != nil {
		return 0, false, err
	}
	figure := 1.0
	switch all := len(a.indices); t.Measure.Kind {
	case Cosine:
		figure = datasets.Cosine(a.indices, a.weights, b.indices, b.weights)
	case Sequence:
		if all+len(b.indices) > 0 {
			if figure, err = InSequence(t.ctx, a.indices, b.indices); err != nil {
				return 0, false, err
			}
		}
	case Contained:
		if all > 0 {
			figure = float64(Common(a.indices, b.indices)) / float64(all)
		}
	default:
		if both := Common(a.indices, b.indices); all+len(b.indices) > 0 {
			figure = float64(both) / float64(all+len(b.indices)-both)
		}
	}
	return figure, figure >= t.Measure.Least, nil
}

// Common returns how many numbers two ascending lists share.
func Common(a, b []uint64) (n int) {
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			a = a[1:]
		case a[0] > b[0]:
			b = b[1:]
		default:
			n++
			a, b = a[1:], b[1:]
		}
	}
	return n
}
