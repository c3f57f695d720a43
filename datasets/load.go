package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
)

// GoSourceName is the name of the data set made from the local Go installation.
const GoSourceName = "go-source"

// FilesPrefix before a path makes Load turn each file into a vector.
const FilesPrefix = "files:"

// IsFile reports whether Load treats the name as the path of a file of vectors.
func IsFile(name string) bool {
	return name != "" && name != GoSourceName && !strings.HasPrefix(name, FilesPrefix)
}

// Load returns a data set by name, and a line that describes it. The name is one of these:
//
//	go-source          every k-th .go file of the Go installation, by path: some 500 of 11,000
//	                   files, many of them near-duplicates. The error may be ErrNoGoTree
//	files:PATH         one vector per file below a folder or in a tar archive
//	any other PATH     a file of vectors, see NewVectorReader. It is an error if no vector has a
//	                   feature, since the file then has another format
//
// The vector of a file holds its byte windows, as AppendWindows defines them, with their counts as
// weights. Vectors are sorted by path, byte by byte. Their ids are the paths with slashes, relative
// to the folder or as stored in the archive (.tar, .tar.gz, .tar.zst, .tar.bz2). A file of fewer
// than 8 bytes after collapsing white space gives an empty vector. Only regular files are read,
// including hidden ones; a file of more than 64 MiB is an error. If an archive contains a path
// twice, the last entry counts, as in extracting. Counts are exact, except that float32 rounds
// those above 2^24. Load processes one file per core at a time; each takes about nine times its
// size in memory. Only the options Unit and OnError affect these vectors.
//
// Load returns the context's cause when the context ends.
func Load[W Weight](ctx context.Context, name string, options ReadOptions) (set CSR[W], description string, err error) {
	path, isFiles := strings.CutPrefix(name, FilesPrefix)
	switch {
	case name == "":
		return CSR[W]{}, "", fmt.Errorf("datasets: no data set named")
	case name == GoSourceName:
		set, description, err = goSource[W](ctx, options.OnError)
	case isFiles:
		set, err = filesOf[W](ctx, path, mostBytes, options.OnError)
		description = "8-byte windows of the files of " + path
	default:
		set = newSet[W](options.Unit)
		description, err = readFile(ctx, name, options, set.Append)
	}
	if err != nil {
		return CSR[W]{}, "", err
	}
	if options.Unit {
		set.Weights = nil
	}
	return set, described(description, set.Len(), set.NNZ()), nil
}

func described(what string, vectors, features int) string {
	return fmt.Sprintf("%s: %d vectors, %d features", what, vectors, features)
}

// readFile calls add with each vector of a file, and returns a description of the file.
func readFile[W Weight](ctx context.Context, path string, options ReadOptions, add func(row *Row[W]) error) (description string, err error) {
	stream, err := open(ctx, path)
	if err != nil {
		return "", err
	}
	defer stream.Close()
	options.Name = cmp.Or(options.Name, path)
	reader, format, err := newVectorReader[W](ctx, stream, path, options)
	if err != nil {
		return "", err
	}
	defer reader.Close()
	if err = readEach(ctx, reader, add); err == nil {
		err = reader.NotVectors()
	}
	return string(format) + " " + path, err
}

// mostBytes is the largest size of a file that becomes a vector.
const mostBytes = 64 << 20

// filesOf makes a vector of each file below a folder or in a tar archive, as described at Load.
// Files larger than maxBytes are errors.
func filesOf[W Weight](ctx context.Context, path string, maxBytes int64, onError func(error)) (CSR[W], error) {
	info, err := os.Stat(path)
	if err != nil {
		return CSR[W]{}, fmt.Errorf("datasets: %w", err)
	}
	v := newVectorizer[W](ctx, maxBytes, onError)
	if !info.IsDir() {
		return v.end(v.archive(path))
	}
	paths, err := listFolder(ctx, path, onError)
	if err == nil {
		err = v.folder(path, paths)
	}
	return v.end(err)
}

