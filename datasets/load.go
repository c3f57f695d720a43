package datasets

import (
	"context"
	"fmt"
	"strings"
)

// GoSourceName is the name by which Load knows GoSource.
const GoSourceName = "go-source"

// FilesPrefix, before a path, asks Load for Files.
const FilesPrefix = "files:"

// NameForms says, in help and messages, what names Load takes.
const NameForms = "a file of vectors, " + FilesPrefix + "DIR, " + FilesPrefix + "ARCHIVE.tar.gz, or " + GoSourceName

// IsFile says whether Load takes the name for the path of a file of vectors.
func IsFile(name string) bool {
	return name != "" && name != GoSourceName && !strings.HasPrefix(name, FilesPrefix)
}

// LoadOptions gathers the options of all that Load can load; the fields are those of
// ReadOptions and FilesOptions.
type LoadOptions struct {
	Base    uint64 // svmlight and Vowpal Wabbit
	MaxLine int    // formats of text
	// weights are nil: each listed feature of a vector, or each different window of a file, counts
	// once
	Unit bool

	Suffix   string // files
	Sample   int    // files and go-source
	MaxBytes int64  // files and go-source
	Workers  int    // files and go-source

	// OnError, when not nil, gets the error of each malformed line (a *SyntaxError) or unreadable
	// file, which is left out. When nil, the first one ends the work.
	OnError func(error)
}

// Load returns a data set by name, and a line that describes it:
//
//	go-source          a sample of the Go installation's files, see GoSource; its error may be
//	                   ErrNoGoTree
//	files:PATH         the files of a folder or tar archive, see Files
//	any other PATH     a file of vectors, see OpenVectors; an error if there are vectors, but not
//	                   one has a feature, since it is of another format then
//
// It ends with the context's cause when the context ends.
func Load[W Weight](ctx context.Context, name string, options LoadOptions) (set CSR[W], description string, err error) {
	files := FilesOptions{Suffix: options.Suffix, Sample: options.Sample, MaxBytes: options.MaxBytes, Workers: options.Workers, OnError: options.OnError}
	path, isFiles := strings.CutPrefix(name, FilesPrefix)
	switch {
	case name == "":
		return CSR[W]{}, "", fmt.Errorf("datasets: no data set named")
	case name == GoSourceName:
		var root string
		if root, err = GoTree(ctx); err == nil {
			set, err = goSourceIn[W](ctx, root, files)
			description = "8-byte windows of the .go files of " + goVersion(root) + ", every k-th by path"
		}
	case isFiles:
		set, err = Files[W](ctx, path, files)
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
