package documents

import (
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// FileFormat is a format of files that cannot be read from a stream, such as Parquet, whose index
// stands at its end.
type FileFormat struct {
	Name      string // as Options.Format has it
	Signature string // the first bytes of such a file
	Ending    string // of such a file's name, such as ".parquet"

	// Open and CopyKept do what the functions of these names do, with complete options.
	Open     func(ctx context.Context, path string, options Options) (Reader, error)
	CopyKept func(ctx context.Context, in, out string, options Options, keep func(record int) bool) error
}

var registered []FileFormat

// Register adds a format. It is for the init function of the package that reads it.
func Register(f FileFormat) { registered = append(registered, f) }

// fileFormatOf returns the registered format that a file has or should have, nil if none.
func fileFormatOf(path string, options Options) (*FileFormat, error) {
	signature, err := signatureOf(path)
	if err != nil {
		return nil, err
	}
	for i := range registered {
		f := &registered[i]
		has := strings.HasPrefix(signature, f.Signature) || ending(path) == f.Ending && !packed(path)
		if options.Format == f.Name || options.Format == Auto && has {
			return f, nil
		}
	}
	return nil, nil
}

// HasRecords says that the ending of a file's name is that of a format with many documents in a
// file: JSON lines, CSV, TSV, tar and registered ones, packed or not.
func HasRecords(path string) bool {
	end := ending(path)
	if format, ok := endings[end]; ok {
		return format != Lines
	}
	return slices.ContainsFunc(registered, func(f FileFormat) bool { return f.Ending == end })
}

func packed(path string) bool { return !strings.HasSuffix(strings.ToLower(path), ending(path)) }

// signatureOf returns the first bytes of a regular file, and nothing of others, which can be read
// only once.
func signatureOf(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("documents: %w", err)
	}
	if !info.Mode().IsRegular() {
		return "", nil
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("documents: %w", err)
	}
	defer file.Close()
	head := make([]byte, 8)
	n, err := io.ReadFull(file, head)
	if err != nil && err != io.EOF && err != io.ErrUnexpectedEOF {
		return "", fmt.Errorf("documents: %w", err)
	}
	return string(head[:n]), nil
}

// whyNot says what to do about a stream that begins as a file of a registered format does.
func whyNot(head []byte) string {
	for _, f := range registered {
		if strings.HasPrefix(string(head), f.Signature) {
			return ", which can be read from a file on disk that is not packed"
		}
	}
	return ""
}