// listFolder returns the paths of all regular files below a folder, sorted by their bytes.
func listFolder(ctx context.Context, root string, onError func(error)) ([]string, error) {
	if onError != nil {
		report := onError
		onError = func(err error) { report(fmt.Errorf("datasets: %w", err)) }
	}
	paths, err := filetree.Files(ctx, root, onError)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	slices.Sort(paths)
	return paths, nil
}

// vectorizer makes vectors of files. It reads the files one after the other, so that the first
// error is always the same, and counts the windows of several files at a time.
type vectorizer[W Weight] struct {
	ctx       context.Context
	maxBytes  int64
	onError   func(error) // gets the error of each skipped file; nil: stop at the first error
	documents map[string]*document[W]
	workers   errgroup.Group
}

func newVectorizer[W Weight](ctx context.Context, maxBytes int64, onError func(error)) *vectorizer[W] {
	v := &vectorizer[W]{ctx: ctx, maxBytes: maxBytes, onError: onError, documents: map[string]*document[W]{}}
	v.workers.SetLimit(runtime.GOMAXPROCS(0))
	return v
}

// take processes the next file, or the error of reading it. A file replaces an earlier one with the
// same path.
func (v *vectorizer[W]) take(path string, content []byte, err error) error {
	if err := ended(v.ctx); err != nil {
		return err
	}
	delete(v.documents, path)
	if err != nil {
		if v.onError == nil {
			return err
		}
		v.onError(err)
		return nil
	}
	d := &document[W]{}
	v.documents[path] = d
	v.workers.Go(func() error { return d.count(v.ctx, content) })
	return nil
}

// folder processes the files of a folder.
func (v *vectorizer[W]) folder(root string, paths []string) error {
	for _, path := range paths {
		content, err := v.readFile(filepath.Join(root, filepath.FromSlash(path)))
		if err := v.take(path, content, err); err != nil {
			return err
		}
	}
	return nil
}

func (v *vectorizer[W]) readFile(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer file.Close()
	content, err := filetree.ReadAtMost(&endingReader{v.ctx, file}, v.maxBytes)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", path, err)
	}
	return content, nil
}

// archive processes the files of a tar archive, compressed or not.
func (v *vectorizer[W]) archive(path string) error {
	file, err := open(v.ctx, path)
	if err != nil {
		return err
	}
	defer file.Close()
	return v.unpack(path, file)
}

// unpack processes the files of a tar archive from its stream.
func (v *vectorizer[W]) unpack(path string, stream io.Reader) error {
	archive := filetree.NewTar(stream)
	for {
		name, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		var content []byte
		if err == nil {
			content, err = filetree.ReadAtMost(archive, v.maxBytes)
		}
		switch {
		case int64(len(content)) > v.maxBytes:
			err = fmt.Errorf("datasets: %s: %s: %w", path, name, err)
		case err != nil: // an error of the whole archive
			return cmp.Or(ended(v.ctx), fmt.Errorf("datasets: %s is no tar archive or damaged: %w", path, err))
		}
		if err := v.take(name, content, err); err != nil {
			return err
		}
	}
}

// end returns the vectors sorted by path, or an error: err if it is not nil.
func (v *vectorizer[W]) end(err error) (CSR[W], error) {
	if err := cmp.Or(err, v.workers.Wait()); err != nil {
		return CSR[W]{}, err
	}
	set := CSR[W]{Offsets: []int{0}, Weights: []W{}}
	for _, path := range slices.Sorted(maps.Keys(v.documents)) {
		d := v.documents[path]
		set.Indices = append(set.Indices, d.indices...)
		set.Weights = append(set.Weights, d.counts...)
		set.Offsets = append(set.Offsets, len(set.Indices))
		set.IDs = append(set.IDs, path)
		delete(v.documents, path) // free it
	}
	return set, nil
}

// document holds the distinct windows of a file and their counts.
type document[W Weight] struct {
	indices []uint64
	counts  []W
}

var windowBuffers = sync.Pool{New: func() any { return new([]uint64) }}

// count counts the windows of a file. The slices have no spare capacity, since they stay in memory
// until all documents are done.
func (d *document[W]) count(ctx context.Context, content []byte) error {
	buffer := windowBuffers.Get().(*[]uint64)
	*buffer = AppendWindows((*buffer)[:0], content)
	windows := *buffer
	if err := sortUnlessEnded(ctx, len(windows), func() { slices.Sort(windows) }); err != nil {
		return err // the buffer may still be sorted
	}
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
	windowBuffers.Put(buffer)
	return nil
}

