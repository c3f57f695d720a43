package datasets

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// folderSource gives the regular files below a folder.
type folderSource struct {
	root     string
	maxBytes int64
}

func (s *folderSource) list(ctx context.Context, onError func(error)) ([]string, error) {
	var paths []string
	// The root itself may be a link; links below it are not followed.
	root, err := filepath.EvalSymlinks(s.root)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	s.root = root
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err := ended(ctx); err != nil {
			return err
		}
		if err != nil {
			err = fmt.Errorf("datasets: %w", err)
			if onError == nil {
				return err
			}
			onError(err)
			return nil
		}
		if !entry.Type().IsRegular() {
			return nil
		}
		relative, err := filepath.Rel(root, path)
		if err != nil {
			return fmt.Errorf("datasets: %w", err)
		}
		paths = append(paths, filepath.ToSlash(relative))
		return nil
	})
	return paths, err
}

func (s *folderSource) open(ctx context.Context, paths []string, visit func(int, readFunc) bool) error {
	for place, path := range paths {
		full := filepath.Join(s.root, filepath.FromSlash(path))
		if !visit(place, func(buf []byte) ([]byte, error) { return s.read(ctx, full, buf) }) {
			break
		}
	}
	return nil
}

func (s *folderSource) read(ctx context.Context, path string, buf []byte) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return buf, fmt.Errorf("datasets: %w", err)
	}
	defer file.Close()
	buf, err = readAtMost(&endingReader{ctx, file}, buf, s.maxBytes)
	if err != nil {
		return buf, fmt.Errorf("datasets: %s: %w", path, err)
	}
	return buf, nil
}
