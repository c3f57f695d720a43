package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"simhashkit/datasets"
)

// Data is a data set to sketch.
type Data struct {
	Name        string                // the value of the key data= in names
	Description string                // which vectors these are, for people
	Set         datasets.CSR[float64] // what is timed

	whole datasets.CSR[float64] // all vectors: what quality is computed on
}

// dataFeatures limits the timed part of a data set, so that one pass of the slowest kernel takes
// less than a tenth of a second.
const dataFeatures = 1 << 18

// NewData takes at most 262,144 features of a set: all vectors if it has no more, otherwise one in
// k from the first on, k chosen such that about as many features come together. It is an error if
// there are none.
func NewData(name, description string, set datasets.CSR[float64]) (*Data, error) {
	if set.NNZ() == 0 {
		return nil, fmt.Errorf("bench: data set %s has no features", name)
	}
	whole := set
	step := (set.NNZ() + dataFeatures - 1) / dataFeatures
	if step > 1 {
		var some datasets.CSR[float64]
		for i := 0; i < set.Len(); i += step {
			indices, weights := set.Row(i)
			if some.Len() > 0 && some.NNZ()+len(indices) > dataFeatures {
				continue
			}
			if err := some.Append(&datasets.Row[float64]{Indices: indices, Weights: weights}); err != nil {
				return nil, fmt.Errorf("bench: %w", err)
			}
		}
		if some.NNZ() == 0 {
			return nil, fmt.Errorf("bench: all vectors that would be timed of data set %s, one in %d, are empty", name, step)
		}
		description += fmt.Sprintf("; timed: one vector in %d, from the first on: %d vectors, %d features", step, some.Len(), some.NNZ())
		set = some
	}
	return &Data{Name: name, Description: description, Set: set, whole: whole}, nil
}

// Float32 returns all vectors with weights as sketches mostly take them. A weight beyond their
// range is an error.
func (d *Data) Float32() (datasets.CSR[float32], error) {
	set := datasets.CSR[float32]{Offsets: d.whole.Offsets, Indices: d.whole.Indices}
	var err error
	set.Weights, err = weightsOfData[float32](d.Name, d.whole)
	return set, err
}

// vectorsOfData converts the weights of the set. Weights outside of the range of the type, and
// fractions for integer types, are errors. A set without weights gets 1.
func vectorsOfData[W weight](d *Data, unit bool) (*vectors[W], error) {
	if d == nil {
		return nil, errors.New("bench: there is no data set")
	}
	v := &vectors[W]{offsets: d.Set.Offsets, indices: d.Set.Indices, distinct: d.Set.Len()}
	if unit {
		return v, nil
	}
	var err error
	v.weights, err = weightsOfData[W](d.Name, d.Set)
	return v, err
}

func weightsOfData[W weight](name string, set datasets.CSR[float64]) ([]W, error) {
	weights := make([]W, len(set.Indices))
	for i := range weights {
		w := 1.0
		if set.Weights != nil {
			w = set.Weights[i]
		}
		if !fits[W](w) {
			return nil, fmt.Errorf("bench: data set %s: weight %v is no %T", name, w, W(0))
		}
		weights[i] = W(w)
	}
	return weights, nil
}

// fits reports whether the weight can be converted: exactly to an integer type, without overflow to
// a floating-point one.
func fits[W weight](w float64) bool {
	whole := w == math.Trunc(w)
	switch any(W(0)).(type) {
	case int32:
		return whole && w >= math.MinInt32 && w <= math.MaxInt32
	case int64:
		return whole && w >= -1<<63 && w < 1<<63
	case float32:
		return !math.IsInf(float64(float32(w)), 0)
	}
	return true
}

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
	data, err = NewData("generated", "1,000 Zipf-distributed vectors, seed 1", set)
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
