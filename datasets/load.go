package datasets

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/text"
	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
)

// GoSourceName is the name of the data set made from the local Go installation.
const GoSourceName = "go-source"

// Load returns a data set by name, and a line that describes it. The name is one of these:
//
//	go-source       every k-th .go file of the Go installation, by path: some 500 of 11,000 files,
//	                many of them near-duplicates. The error may be ErrNoGoTree
//	any other PATH  a file of vectors, see NewVectorReader. It is an error if no vector has a
//	                feature, since the file then has another format
//
// The features of a .go file are its shingles of 8 bytes, as package text computes them, with their
// counts as weights. Vectors are sorted by path, byte by byte. Their ids are the paths, relative to
// the installation and with slashes.
//
// Load returns the context's cause when the context ends.
func Load[W Weight](ctx context.Context, name string, options ReadOptions) (set CSR[W], description string, err error) {
	set = newSet[W](options.Unit)
	what, err := eachRow(ctx, name, options, set.Append)
	if err != nil {
		return CSR[W]{}, "", err
	}
	return set, described(what, set.Len(), set.NNZ()), nil
}

// eachRow calls add with each vector of a data set, and returns what the data set is.
func eachRow[W Weight](ctx context.Context, name string, options ReadOptions, add func(row *Row[W]) error) (what string, err error) {
	switch name {
	case "":
		return "", fmt.Errorf("datasets: no data set named")
	case GoSourceName:
		return goSource(ctx, options.Unit, add)
	}
	return readFile(ctx, name, options, add)
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
	return string(format) + " " + path, readEach(ctx, reader, add)
}

// open opens a file for reading. It decompresses gzip, zstd and bzip2, whatever the file's name is.
// Decompressing zstd takes up to 128 MiB, the largest accepted window. When the context ends,
// opening and reading return its cause, even if a pipe has no data.
func open(ctx context.Context, path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("datasets: %s is a directory, expected a file of vectors", path)
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

// goSource calls add with vectors of .go files of the local Go installation, as described at Load.
// The vectors and what it returns depend on the version of Go.
func goSource[W Weight](ctx context.Context, unit bool, add func(row *Row[W]) error) (what string, err error) {
	root, err := goTree(ctx)
	if err != nil {
		return "", err
	}
	paths, err := filetree.Files(ctx, root, nil)
	if err != nil {
		return "", fmt.Errorf("datasets: %w", err)
	}
	paths = slices.DeleteFunc(paths, func(path string) bool { return !strings.HasSuffix(path, ".go") })
	slices.Sort(paths)
	analyzer, err := text.New(text.Options{Features: text.Bytes})
	if err != nil {
		return "", err
	}
	for _, path := range everyNth(paths, goSourceSample) {
		if err := ended(ctx); err != nil {
			return "", err
		}
		content, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(path)))
		if err != nil {
			return "", fmt.Errorf("datasets: %w", err)
		}
		row := Row[W]{ID: []byte(path), Weights: []W{}}
		shingles := analyzer.AppendIndices(nil, content)
		slices.Sort(shingles)
		for _, shingle := range shingles {
			if last := len(row.Indices) - 1; last >= 0 && row.Indices[last] == shingle {
				row.Weights[last]++
				continue
			}
			row.Indices, row.Weights = append(row.Indices, shingle), append(row.Weights, 1)
		}
		if unit {
			row.Weights = nil
		}
		if err := add(&row); err != nil {
			return "", err
		}
	}
	return "8-byte windows of the .go files of " + goVersion(root) + ", every k-th by path", nil
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

// Info describes a set of vectors. The nnz fields count every listed feature, including repeats.
type Info struct {
	Rows            int
	EmptyRows       int // rows without features
	DuplicateRows   int // rows with exactly the features and weights of an earlier row
	NNZ             int
	MinNNZ          int
	MedianNNZ       float64
	MeanNNZ         float64
	MaxNNZ          int
	MaxIndex        uint64 // 0 if there are no features
	DistinctIndices int
	WholeWeights    bool // every weight is an integer
	OneWeights      bool // every weight is 1
	SignedWeights   bool // some weight is negative
}

// Describe reads a data set by name, like Load. It returns a description of the vectors and a line
// about the source. It reads files of vectors one vector at a time. When the context ends, it
// returns the context's cause.
//
// Rows are compared by 128 bits of a keyed hash: among 10^9 distinct rows, the probability of a
// collision is 10^-21. Memory: about 60 bytes per distinct row, 8 per row, 40 per distinct index.
func Describe(ctx context.Context, name string, options ReadOptions) (info Info, description string, err error) {
	d := newDescriber(ctx)
	what, err := eachRow(ctx, name, options, d.add)
	info = d.end()
	return info, described(what, info.Rows, info.NNZ), err
}

// describer computes an Info from vectors added one at a time.
type describer struct {
	Info
	ctx     context.Context
	lengths []int                  // number of features of each row
	rows    map[[2]uint64]struct{} // hashes of the distinct rows
	indices map[uint64]struct{}
	seeds   [2]maphash.Seed
	bytes   []byte // encoded row, reused
}

func newDescriber(ctx context.Context) *describer {
	return &describer{
		Info: Info{WholeWeights: true, OneWeights: true}, ctx: ctx,
		rows: map[[2]uint64]struct{}{}, indices: map[uint64]struct{}{}, seeds: [2]maphash.Seed{maphash.MakeSeed(), maphash.MakeSeed()},
	}
}

// add counts one more vector.
func (d *describer) add(row *Row[float64]) error {
	if err := ended(d.ctx); err != nil {
		return err
	}
	d.Rows++
	d.NNZ += len(row.Indices)
	d.lengths = append(d.lengths, len(row.Indices))
	d.bytes = d.bytes[:0]
	for i, index := range row.Indices {
		if i%(1<<16) == 1<<16-1 {
			if err := ended(d.ctx); err != nil {
				return err
			}
		}
		d.MaxIndex = max(d.MaxIndex, index)
		d.indices[index] = struct{}{}
		d.bytes = binary.LittleEndian.AppendUint64(d.bytes, index)
	}
	for _, w := range row.Weights {
		d.OneWeights = d.OneWeights && w == 1
		d.SignedWeights = d.SignedWeights || w < 0
		d.WholeWeights = d.WholeWeights && math.Trunc(w) == w
		d.bytes = binary.LittleEndian.AppendUint64(d.bytes, math.Float64bits(w))
	}
	d.rows[[2]uint64{maphash.Bytes(d.seeds[0], d.bytes), maphash.Bytes(d.seeds[1], d.bytes)}] = struct{}{}
	return nil
}

// end returns the Info of all added vectors.
func (d *describer) end() Info {
	if d.Rows == 0 {
		return d.Info
	}
	d.DuplicateRows = d.Rows - len(d.rows)
	d.DistinctIndices = len(d.indices)
	slices.Sort(d.lengths)
	d.EmptyRows, _ = slices.BinarySearch(d.lengths, 1)
	d.MinNNZ, d.MaxNNZ = d.lengths[0], d.lengths[d.Rows-1]
	d.MedianNNZ = (float64(d.lengths[(d.Rows-1)/2]) + float64(d.lengths[d.Rows/2])) / 2
	d.MeanNNZ = float64(d.NNZ) / float64(d.Rows)
	return d.Info
}
