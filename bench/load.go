package bench

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"simhashkit/datasets"
)

// DefaultData is the data set of a run that names none.
const DefaultData = datasets.GoSourceName

// LoadData loads the data set that datasets.Load has under the name.
func LoadData(ctx context.Context, name string, options datasets.ReadOptions) (*Data, error) {
	set, description, err := datasets.Load[float64](ctx, name, options)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return NewData(DataName(name), description, set)
}

// LoadDefaultData loads DefaultData. On a machine without a Go tree generated vectors take its
// place, and instead says so; it is "" otherwise.
func LoadDefaultData(ctx context.Context) (data *Data, instead string, err error) {
	data, err = LoadData(ctx, DefaultData, datasets.ReadOptions{})
	if !errors.Is(err, datasets.ErrNoGoTree) {
		return data, "", err
	}
	options := datasets.GenerateOptions{Seed: 1, Vectors: 1000, NNZ: 200, Weights: datasets.CountWeights}
	set, _, generateErr := datasets.Generate[float64](ctx, options)
	if generateErr != nil {
		return nil, "", fmt.Errorf("bench: %w", generateErr)
	}
	data, err = NewData("generated", "Zipf-distributed vectors, seed 1", set)
	return data, fmt.Sprintf("%s is not here (no Go source tree found); generated vectors take its place", DefaultData), err
}

// DataName makes a data set's name fit to stand in a benchmark's: the last part of its path, with
// nothing that would end the name or the key.
func DataName(name string) string {
	name = filepath.Base(strings.TrimPrefix(name, datasets.FilesPrefix))
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return '_'
	}, name)
}
