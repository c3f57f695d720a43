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
const NameForms = "an svmlight file, " + FilesPrefix + "DIR, " + FilesPrefix + "ARCHIVE.tar.gz, or " + GoSourceName

// IsSVMLightPath says whether Load takes the name for the path of an svmlight file.
func IsSVMLightPath(name string) bool {
	return name != "" && name != GoSourceName && !strings.HasPrefix(name, FilesPrefix)
}

// LoadOptions gathers the options of all that Load can load; the fields are those of
// SVMLightOptions and FilesOptions.
type LoadOptions struct {
	Base    uint64 // svmlight
	MaxLine int    // svmlight
	// weights are nil: each listed feature of svmlight text, or each different window of a file,
	// counts once
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
//	go-source          a sample of the Go installation's files, see GoSource; its error may be ErrNoGoTree
//	files:PATH         the files of a folder or tar archive, see Files
//	any other PATH     a file in svmlight format, plain or compressed, see ReadSVMLightFile;
//	                   an error if not one vector has a feature, since it is of another format then
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
		var reader *SVMLightReader[W]
		if set, reader, err = readFile[W](ctx, name, options.svmlight()); err == nil {
			err = reader.NotVectors()
		}
		description = "svmlight file " + name
	}
	if err != nil {
		return CSR[W]{}, "", err
	}
	if options.Unit {
		set.Weights = nil
	}
	return set, fmt.Sprintf("%s: %d vectors, %d features", description, set.Len(), set.NNZ()), nil
}

func (o *LoadOptions) svmlight() SVMLightOptions {
	s := SVMLightOptions{Base: o.Base, MaxLine: o.MaxLine, Unit: o.Unit}
	if o.OnError != nil {
		s.OnError = func(err *SyntaxError) { o.OnError(err) }
	}
	return s
}
