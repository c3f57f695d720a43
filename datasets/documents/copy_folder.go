package documents

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"simhashkit/internal/filetree"
	"simhashkit/internal/wholefile"
)

// copyFolder is CopyKept for a folder with one document in each file.
func copyFolder(ctx context.Context, in, out string, options Options, keep func(record int) bool) error {
	reader, err := folderReader(ctx, in, options)
	if err != nil {
		return err
	}
	paths := reader.cutter.(*folder).paths
	if options.Ready == nil {
		if err := onlyCopies(ctx, in, out, paths); err != nil {
			return err
		}
	}
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
			err = errors.Join(err, removeCopies(out, paths, &options))
		}
		return err
	case err == nil:
		return fmt.Errorf("documents: %w", context.Cause(ctx))
	}
	return err
}

// copiesAtOnce is the number of files written at a time. Writing mostly waits for the disk, which
// takes no longer for several files.
const copiesAtOnce = 32

// onlyCopies refuses a folder that contains other files than copies of these, since they would look
// like kept documents.
func onlyCopies(ctx context.Context, in, out string, paths []string) error {
	if !isFolder(out) {
		return nil
	}
	there, err := filetree.Folder(ctx, out, nil)
	if err != nil {
		return fmt.Errorf("documents: %w", err)
	}
	for _, path := range there {
		if _, ok := slices.BinarySearch(paths, path); !ok && !filetree.Marked(path) {
			return fmt.Errorf("documents: %s: expected a folder with nothing but copies of files of %s, got %s: take another folder, or delete this one", out, in, path)
		}
	}
	return nil
}

// removeCopies removes all copies of files from a folder.
func removeCopies(out string, paths []string, options *Options) (err error) {
	for _, path := range paths {
		err = errors.Join(err, removeCopy(filepath.Join(out, filepath.FromSlash(path)), options))
	}
	return err
}

// removeCopy removes a copy, if it is there and Ready lets it go.
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
