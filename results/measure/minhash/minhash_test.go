package main

import (
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/minhash"
)

// chosen is the candidate that the kit computes.
const chosen = "mixed,linear,xorshift-multiply"

// What was measured is what the kernels compute.
func TestChosenIsWhatTheKernelsCompute(t *testing.T) {
	list := Candidates()
	c := list[slices.IndexFunc(list, func(c Candidate) bool { return c.Name == chosen })]
	codes := make([]uint64, 30)
	r := rand.New(rand.NewPCG(1, 1))
	for i := range codes {
		codes[i] = r.Uint64()
	}
	measured := c.Sketch(codes)
	minhash.Keys(codes, codes)
	for word, want := range measured {
		var minima [64]uint32
		for j := range minima {
			minima[j] = minhash.Empty
		}
		minhash.Add(&minima, word, codes)
		if got := minhash.Bits(&minima); got != want {
			t.Fatalf("word %d: the kernels give %016x, measured was %016x", word, got, want)
		}
	}
}

// Functions that are far from ideal ones are seen to be, and the chosen ones are not.
func TestFaultsAreSeen(t *testing.T) {
	c := Case{Hash: "identity", Indices: Consecutive, Features: 10, Shared: 9, Trials: 200}
	for _, candidate := range Candidates() {
		bits := c.Rows(candidate)[1].Samples[0].Value
		switch candidate.Name {
		case chosen, "splitmix64":
			if bits < 3000 {
				t.Errorf("%s: %.0f effective bits of %d, expected nearly all", candidate.Name, bits, Lanes)
			}
		case "mixed,xor,fmix32", "low,linear,fmix32", "folded,linear,fmix32":
			if bits > 2000 {
				t.Errorf("%s: %.0f effective bits of %d, expected few", candidate.Name, bits, Lanes)
			}
		}
	}
}
