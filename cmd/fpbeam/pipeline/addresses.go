package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"

	"simhashkit/datasets/documents"
	"simhashkit/internal/wholefile"
)

// IsAddress says that a path is one of Beam's file systems, as gs://bucket/file, and not one of the
// machine.
func IsAddress(path string) bool { return strings.Contains(path, "://") }

// List returns the files that a glob of addresses means; none is an error.
func List(ctx context.Context, glob string) ([]string, error) {
	if !strings.HasPrefix(glob, "gs://") {
		return nil, fmt.Errorf("%s: expected an address of gs, or a path", glob)
	}
	fs, err := filesystem.New(ctx, glob)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	defer fs.Close()
	files, err := fs.List(ctx, glob)
	if err == nil && len(files) == 0 {
		err = errors.New("expected files, got none")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", glob, err)
	}
	return files, nil
}

// addressReader reads documents of a stream, and closes it.
type addressReader struct {
	documents.Reader
	stream io.Closer
	fs     filesystem.Interface
}

func openAddress(ctx context.Context, address string, options documents.Options) (documents.Reader, error) {
	fs, err := filesystem.New(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	stream, err := fs.OpenRead(ctx, address)
	if err != nil {
		fs.Close()
		return nil, fmt.Errorf("%s: %w", address, err)
	}
	r := &addressReader{stream: stream, fs: fs}
	if r.Reader, err = documents.NewReader(ctx, stream, address, options); err != nil {
		stream.Close()
		fs.Close()
		return nil, err
	}
	return r, nil
}

func (r *addressReader) Close() error {
	return errors.Join(r.Reader.Close(), r.stream.Close(), r.fs.Close())
}

// writeWhole writes a file below a folder whole or not at all, so that work that is done again
// leaves what it left before. Object stores show a file when it is closed.
func writeWhole(ctx context.Context, folder, name string, write func(io.Writer) error) error {
	if !IsAddress(folder) {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		return wholefile.WriteAsIs(file, write, nil)
	}
	scheme, rest, _ := strings.Cut(folder, "://")
	address := scheme + "://" + path.Join(rest, name)
	fs, err := filesystem.New(ctx, address)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	defer fs.Close()
	// An object store keeps what there was until the new file is closed, which a cancelled context
	// makes fail.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := fs.OpenWrite(ctx, address)
	if err != nil {
		return fmt.Errorf("%s: %w", address, err)
	}
	if err := write(w); err != nil {
		cancel()
		w.Close()
		return fmt.Errorf("%s: %w", address, err)
	}
	return w.Close()
}
