package datasets

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"simhashkit/internal/filetree"
)

// fileSource is a folder or an archive.
type fileSource interface {
	// list returns the paths of all regular files, each once, in any order.
	list(ctx context.Context, onError func(error)) ([]string, error)

	// read calls visit with the content of each of the paths, or with why it cannot be read: in an
	// order that suits the source but is always the same, until visit returns an error.
	read(ctx context.Context, paths []string, visit func(place int, content []byte, err error) error) error
}

// folderSource gives the regular files below a folder.
type folderSource struct {
	root     string
	maxBytes int64
}

func (s *folderSource) list(ctx context.Context, onError func(error)) ([]string, error) {
	if onError != nil {
		report := onError
		onError = func(err error) { report(fmt.Errorf("datasets: %w", err)) }
	}
	paths, err := filetree.Folder(ctx, s.root, onError)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return paths, nil
}

func (s *folderSource) read(ctx context.Context, paths []string, visit func(int, []byte, error) error) error {
	for place, path := range paths {
		content, err := s.readFile(ctx, filepath.Join(s.root, filepath.FromSlash(path)))
		if err := visit(place, content, err); err != nil {
			return err
		}
	}
	return nil
}

func (s *folderSource) readFile(ctx context.Context, path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	defer file.Close()
	content, err := filetree.ReadAtMost(&endingReader{ctx, file}, nil, s.maxBytes)
	if err != nil {
		return nil, fmt.Errorf("datasets: %s: %w", path, err)
	}
	return content, nil
}

// tarSource gives the regular files in a tar archive, packed or not. It reads the archive twice:
// for the list, and for the files that were chosen from it.
type tarSource struct {
	archive  string
	maxBytes int64
	unpacked func(ctx context.Context, path string) (io.ReadCloser, error) // of the archive: Open
	last     map[string]int                                                // path to the number of its last entry, counted over regular files
}

func (s *tarSource) list(ctx context.Context, _ func(error)) ([]string, error) {
	s.last = make(map[string]int)
	err := s.each(ctx, func(number int, name string, _ io.Reader) error {
		s.last[name] = number
		return nil
	})
	return slices.Collect(maps.Keys(s.last)), err
}

func (s *tarSource) read(ctx context.Context, paths []string, visit func(int, []byte, error) error) error {
	places := make(map[int]int, len(paths)) // number of an entry to its place in paths
	for place, name := range paths {
		places[s.last[name]] = place
	}
	return s.each(ctx, func(number int, name string, r io.Reader) error {
		place, ok := places[number]
		if !ok {
			return nil
		}
		content, err := filetree.ReadAtMost(r, nil, s.maxBytes)
		if err != nil && int64(len(content)) <= s.maxBytes {
			return s.damaged(ctx, err) // the archive, not this file
		}
		if err != nil {
			err = fmt.Errorf("datasets: %s: %s: %w", s.archive, name, err)
		}
		return visit(place, content, err)
	})
}

// each calls visit for each regular file until it returns an error.
func (s *tarSource) each(ctx context.Context, visit func(number int, name string, r io.Reader) error) error {
	file, err := s.unpacked(ctx, s.archive)
	if err != nil {
		return err
	}
	defer file.Close()
	archive := filetree.NewTar(file)
	for number := 0; ; number++ {
		name, err := archive.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return s.damaged(ctx, err)
		}
		if err := visit(number, name, archive); err != nil {
			return err
		}
	}
}

func (s *tarSource) damaged(ctx context.Context, err error) error {
	if err := ended(ctx); err != nil {
		return err
	}
	return fmt.Errorf("datasets: %s is no tar archive or damaged: %w", s.archive, err)
}
