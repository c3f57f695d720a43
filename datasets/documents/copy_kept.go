package documents

import (
	"context"
	"fmt"
	"io"

	"simhashkit/internal/decompress"
	"simhashkit/internal/wholefile"
)

// CopyKept writes the records of a file for which keep returns true to another file, as they are
// byte for byte, and with them what belongs to no record: a header, blank lines. keep gets the
// number of each document that Read would give with the same options, from 0, in their order; a
// record that goes to OnError is left out and has no number.
//
// The file is written whole or not at all, and may take the place of the one that is read. It is
// packed if its name ends in .gz or .zst, whatever the other one is. Files of lines, JSON lines,
// CSV, TSV and Parquet can be copied, tar archives cannot. Of Parquet the values are kept, the
// schema and the key-value metadata, and the bytes are not.
//
// Of a folder, of which each file is a document, files are copied to a folder, each of them whole
// or not at all; those that an earlier copy has and that are not to be kept are removed there. A
// folder with other files is an error.
func CopyKept(ctx context.Context, in, out string, options Options, keep func(record int) bool) error {
	options, err := options.complete()
	if err != nil {
		return err
	}
	if isFolder(in) {
		return copyFolder(ctx, in, out, options, keep)
	}
	format, err := fileFormatOf(in, options)
	if err != nil {
		return err
	}
	if format != nil {
		return format.CopyKept(ctx, in, out, options, keep)
	}
	file, err := decompress.Open(ctx, in)
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	defer file.Close()
	write := func(w io.Writer) error { return copyKept(ctx, file, w, in, options, keep) }
	return wholefile.WriteReady(out, write, options.ReadyAt(out))
}

// CanCopy returns why CopyKept would refuse a file, if it would, without reading its records.
func CanCopy(ctx context.Context, in string, options Options) error {
	options, err := options.complete()
	if err != nil {
		return err
	}
	if format, err := fileFormatOf(in, options); err != nil || format != nil || isFolder(in) {
		return err
	}
	file, err := decompress.Open(ctx, in)
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	defer file.Close()
	reader, err := streamReader(ctx, file, in, options, nil)
	if err != nil {
		return err
	}
	return canCopy(reader.cutter, in)
}

func canCopy(c cutter, name string) error {
	switch c.(type) {
	case *archive:
		return cannotCopy(name, "a tar archive")
	case *oneFile:
		return cannotCopy(name, "one document")
	}
	return nil
}

func copyKept(ctx context.Context, r io.ReadCloser, w io.Writer, name string, options Options, keep func(record int) bool) error {
	reader, err := streamReader(ctx, r, name, options, func(bytes []byte) error {
		_, err := w.Write(bytes)
		return err
	})
	if err != nil {
		return err
	}
	if err := canCopy(reader.cutter, name); err != nil {
		return err
	}
	var d Document
	for record := 0; ; record++ {
		if err := reader.Read(&d); err != nil {
			if err == io.EOF {
				return options.whole()
			}
			return err
		}
		if !keep(record) {
			continue
		}
		if _, err := w.Write(d.Record); err != nil {
			return err
		}
	}
}

func cannotCopy(name, what string) error {
	return fmt.Errorf("documents: %s: expected a file of lines, JSON lines, CSV, TSV or Parquet to copy records of, or a folder, got %s", name, what)
}