// open opens a file for reading. It decompresses gzip, zstd and bzip2, whatever the file's name is.
// Decompressing zstd takes up to 128 MiB, the largest accepted window. When the context ends,
// opening and reading return its cause, even if a pipe has no data.
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("datasets: %s is a directory; %s%s makes a vector of each of its files", path, FilesPrefix, path)
	}
	file, err := decompress.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return file, nil
}

// goSourceSample is the largest number of files that goSource reads.
const goSourceSample = 512

// ErrNoGoTree is returned by Load if this machine has no Go source tree. Use Generate instead.
var ErrNoGoTree = errors.New("datasets: no Go source tree found")

// goSource makes vectors of .go files of the local Go installation, as described at Load. The
// vectors and the description depend on the version of Go.
func goSource[W Weight](ctx context.Context, onError func(error)) (set CSR[W], description string, err error) {
	root, err := goTree(ctx)
	if err != nil {
		return set, "", err
	}
	paths, err := listFolder(ctx, root, onError)
	if err != nil {
		return set, "", err
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !strings.HasSuffix(path, ".go") })
	v := newVectorizer[W](ctx, mostBytes, onError)
	set, err = v.end(v.folder(root, everyNth(paths, goSourceSample)))
	return set, "8-byte windows of the .go files of " + goVersion(root) + ", every k-th by path", err
}

// everyNth returns every k-th path, for the smallest k that leaves at most sample paths.
func everyNth(paths []string, sample int) []string {
	step := max(1, (len(paths)+sample-1)/sample)
	kept := make([]string, 0, sample)
	for i := 0; i < len(paths); i += step {
		kept = append(kept, paths[i])
	}
	return kept
}

// goVersion returns the version of a Go tree, such as go1.26.8.
func goVersion(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "VERSION"))
	version, _, _ := strings.Cut(string(text), "\n")
	if err != nil || version == "" {
		return "an unknown version of Go"
	}
	return version
}

// goTree returns the folder of the Go installation: the output of `go env GOROOT`, or else the
// environment variable GOROOT. It returns ErrNoGoTree if neither folder has sources.
func goTree(ctx context.Context) (string, error) {
	roots := []string{os.Getenv("GOROOT")}
	if tool, err := exec.LookPath("go"); err == nil {
		command := exec.CommandContext(ctx, tool, "env", "GOROOT")
		// The go.mod of the current folder could select another toolchain.
		command.Dir = os.TempDir()
		command.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
		if output, err := command.Output(); err == nil {
			roots = append([]string{strings.TrimSpace(string(output))}, roots...)
		}
	}
	if err := ended(ctx); err != nil {
		return "", err
	}
	for _, root := range roots {
		if info, err := os.Stat(filepath.Join(root, "src", "fmt")); root != "" && err == nil && info.IsDir() {
			return root, nil
		}
	}
	return "", fmt.Errorf("%w (neither by go env GOROOT nor in the environment)", ErrNoGoTree)
}

// windowSize is the number of bytes in a window.
const windowSize = 8

// AppendWindows appends the byte windows of a text to dst, in text order and with repeats, and
// returns the extended slice.
//
// White space is collapsed first: a run of ASCII white space becomes one space, and white space at
// the beginning and the end is removed. A window is any 8 consecutive bytes of the result, read as
// a little-endian number. So a text of n collapsed bytes has n-7 windows, or none if n is below 8.
func AppendWindows(dst []uint64, text []byte) []uint64 {
	dst = slices.Grow(dst, max(0, len(text)-windowSize+1))
	var window uint64
	size := 0
	space := false // white space was read that is not yet written
	for _, b := range text {
		if isSpace(b) {
			space = size > 0
			continue
		}
		if space {
			space = false
			window = window>>8 | ' '<<56
			if size++; size >= windowSize {
				dst = append(dst, window)
			}
		}
		window = window>>8 | uint64(b)<<56
		if size++; size >= windowSize {
			dst = append(dst, window)
		}
	}
	return dst
}
