package datasets

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// fileChoice says which files to make vectors of.
type fileChoice struct {
	suffix string // of their names; "" is of all
	// sample is about how many to take: of the list sorted by path every k-th, beginning with the
	// first, with the smallest k that leaves no more. 0 takes all.
	sample   int
	maxBytes int64       // of a file, a larger one being an error; 0 is mostBytes
	onError  func(error) // gets why a file is left out; nil: the first such error ends the work
}

// mostBytes is the largest file that filesOf reads, unless a test says less.
const mostBytes = 64 << 20

// filesOf makes a vector of each file below a folder or in a tar archive, as Load says.
func filesOf[W Weight](ctx context.Context, path string, choice fileChoice) (CSR[W], error) {
	info, err := os.Stat(path)
	if err != nil {
		return CSR[W]{}, fmt.Errorf("datasets: %w", err)
	}
	maxBytes := cmp.Or(choice.maxBytes, mostBytes)
	var src fileSource = &tarSource{archive: path, maxBytes: maxBytes, unpacked: Open}
	if info.IsDir() {
		src = &folderSource{root: path, maxBytes: maxBytes}
	}
	paths, err := src.list(ctx, choice.onError)
	if err != nil {
		return CSR[W]{}, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !strings.HasSuffix(p, choice.suffix) })
	slices.Sort(paths)
	return vectorize[W](ctx, src, everyNth(paths, choice.sample), runtime.GOMAXPROCS(0), choice.onError)
}

// everyNth samples a list, see fileChoice.
func everyNth(paths []string, sample int) []string {
	if sample <= 0 || sample >= len(paths) {
		return paths
	}
	step := (len(paths) + sample - 1) / sample
	kept := make([]string, 0, sample)
	for i := 0; i < len(paths); i += step {
		kept = append(kept, paths[i])
	}
	return kept
}

// vectorize makes vectors of files, in the order of paths. The files are read one after the other,
// so that the first error is always the same, and counted several at a time.
func vectorize[W Weight](ctx context.Context, src fileSource, paths []string, atATime int, onError func(error)) (CSR[W], error) {
	documents := make([]*document[W], len(paths))
	var workers errgroup.Group
	workers.SetLimit(atATime)
	err := src.read(ctx, paths, func(place int, content []byte, err error) error {
		if endedErr := ended(ctx); endedErr != nil {
			return endedErr
		}
		switch {
		case err == nil:
			workers.Go(func() (err error) {
				documents[place], err = count[W](ctx, content)
				return err
			})
			return nil
		case onError != nil:
			onError(err)
			return nil
		}
		return err
	})
	if countErr := workers.Wait(); err == nil {
		err = countErr
	}
	if err != nil {
		return CSR[W]{}, err
	}
	set := CSR[W]{Offsets: []int{0}, Weights: []W{}}
	for place, d := range documents {
		if d == nil { // it could not be read
			continue
		}
		set.Indices = append(set.Indices, d.indices...)
		set.Weights = append(set.Weights, d.counts...)
		set.Offsets = append(set.Offsets, len(set.Indices))
		set.IDs = append(set.IDs, paths[place])
		documents[place] = nil // free it
	}
	return set, nil
}

// document is the different windows of a file.
type document[W Weight] struct {
	indices []uint64
	counts  []W
}

var windowBuffers = sync.Pool{New: func() any { return new([]uint64) }}

// count counts the windows of a file, in slices of just the right size, since they stay until all
// documents are done.
func count[W Weight](ctx context.Context, content []byte) (*document[W], error) {
	buffer := windowBuffers.Get().(*[]uint64)
	*buffer = AppendWindows((*buffer)[:0], content)
	windows := *buffer
	if err := sortNumbers(ctx, windows); err != nil {
		return nil, err // the buffer may still be sorted
	}
	different := 0
	for i, w := range windows {
		if i == 0 || w != windows[i-1] {
			different++
		}
	}
	d := &document[W]{make([]uint64, 0, different), make([]W, 0, different)}
	for at := 0; at < len(windows); {
		from := at
		for at < len(windows) && windows[at] == windows[from] {
			at++
		}
		d.indices = append(d.indices, windows[from])
		d.counts = append(d.counts, W(at-from))
	}
	windowBuffers.Put(buffer)
	return d, nil
}
