package bench

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"strconv"
	"strings"

	"simhashkit/asm/hashing"
	"simhashkit/datasets"
	"simhashkit/internal/hugepages"
)

// Data is a data set to sketch.
type Data struct {
	Name        string                // the value of the key data= in names
	Description string                // which vectors these are, for people
	Set         datasets.CSR[float64] // what is timed

	whole datasets.CSR[float64] // all vectors: what quality is computed on
}

const (
	dataFeatures    = 1 << 18 // of a data set that are timed, in a tenth of a second at most
	stream          = 131_072 // features of all vectors of a fixed size
	distinctVectors = 10_000  // of a batch; a larger one repeats them
)

// NewData takes all vectors of a set, or one in k if it has more than dataFeatures features.
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

// Float32 returns all vectors with float32 weights. A weight beyond their range is an error.
func (d *Data) Float32() (datasets.CSR[float32], error) {
	set := datasets.CSR[float32]{Offsets: d.whole.Offsets, Indices: d.whole.Indices}
	var err error
	set.Weights, err = weightsOfData[float32](d.Name, d.whole)
	return set, err
}

// weightsOfData converts weights, exactly or without overflow. A set without weights has 1.
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

// fits reports whether the weight can be converted: exactly, or to a finite float.
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

// LoadDefaultData loads DefaultData, or generated vectors if there is no Go tree; instead says so.
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

// DataName makes a data set's name fit to stand in a benchmark's: the last part of its path.
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

// Inputs generates and shares inputs, the same on every machine. It is not safe for concurrent use.
type Inputs struct {
	Data *Data // the data set of the cases that have data= in their name

	stream, distinct int // as the constants say, or less in a test
	memory           map[string]any
}

// NewInputs returns inputs with that data set, which may be nil.
func NewInputs(data *Data) *Inputs {
	return &Inputs{data, stream, distinctVectors, map[string]any{}}
}

// kept returns the value that make returned at the first call with this name.
func kept[T any](in *Inputs, name string, make func() (T, error)) (T, error) {
	if v, ok := in.memory[name]; ok {
		return v.(T), nil
	}
	v, err := make()
	if err == nil {
		in.memory[name] = v
	}
	return v, err
}

// randomWords returns n words that look random; stream chooses which.
func randomWords(stream uint64, n int) []uint64 {
	words := hugepages.Make[uint64](n)
	for i := range words {
		words[i] = uint64(i)
	}
	hashing.SplitMix64(words, words, stream)
	return words
}

// weight is a type that weights have; unit weights go as int64 without a slice.
type weight interface {
	int32 | int64 | float32 | float64
}

// someWeights returns n weights: floats from 1 to 32 with 10 bits behind the point, int32 within
// ±100,000, int64 within ±10^12. Sums of thousands are exact, so no order changes the answer.
func someWeights[W weight](n int) []W {
	random := rand.New(rand.NewPCG(0x73696d68617368, 7))
	weights := make([]W, n)
	for i := range weights {
		switch w := any(&weights[i]).(type) {
		case *int32:
			*w = int32(around0(random, 100_000))
		case *int64:
			*w = around0(random, 1_000_000_000_000)
		default:
			weights[i] = W(1+random.IntN(31)) + W(random.IntN(1024))/1024
		}
	}
	return weights
}

func smallWeights[W int32 | int64](n int) []W {
	random := rand.New(rand.NewPCG(0x73696d68617368, 8))
	weights := make([]W, n)
	for i := range weights {
		weights[i] = W(around0(random, 127))
	}
	return weights
}

func around0(random *rand.Rand, most int64) int64 { return random.Int64N(2*most+1) - most }

// vectors are sparse vectors in CSR form; weights that are nil are unit weights.
type vectors[W weight] struct {
	offsets  []int
	indices  []uint64
	weights  []W
	distinct int // before they come again
}

func (s sketchCase) unweighted() bool { return s.weights == datasets.Unit || s.weights == set }

func (v *vectors[W]) count() int { return len(v.offsets) - 1 }

func (v *vectors[W]) at(i int) (indices []uint64, weights []W) {
	from, to := v.offsets[i], v.offsets[i+1]
	if v.weights != nil {
		weights = v.weights[from:to]
	}
	return v.indices[from:to], weights
}

// vectorsOf returns the vectors of the case: of the data set, or of the fixed size.
func vectorsOf[W weight](s sketchCase, in *Inputs) (*vectors[W], error) {
	return kept(in, fmt.Sprint("vectors ", s.weights, s.data, s.nnz, s.vectors), func() (*vectors[W], error) {
		if s.data != "" && in.Data == nil {
			return nil, errors.New("bench: there is no data set")
		}
		if s.data != "" {
			set := in.Data.Set
			v := &vectors[W]{offsets: set.Offsets, indices: set.Indices, distinct: set.Len()}
			var err error
			if !s.unweighted() {
				v.weights, err = weightsOfData[W](in.Data.Name, set)
			}
			return v, err
		}
		nnz, err := strconv.Atoi(s.nnz)
		if err != nil {
			return nil, err
		}
		count := max(in.stream/nnz, 1)
		distinct := count
		if s.vectors > 0 {
			count, distinct = s.vectors, min(s.vectors, in.distinct)
		}
		v := &vectors[W]{indices: again(randomWords(5, distinct*nnz), count*nnz), distinct: distinct}
		for i := range count + 1 {
			v.offsets = append(v.offsets, i*nnz)
		}
		if !s.unweighted() {
			v.weights = again(someWeights[W](distinct*nnz), count*nnz)
		}
		return v, nil
	})
}

// again returns n elements: those of s, from the beginning again wherever they end.
func again[T any](s []T, n int) []T {
	if n == len(s) {
		return s
	}
	all := make([]T, 0, n)
	for len(all) < n {
		all = append(all, s[:min(len(s), n-len(all))]...)
	}
	return all
}
