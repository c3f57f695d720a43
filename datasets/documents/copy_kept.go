package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"golang.org/x/sync/errgroup"

	"simhashkit/internal/wholefile"
)

// CopyKept copies those records of a file for which keep returns true to another file, byte for
// byte. It also copies the header and blank lines. The argument of keep is the number, from 0, of a
// document that Read would return with the same options. Records that go to OnError are skipped and
// not numbered.
//
// CopyKept writes the file completely or not at all. out may be the same file as in. The output is
// compressed if its name ends in .gz or .zst, whether or not the input is. CopyKept supports files
// of lines, JSON lines, CSV, TSV and Parquet, but no tar archives and no Charset. A Parquet copy
// keeps the values, the schema and the key-value metadata, but not the bytes.
//
// If in is a folder, each of its files is a document. Files are copied to the folder out, each one
// completely or not at all. CopyKept removes copies from earlier runs if keep is false for them.
//
// If keep is nil, CopyKept writes nothing, and only returns the error of a file that it cannot
// copy. It does not read the records then.
func CopyKept(ctx context.Context, in, out string, options Options, keep func(record int) bool) error {
	options, err := options.complete()
	if err != nil {
		return err
	}
	if options.charset != nil {
		return errCopyCharset
	}
	if isFolder(in) {
		if keep == nil {
			return nil
		}
		return copyFolder(ctx, in, out, options, keep)
	}
	file, isParquet, err := openFile(ctx, in, &options)
	if err != nil {
		return err
	}
	defer file.Close()
	switch {
	case isParquet && keep == nil:
		return nil
	case isParquet:
		return copyParquet(ctx, in, out, options, keep)
	case keep == nil:
		return copyKept(ctx, file, io.Discard, in, options, nil)
	}
	write := func(w io.Writer) error { return copyKept(ctx, file, w, in, options, keep) }
	return wholefile.WriteReady(out, write, options.ReadyAt(out))
}

var errCopyCharset = errors.New("documents: records are copied byte for byte, which cannot be combined with a charset")

// canCopy returns an error if the documents of a cutter are not records of the file.
func canCopy(c cutter, name string) error {
	got := ""
	switch c.(type) {
	case *archive:
		got = "a tar archive"
	case *oneFile:
		got = "one document"
	default:
		return nil
	}
	return fmt.Errorf("documents: %s: expected a file of lines, JSON lines, CSV, TSV or Parquet to copy records of, or a folder, got %s", name, got)
}

func copyKept(ctx context.Context, r io.ReadCloser, w io.Writer, name string, options Options, keep func(record int) bool) error {
	reader, err := streamReader(ctx, r, name, options, func(bytes []byte) error {
		_, err := w.Write(bytes)
		return err
	})
	if err != nil {
		return err
	}
	if err := canCopy(reader.cutter, name); err != nil || keep == nil {
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

// copyFolder is CopyKept for a folder in which each file is a document.
func copyFolder(ctx context.Context, in, out string, options Options, keep func(record int) bool) error {
	reader, err := folderReader(ctx, in, options)
	if err != nil {
		return err
	}
	paths := reader.cutter.(*folder).paths
	copies, copying := errgroup.WithContext(ctx)
	copies.SetLimit(copiesAtOnce)
	var d Document
	for record := 0; copying.Err() == nil && err == nil; record++ {
		if err = reader.Read(&d); err != nil {
			break
		}
		from, to := d.File, filepath.Join(out, filepath.FromSlash(string(d.ID)))
		if keep(record) {
			copies.Go(func() error { return copyFile(from, to, options.ReadyAt(to)) })
		} else {
			err = removeCopy(to, &options)
		}
	}
	switch copyErr := copies.Wait(); {
	case copyErr != nil:
		return fmt.Errorf("documents: %w", copyErr)
	case err == io.EOF:
		if err = options.whole(); err != nil {
			for _, path := range paths {
				err = errors.Join(err, removeCopy(filepath.Join(out, filepath.FromSlash(path)), &options))
			}
		}
		return err
	case err == nil:
		return fmt.Errorf("documents: %w", context.Cause(ctx))
	}
	return err
}

// copiesAtOnce is the number of files written in parallel. Writing mostly waits for the disk, which
// handles several files as fast as one.
const copiesAtOnce = 32

// removeCopy removes a copy if it exists and Ready permits it.
func removeCopy(path string, options *Options) error {
	_, err := os.Lstat(path)
	if err == nil && options.Ready != nil {
		err = options.Ready(path, "")
	}
	if err == nil {
		err = os.Remove(path)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("documents: %w", err)
	}
	return nil
}

func copyFile(from, to string, ready func(temp string) error) error {
	file, err := os.Open(from)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
		return err
	}
	return wholefile.WriteAsIs(to, func(w io.Writer) error {
		_, err := io.Copy(w, file)
		return err
	}, ready)
}
