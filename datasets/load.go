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

// Load returns a data set by name, and a line that describes it:
//
//	go-source          every k-th of the .go files of the Go installation by path, some 500 of 11,000
//	                   real files, many of them near-duplicates. The error may be ErrNoGoTree
//	files:PATH         a vector of each file below a folder or in a tar archive
//	any other PATH     a file of vectors, see OpenVectors; an error if there are vectors, but not
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
