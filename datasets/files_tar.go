package datasets

import (
	"context"
	"fmt"
	"io"

	"simhashkit/internal/filetree"
)

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
	err := s.each(ctx, func(number int, name string, _ io.Reader) (bool, error) {
		s.last[name] = number
		return true, nil
	})
	paths := make([]string, 0, len(s.last))
	for name := range s.last {
		paths = append(paths, name) // sorted by the caller
	}
	return paths, err
}

func (s *tarSource) open(ctx context.Context, paths []string, visit func(int, readFunc) bool) error {
	places := make(map[int]int, len(paths)) // number of an entry to its place in paths
	for place, name := range paths {
		places[s.last[name]] = place
	}
	return s.each(ctx, func(number int, name string, r io.Reader) (bool, error) {
		place, ok := places[number]
		if !ok {
			return true, nil
		}
		content, err := filetree.ReadAtMost(r, nil, s.maxBytes)
		if err != nil && int64(len(content)) <= s.maxBytes {
			return false, err // of the archive, not of this file
		}
		return visit(place, func([]byte) ([]byte, error) {
			if err != nil {
				return nil, fmt.Errorf("datasets: %s: %s: %w", s.archive, name, err)
			}
			return content, nil
		}), nil
	})
}

// each calls visit for each regular file until it returns false or an error.
func (s *tarSource) each(ctx context.Context, visit func(number int, name string, r io.Reader) (bool, error)) error {
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
		more := false
		if err == nil {
			more, err = visit(number, name, archive)
		}
		if err != nil {
			return s.damaged(ctx, err)
		}
		if !more {
			return nil
		}
	}
}

func (s *tarSource) damaged(ctx context.Context, err error) error {
	if err := ended(ctx); err != nil {
		return err
	}
	return fmt.Errorf("datasets: %s is no tar archive or damaged: %w", s.archive, err)
}
