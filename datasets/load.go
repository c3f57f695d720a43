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

// GoSourceName is the name by which Load knows the Go installation.
const GoSourceName = "go-source"

// FilesPrefix before a path makes Load return vectors of files.
const FilesPrefix = "files:"

// NameForms describes the names that Load takes, for help and messages.
const NameForms = "a file of vectors, " + FilesPrefix + "DIR, " + FilesPrefix + "ARCHIVE.tar.gz, or " + GoSourceName

// IsFile reports whether Load treats the name as the path of a file of vectors.
func IsFile(name string) bool {
	return name != "" && name != GoSourceName && !strings.HasPrefix(name, FilesPrefix)
}

// Load returns a data set by name, and a line that describes it:
//
//	go-source          every k-th of the Go installation's .go files by path: some 500 of 11,000
//	                   files, many of them near-duplicates. The error may be ErrNoGoTree
//	files:PATH         a vector of each file below a folder or in a tar archive
//	any other PATH     a file of vectors, see NewVectorReader; an error if there are vectors, but not
//	                   one has a feature, since it is of another format then
//
// The vector of a file is its byte windows, as AppendWindows defines them, with their counts as
// weights. These vectors are sorted by path, byte by byte, and their ids are the paths, relative to
// the folder or as the archive (.tar, .tar.gz, .tar.zst, .tar.bz2) has them, with slashes. A file
// of fewer than 8 bytes after collapsing gives an empty vector. Only regular files count, hidden
// ones too; one of more than 64 MiB is an error. When an archive holds a path twice, the last one
// counts, as in extracting. Counts are exact, save that float32 rounds those above 2^24. As many
// files are worked on at the same time as there are cores, each of which takes some nine times the
// bytes of its file. Of the options, Unit and OnError matter to these vectors.
//
// It ends with the context's cause when the context ends.
func Load[W Weight](ctx context.Context, name string, options ReadOptions) (set CSR[W], description string, err error) {
	path, isFiles := strings.CutPrefix(name, FilesPrefix)
	switch {
	case name == "":
		return CSR[W]{}, "", fmt.Errorf("datasets: no data set named")
	case name == GoSourceName:
		set, description, err = goSource[W](ctx, options.OnError)
	case isFiles:
		set, err = filesOf[W](ctx, path, fileChoice{onError: options.OnError})
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

// readFile calls add with all vectors of a file, and returns a description of the file.
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

// fileChoice says which files to make vectors of.
type fileChoice struct {
	suffix string // of their names; "" is of all
	// sample bounds the number of files: every k-th of the list sorted by path is taken, with the
	// smallest k that suffices. 0 takes all.
	sample   int
	maxBytes int64       // of a file; a larger one is an error; 0 is mostBytes
	onError  func(error) // gets the error of each file that is left out; nil: the first error ends the work
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
	var src fileSource = &tarSource{archive: path, maxBytes: maxBytes, unpacked: open}
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

// document has the distinct windows of a file and their counts.
type document[W Weight] struct {
	indices []uint64
	counts  []W
}

var windowBuffers = sync.Pool{New: func() any { return new([]uint64) }}

// count counts the windows of a file. Its slices have no spare capacity, since they stay in memory
// until all documents are done.
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

// fileSource is a folder or an archive.
type fileSource interface {
	// list returns the paths of all regular files, each once, in any order.
	list(ctx context.Context, onError func(error)) ([]string, error)

	// read calls visit with the content of each of the paths, or with why it cannot be read: in an
	// order that suits the source but is always the same, until visit returns an error.
	read(ctx context.Context, paths []string, visit func(place int, content []byte, err error) error) error
}

// folderSource yields the regular files below a folder.
type folderSource struct {
	root     string
	maxBytes int64
}

func (s *folderSource) list(ctx context.Context, onError func(error)) ([]string, error) {
	if onError != nil {
		report := onError
		onError = func(err error) { report(fmt.Errorf("datasets: %w", err)) }
	}
	paths, err := filetree.Folder(ctx, s.root, onError)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return paths, nil
}

func (s *folderSource) read(ctx context.Context, paths []string, visit func(int, []byte, error) error) error {
	for place, path := range paths {
		content, err := s.readFile(ctx, filepath.Join(s.root, filepath.FromSlash(path)))
		if err := visit(place, content, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *folderSource) readFile(ctx context.Context, path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer file.Close()
	content, err := filetree.ReadAtMost(&endingReader{ctx, file}, nil, s.maxBytes)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", path, err)
	}
	return content, nil
}

// tarSource yields the regular files of a tar archive, compressed or not. It reads the archive
// twice: for the list, and for the chosen files.
type tarSource struct {
	archive  string
	maxBytes int64
	unpacked func(ctx context.Context, path string) (io.ReadCloser, error) // open but in tests
	last     map[string]int                                                // path to the number of its last entry, counted over regular files
}

func (s *tarSource) list(ctx context.Context, _ func(error)) ([]string, error) {
	s.last = make(map[string]int)
	err := s.each(ctx, func(number int, name string, _ io.Reader) error {
		s.last[name] = number
		return nil
	})
	return slices.Collect(maps.Keys(s.last)), err
}

func (s *tarSource) read(ctx context.Context, paths []string, visit func(int, []byte, error) error) error {
	places := make(map[int]int, len(paths)) // number of an entry to its place in paths
	for place, name := range paths {
		places[s.last[name]] = place
	}
	return s.each(ctx, func(number int, name string, r io.Reader) error {
		place, ok := places[number]
		if !ok {
			return nil
		}
		content, err := filetree.ReadAtMost(r, nil, s.maxBytes)
		if err != nil && int64(len(content)) <= s.maxBytes {
			return s.damaged(ctx, err) // not an error of this file but of the archive
		}
		if err != nil {
			err = fmt.Errorf("datasets: %s: %s: %w", s.archive, name, err)
		}
		return visit(place, content, err)
	})
}

// each calls visit for each regular file until it returns an error.
func (s *tarSource) each(ctx context.Context, visit func(number int, name string, r io.Reader) error) error {
	file, err := s.unpacked(ctx, s.archive)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := filetree.NewTar(file)
	for number := 0; ; number++ {
		name, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.damaged(ctx, err)
		}
		if err := visit(number, name, archive); err != nil {
			return err
		}
	}
}

func (s *tarSource) damaged(ctx context.Context, err error) error {
	if err := ended(ctx); err != nil {
		return err
	}
	return fmt.Errorf("datasets: %s is no tar archive or damaged: %w", s.archive, err)
}

// open opens a file for reading and unpacks it when it is compressed with gzip, zstd or bzip2,
// whatever its name. Unpacking zstd takes up to 128 MiB, the largest window accepted. When the
// context ends, opening and reading end with its cause, even while a pipe has nothing to read.
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

// goSourceSample is the number of files that goSource takes at most.
const goSourceSample = 512

// ErrNoGoTree is the error of Load (errors.Is) when this machine has no Go source tree; Generate
// can take its place.
var ErrNoGoTree = errors.New("datasets: no Go source tree found")

// goSource makes vectors of .go files of this machine's Go installation, as Load says. The
// description depends on the version of Go, and so do the vectors.
func goSource[W Weight](ctx context.Context, onError func(error)) (set CSR[W], description string, err error) {
	root, err := goTree(ctx)
	if err != nil {
		return set, "", err
	}
	set, err = filesOf[W](ctx, root, fileChoice{suffix: ".go", sample: goSourceSample, onError: onError})
	return set, "8-byte windows of the .go files of " + goVersion(root) + ", every k-th by path", err
}

// goVersion returns the version of a tree, such as go1.26.8.
func goVersion(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "VERSION"))
	version, _, _ := strings.Cut(string(text), "\n")
	if err != nil || version == "" {
		return "an unknown version of Go"
	}
	return version
}

// goTree returns the folder of the Go installation: the output of `go env GOROOT`, or else the
// environment variable GOROOT. The error is ErrNoGoTree if there is none with sources.
func goTree(ctx context.Context) (string, error) {
	roots := []string{os.Getenv("GOROOT")}
	if tool, err := exec.LookPath("go"); err == nil {
		command := exec.CommandContext(ctx, tool, "env", "GOROOT")
		// Not in the present folder, whose go.mod could ask for another toolchain.
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

// WindowSize is the number of bytes in a window.
const WindowSize = 8

// AppendWindows appends the byte windows of a text to dst, in the order of the text and with
// repeats, and returns the extended slice.
//
// White space is collapsed first: a run of ASCII white space counts as one space, and white space
// at the beginning and the end as nothing. Each run of WindowSize bytes of what remains is a
// window, the number that these bytes are in little-endian order. So a text of n collapsed bytes
// has n-7 windows, and one of fewer than 8 has none.
func AppendWindows(dst []uint64, text []byte) []uint64 {
	dst = slices.Grow(dst, max(0, len(text)-WindowSize+1))
	var window uint64
	size := 0
	space := false // white space read, but not yet followed by anything
	for _, b := range text {
		if isSpace(b) {
			space = size > 0
			continue
		}
		if space {
			space = false
			window = window>>8 | ' '<<56
			if size++; size >= WindowSize {
				dst = append(dst, window)
			}
		}
		window = window>>8 | uint64(b)<<56
		if size++; size >= WindowSize {
			dst = append(dst, window)
		}
	}
	return dst
}
