package datasets

import (
	"context"
	"fmt"
	"strings"
)

// GoSourceName is the name by which Load knows the Go installation.
const GoSourceName = "go-source"

// FilesPrefix, before a path, asks Load for vectors of files.
const FilesPrefix = "files:"

// NameForms says, in help and messages, what names Load takes.
const NameForms = "a file of vectors, " + FilesPrefix + "DIR, " + FilesPrefix + "ARCHIVE.tar.gz, or " + GoSourceName

// IsFile says whether Load takes the name for the path of a file of vectors.
func IsFile(name string) bool {
	return name != "" && name != GoSourceName && !strings.HasPrefix(name, FilesPrefix)
}

// LoadOptions gathers the options of all that Load can load. The zero value is right for most data
// sets.
type LoadOptions struct {
	Base    uint64 // as in ReadOptions: svmlight and Vowpal Wabbit
	MaxLine int    // as in ReadOptions: formats of text
	// weights are nil: each listed feature of a vector, or each different window of a file, counts
	// once
	Unit bool

	// Suffix keeps only files whose name ends so, such as ".txt"; "" keeps all. Of go-source it is
	// always ".go".
	Suffix string

	// Sample is about how many files to take: of the list sorted by path every k-th, beginning with
	// the first, with the smallest k that leaves no more than Sample. 0 takes all, except of
	// go-source, where it stands for 512; a negative number takes all of either.
	Sample int

	// MaxBytes is the largest file; a larger one is an error. 0 is 64 MiB. At most 2^31-1.
	MaxBytes int64

	// Workers is the number of files worked on at the same time; 0 is GOMAXPROCS. A worker needs
	// about nine times the bytes of its file. The result does not depend on it.
	Workers int

	// OnError, when not nil, gets the error of each malformed line (a *SyntaxError) or unreadable
	// file, which is left out. When nil, the first one ends the work.
	OnError func(error)
}

// Load returns a data set by name, and a line that describes it:
//
//	go-source          a sample of the .go files of the Go installation, as files:PATH: some 11,000
//	                   real files, many of them near-duplicates. The error may be ErrNoGoTree
//	files:PATH         a vector of each file below a folder or in a tar archive
//	any other PATH     a file of vectors, see OpenVectors; an error if there are vectors, but not
//	                   one has a feature, since it is of another format then
//
// The vector of a file is its byte windows, as AppendWindows defines them, with their counts as
// weights. These vectors are sorted by path, byte by byte, and their ids are the paths, relative to
// the folder or as the archive (.tar, .tar.gz, .tar.zst, .tar.bz2) has them, with slashes. A file
// of fewer than 8 bytes after collapsing gives an empty vector. Only regular files count, hidden
// ones too. When an archive holds a path twice, the last one counts, as in extracting. Counts are
// exact, save that float32 rounds those above 2^24.
//
// It ends with the context's cause when the context ends.
func Load[W Weight](ctx context.Context, name string, options LoadOptions) (set CSR[W], description string, err error) {
	path, isFiles := strings.CutPrefix(name, FilesPrefix)
	switch {
	case name == "":
		return CSR[W]{}, "", fmt.Errorf("datasets: no data set named")
	case name == GoSourceName:
		set, description, err = goSource[W](ctx, options)
	case isFiles:
		set, err = filesOf[W](ctx, path, options)
		description = "8-byte windows of the files of " + path
	default:
		set = newSet[W](options.Unit)
		description, err = readFile(ctx, name, options.read(), set.Append)
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

// readFile hands out all vectors of a file, and returns what the file is.
func readFile[W Weight](ctx context.Context, path string, options ReadOptions, add func(row *Row[W]) error) (description string, err error) {
	file, err := OpenVectors(ctx, path, options)
	if err != nil {
		return "", err
	}
	defer file.Close()
	reader, err := Vectors[W](file)
	if err != nil {
		return "", err
	}
	if err = readEach(ctx, reader, add); err == nil {
		err = reader.NotVectors()
	}
	return file.Format.File() + " " + path, err
}

func (o *LoadOptions) read() ReadOptions {
	r := ReadOptions{Base: o.Base, MaxLine: o.MaxLine, Unit: o.Unit}
	if o.OnError != nil {
		r.OnError = func(err *SyntaxError) { o.OnError(err) }
	}
	return r
}
