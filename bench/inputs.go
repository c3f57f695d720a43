package bench

import (
	"math/rand/v2"

	"simhashkit/asm/hashing"
	"simhashkit/internal/hugepages"
)

// Inputs generates the inputs of cases, and shares them between cases. The same seeds give the same
// inputs on every machine. It is not safe for concurrent use.
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
	fillRandom(words, stream, 0)
	return words
}

// fillRandom fills words with those of a stream from the given one on.
func fillRandom(words []uint64, stream, from uint64) {
	for i := range words {
		words[i] = from + uint64(i)
	}
	hashing.SplitMix64(words, words, stream)
}

// weight is a type that weights have; unit weights go as int64 without a slice.
type weight interface {
	int32 | int64 | float32 | float64
}

// someWeights returns n weights: floating-point ones from 1 to 32 with 10 bits behind the point,
// like counts times the rarity of a word; int32 within ±100,000 and int64 within ±10^12, so that no
// kernel for small weights will do. Sums of thousands of them are exact, so that no order of
// summation gives another answer.
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

// smallWeights returns n integer weights within ±127.
func smallWeights[W int32 | int64](n int) []W {
	random := rand.New(rand.NewPCG(0x73696d68617368, 8))
	weights := make([]W, n)
	for i := range weights {
		weights[i] = W(around0(random, 127))
	}
	return weights
}

// around0 returns a number within ±most.
func around0(random *rand.Rand, most int64) int64 { return random.Int64N(2*most+1) - most }
