package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets/text"
	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
)

// goSourceName is the name of the data set made from the local Go installation.
const goSourceName = "go-source"

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
	case goSourceName:
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
