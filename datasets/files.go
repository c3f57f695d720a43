package datasets

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
)

// DefaultMaxBytes is the largest file that Files reads by default, 64 MiB.
const DefaultMaxBytes = 64 << 20

// FilesOptions says which files become vectors. The zero value takes all regular files.
type FilesOptions struct {
	// Suffix keeps only files whose name ends so, such as ".go"; "" keeps all.
	Suffix string

	// Sample is about how many files to take: of the list sorted by path every k-th, beginning with
	// the first, with the smallest k that leaves no more than Sample. 0 takes all, except in
	// GoSource, where it stands for GoSourceSample; a negative number takes all in either.
	Sample int

	// MaxBytes is the largest file; a larger one is an error. 0 is DefaultMaxBytes. At most 2^31-1.
	MaxBytes int64

	// Workers is the number of files worked on at the same time; 0 is GOMAXPROCS. A worker needs
	// about nine times the bytes of its file. The result does not depend on it.
	Workers int

	// OnError, when not nil, gets the error of each file that cannot be read; the file is left out
	// and the others are done. When nil, the first one ends the work.
	OnError func(error)
}

// Files makes one vector of each file below a folder or in a tar archive (.tar, or packed as
// .tar.gz, .tar.zst or .tar.bz2): its byte windows, as AppendWindows defines them, with their
// counts as weights.
//
// Vectors are sorted by path, byte by byte, and their ids are the paths, relative to the folder or
// as the archive has them, with slashes. Features are in ascending order. A file of fewer than 8
// bytes after collapsing gives an empty vector. Only regular files count: links, devices and the
// like are passed over. Hidden files and folders are files like others. When an archive holds a
// path twice, the last one counts, as in extracting.
//
// Counts are exact, save that float32 rounds those above 2^24. It ends with the context's cause
// when the context ends.
func Files[W Weight](ctx context.Context, path string, options FilesOptions) (CSR[W], error) {
	info, err := os.Stat(path)
	if err != nil {
		return CSR[W]{}, fmt.Errorf("datasets: %w", err)
	}
	if options.MaxBytes == 0 {
		options.MaxBytes = DefaultMaxBytes
	}
	if options.MaxBytes < 0 || options.MaxBytes > math.MaxInt32 {
		return CSR[W]{}, fmt.Errorf("datasets: a largest file of %d bytes is not between 1 and %d", options.MaxBytes, math.MaxInt32)
	}
	if options.Workers <= 0 {
		options.Workers = runtime.GOMAXPROCS(0)
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

// fileSource is a folder or an archive.
type fileSource interface {
	// list returns the paths of all regular files, each once, in any order.
	list(ctx context.Context, onError func(error)) ([]string, error)

	// open calls visit for each of the paths, in an order that suits the source but is always the
	// same. visit gets the place in paths and a function that reads the file into a buffer; the
	// function may be called later, from any goroutine. It stops when visit returns false.
	open(ctx context.Context, paths []string, visit func(place int, read readFunc) bool) error
}

// readFunc returns a file's content, in buf if there is room.
type readFunc func(buf []byte) ([]byte, error)

// everyNth samples a list, see FilesOptions.
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
