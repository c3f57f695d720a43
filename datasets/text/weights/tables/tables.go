// Package tables reads and writes the files of package weights: tables of document frequencies and
// lists of weights. It is not part of weights, so that programs without such files do not build the
// libraries for compression.
package tables

import (
	"context"
	"fmt"

	"simhashkit/datasets"
	"simhashkit/datasets/text/weights"
	"simhashkit/internal/wholefile"
)

// Load reads a table from a file that Save has written, plain or compressed with gzip, zstd or
// bzip2.
func Load(ctx context.Context, path string) (*weights.Table, error) {
	file, err := datasets.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer file.Close()
	return weights.Read(file, path)
}

// Save writes the table to a file, whole or not at all, compressed if the name ends in .gz or .zst.
func Save(table *weights.Table, path string) error {
	if err := wholefile.Write(path, table.Write); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	return nil
}

// LoadList reads a list from a file, plain or compressed with gzip, zstd or bzip2; see
// weights.ReadList.
func LoadList(ctx context.Context, path string, other float64) (*weights.List, error) {
	file, err := datasets.Open(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("weights: %w", err)
	}
	defer file.Close()
	return weights.ReadList(file, path, other)
}
