package datasets

import (
	"context"
	"sync"
)

// document is what becomes of one file.
type document[W Weight] struct {
	indices []uint64
	counts  []W
	err     error
	order   int // when the source handed it out
}

type job struct {
	place int
	read  readFunc
}

// vectorize makes vectors of files with several workers and puts them together in the order of
// paths.
//
// Jobs are taken in the order of the source, and after a failure no new one is begun, so that
// everything before the first failure has been done and the error returned is always the same.
func vectorize[W Weight](ctx context.Context, src fileSource, paths []string, options FilesOptions) (CSR[W], error) {
	documents := make([]document[W], len(paths))
	jobs := make(chan job)
	failed := make(chan struct{})
	var once sync.Once
	var workers sync.WaitGroup
	for range options.Workers {
		workers.Go(func() {
			var text []byte
			var windows []uint64
			for j := range jobs {
				d := &documents[j.place]
				text, d.err = j.read(text[:0])
				if d.err != nil {
					if options.OnError == nil {
						once.Do(func() { close(failed) })
					}
					continue
				}
				windows = AppendWindows(windows[:0], text)
				if err := sortNumbers(ctx, windows); err != nil {
					continue // as all others will
				}
				d.fill(windows)
			}
		})
	}
	begun := 0
	sourceErr := src.open(ctx, paths, func(place int, read readFunc) bool {
		documents[place].order = begun
		begun++
		select {
		case <-failed: // asked first, since select chooses at random
			return false
		case <-ctx.Done():
			return false
		default:
		}
		select {
		case <-failed:
			return false
		case jobs <- job{place, read}:
			return true
		}
	})
	close(jobs)
	workers.Wait()
	if err := ended(ctx); err != nil {
		return CSR[W]{}, err
	}
	if err := report(documents, options.OnError); err != nil {
		return CSR[W]{}, err
	}
	if sourceErr != nil {
		return CSR[W]{}, sourceErr
	}
	return assemble(paths, documents), nil
}

// fill counts the windows, which are sorted, into slices of just the right size, since they stay
// until all documents are done.
func (d *document[W]) fill(windows []uint64) {
	different := 0
	for i, w := range windows {
		if i == 0 || w != windows[i-1] {
			different++
		}
	}
	d.indices, d.counts = make([]uint64, 0, different), make([]W, 0, different)
	for at := 0; at < len(windows); {
		from := at
		for at < len(windows) && windows[at] == windows[from] {
			at++
		}
		d.indices = append(d.indices, windows[from])
		d.counts = append(d.counts, W(at-from))
	}
}

// report returns the error of the file that the source handed out first, or passes all errors to
// onError, in the order of paths.
func report[W Weight](documents []document[W], onError func(error)) error {
	var first *document[W]
	for i := range documents {
		d := &documents[i]
		switch {
		case d.err == nil:
		case onError != nil:
			onError(d.err)
		case first == nil || d.order < first.order:
			first = d
		}
	}
	if first == nil {
		return nil
	}
	return first.err
}

// assemble joins the documents that could be read, in the order of paths.
func assemble[W Weight](paths []string, documents []document[W]) CSR[W] {
	rows, nnz := 0, 0
	for i := range documents {
		if documents[i].err == nil {
			rows++
			nnz += len(documents[i].indices)
		}
	}
	set := CSR[W]{
		Offsets: make([]int, 1, rows+1),
		Indices: make([]uint64, 0, nnz),
		Weights: make([]W, 0, nnz),
		IDs:     make([]string, 0, rows),
	}
	for i := range documents {
		if documents[i].err != nil {
			continue
		}
		set.Indices = append(set.Indices, documents[i].indices...)
		set.Weights = append(set.Weights, documents[i].counts...)
		set.Offsets = append(set.Offsets, len(set.Indices))
		set.IDs = append(set.IDs, paths[i])
		documents[i] = document[W]{} // free it
	}
	return set
}
