package bench

import (
	"math/rand/v2"

	"simhashkit/asm/hashing"
)

// Inputs makes what cases work on and keeps it for the cases that share it. The same seeds give the same inputs on every machine. It is not safe for
// concurrent use.
type Inputs struct {
	Data *Data // the data set of the cases that have data= in their name

	memory map[string]any
}

// NewInputs returns inputs with that data set, which may be nil.
func NewInputs(data *Data) *Inputs { return &Inputs{Data: data, memory: map[string]any{}} }

// kept returns what make returned when it was first called under the name.
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
	words := make([]uint64, n)
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

// someWeights returns n weights from 1 to 31, floating-point ones with 10 more bits behind the point: like counts, and like counts times the rarity of a word.
// Sums of thousands of them are exact in float32, so that no order of summation gives another answer than the others.
func someWeights[W weight](n int) []W {
	random := rand.New(rand.NewPCG(0x73696d68617368, 7))
	weights := make([]W, n)
	for i := range weights {
		weights[i] = W(1 + random.IntN(31))
		if fraction := W(1) / 2; fraction != 0 { // W is a floating-point type
			weights[i] += W(random.IntN(1024)) / 1024
		}
	}
	return weights
}
