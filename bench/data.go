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
	Name        string                // the value of data= in benchmark names
	Description string                // for the head of result files
	Set         datasets.CSR[float64] // the vectors to time

	whole datasets.CSR[float64] // all vectors; quality is computed on these
}

const (
	dataFeatures    = 1 << 18 // limit of timed features of a data set; a pass takes 0.1 s at most
	stream          = 131_072 // features of all vectors of a fixed size together
	distinctVectors = 10_000  // limit of distinct vectors in a batch; larger batches repeat them
)

// NewData returns a data set. If set has more than dataFeatures features, only every k-th vector is
// timed.
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
			return nil, fmt.Errorf("bench: data set %s: one vector in %d would be timed, but all of these are empty", name, step)
		}
		description += fmt.Sprintf("; timed: one vector in %d, from the first on: %d vectors, %d features", step, some.Len(), some.NNZ())
		set = some
	}
	return &Data{Name: name, Description: description, Set: set, whole: whole}, nil
}

// Float32 returns all vectors with float32 weights. It fails if a weight overflows.
func (d *Data) Float32() (datasets.CSR[float32], error) {
	set := datasets.CSR[float32]{Offsets: d.whole.Offsets, Indices: d.whole.Indices}
	var err error
	set.Weights, err = weightsOfData[float32](d.Name, d.whole)
	return set, err
}

// weightsOfData converts the weights of set, or returns weights of 1 if it has none. It fails if a
// weight does not fit W.
func weightsOfData[W weight](name string, set datasets.CSR[float64]) ([]W, error) {
	weights := make([]W, len(set.Indices))
	for i := range weights {
		w := 1.0
		if set.Weights != nil {
			w = set.Weights[i]
		}
		if !fits[W](w) {
			return nil, fmt.Errorf("bench: data set %s: weight %v does not fit %T", name, w, W(0))
		}
		weights[i] = W(w)
	}
	return weights, nil
}

// fits reports whether w can be converted to W: exactly to an integer, or to a finite float.
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

// DefaultData is the data set that a run uses by default.
const DefaultData = "go-source"

// LoadData loads a data set by its name, see datasets.Load.
func LoadData(ctx context.Context, name string, options datasets.ReadOptions) (*Data, error) {
	set, description, err := datasets.Load[float64](ctx, name, options)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	return NewData(DataName(name), description, set)
}

// LoadDefaultData loads DefaultData. Without a Go source tree, it generates vectors, and instead is
// a message that says so.
func LoadDefaultData(ctx context.Context) (data *Data, instead string, err error) {
	data, err = LoadData(ctx, DefaultData, datasets.ReadOptions{})
	if !errors.Is(err, datasets.ErrNoGoTree) {
		return data, "", err
	}
	options := datasets.GenerateOptions{Seed: 1, Vectors: 1000, NNZ: 200, Weights: "counts"}
	set, _, generateErr := datasets.Generate[float64](ctx, options)
	if generateErr != nil {
		return nil, "", fmt.Errorf("bench: %w", generateErr)
	}
	data, err = NewData("generated", "1,000 Zipf-distributed vectors, seed 1", set)
	return data, fmt.Sprintf("%s is not available (no Go source tree found): using generated vectors", DefaultData), err
}

// DataName turns the name of a data set into a value for benchmark names: the last element of its
// path, with '_' for special characters.
func DataName(name string) string {
	name = filepath.Base(name)
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', strings.ContainsRune("._-", r):
			return r
		}
		return '_'
	}, name)
}

// Inputs generates inputs, the same on every machine, and shares them between cases. It is not safe
// for concurrent use.
type Inputs struct {
	Data *Data // the data set of cases with data= in their name

	stream, distinct int // the constants stream and distinctVectors, or less in tests
	memory           map[string]any
}

// NewInputs returns inputs with a data set, which may be nil.
func NewInputs(data *Data) *Inputs {
	return &Inputs{data, stream, distinctVectors, map[string]any{}}
}

// kept calls make at the first call with a name, and returns the same value at later calls.
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

// randomWords returns n pseudo-random words. Different streams have different words.
func randomWords(stream uint64, n int) []uint64 {
	words := hugepages.Make[uint64](n)
	for i := range words {
		words[i] = uint64(i)
	}
	hashing.SplitMix64(words, words, stream)
	return words
}

// weight is a type of weights. Unit weights are a nil slice of int64.
type weight interface {
	int32 | int64 | float32 | float64
}

// someWeights returns n weights: floats from 1 to 32 with 10 fractional bits, int32 within
// ±100,000, int64 within ±10^12, or small integers within ±127. Sums of thousands of weights are
// exact, so the order of summation does not matter.
func someWeights[W weight](n int, small bool) []W {
	random := rand.New(rand.NewPCG(0x73696d68617368, 7))
	within := func(most int64) int64 {
		if small {
			most = 127
		}
		return random.Int64N(2*most+1) - most
	}
	weights := make([]W, n)
	for i := range weights {
		switch w := any(&weights[i]).(type) {
		case *int32:
			*w = int32(within(100_000))
		case *int64:
			*w = within(1_000_000_000_000)
		default:
			weights[i] = W(1+random.IntN(31)) + W(random.IntN(1024))/1024
		}
	}
	return weights
}

// vectors holds sparse vectors in CSR form. Nil weights are unit weights.
type vectors[W weight] struct {
	offsets  []int
	indices  []uint64
	weights  []W
	distinct int // vectors before the first repetition
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

// vectorsOf returns the vectors of the case: the data set, or generated vectors of a fixed size.
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
			v.weights = again(someWeights[W](distinct*nnz, false), count*nnz)
		}
		return v, nil
	})
}

// again repeats s up to a length of n.
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
