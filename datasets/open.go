package datasets

import (
	"context"
	"fmt"
	"io"
	"os"

	"simhashkit/internal/decompress"
)

// Open opens a file for reading and unpacks it when it is compressed with gzip, zstd or bzip2,
// whatever its name. Unpacking zstd takes up to 128 MiB, the largest window accepted. When the
// context ends, opening and reading end with its cause, even while a pipe has nothing to read.
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		return nil, fmt.Errorf("datasets: %s is a directory; %s%s makes a vector of each of its files", path, FilesPrefix, path)
	}
	file, err := decompress.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("datasets: %w", err)
	}
	return file, nil
}
