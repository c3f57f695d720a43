package datasets

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"simhashkit/internal/filetree"
)

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
	buf, err = filetree.ReadAtMost(&endingReader{ctx, file}, buf, s.maxBytes)
	if err != nil {
		return buf, fmt.Errorf("datasets: %s: %w", path, err)
	}
	return buf, nil
}
