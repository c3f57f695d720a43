package datasets

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// defaultMaxBytes is the largest file that filesOf reads by default.
const defaultMaxBytes = 64 << 20

// filesOf makes a vector of each file below a folder or in a tar archive, as Load says.
func filesOf[W Weight](ctx context.Context, path string, options LoadOptions) (CSR[W], error) {
	info, err := os.Stat(path)
	if err != nil {
		return CSR[W]{}, fmt.Errorf("datasets: %w", err)
	}
	if options.MaxBytes == 0 {
		options.MaxBytes = defaultMaxBytes
	}
	if options.MaxBytes < 0 || options.MaxBytes > math.MaxInt32 {
		return CSR[W]{}, fmt.Errorf("datasets: a largest file of %d bytes is not between 1 and %d", options.MaxBytes, math.MaxInt32)
	}
	var src fileSource = &tarSource{archive: path, maxBytes: options.MaxBytes, unpacked: Open}
	if info.IsDir() {
		src = &folderSource{root: path, maxBytes: options.MaxBytes}
	}
	paths, err := src.list(ctx, options.OnError)
	if err != nil {
		return CSR[W]{}, err
	}
	paths = slices.DeleteFunc(paths, func(p string) bool { return !strings.HasSuffix(p, options.Suffix) })
	slices.Sort(paths)
	return vectorize[W](ctx, src, everyNth(paths, options.Sample), options)
}

// everyNth samples a list, see LoadOptions.
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
// so that the first error is always the same, and counted by several workers.
func vectorize[W Weight](ctx context.Context, src fileSource, paths []string, options LoadOptions) (CSR[W], error) {
	documents := make([]*document[W], len(paths))
	var workers errgroup.Group
	workers.SetLimit(options.workers())
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
		case options.OnError != nil:
			options.OnError(err)
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

func (o *LoadOptions) workers() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return runtime.GOMAXPROCS(0)
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
