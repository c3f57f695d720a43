package accumulate

import (
	"fmt"
	"math"
	"testing"

	"simhashkit/asm/internal/cases"
	"simhashkit/asm/internal/kernels"
)

// The file has a line for each length below frozenLengths. Longer vectors only contribute to the
// verification code.
const frozenLengths = 65

var frozenLongLengths = []int{65, 100, 127, 128, 129, 255, 256, 257, 1000, 1023, 1024, 4092, 4093, 5000}

// TestFrozenOutputs compares the dispatch at every tier with the recorded outputs. Other tests
// compare the kernels that no dispatch reaches on this machine with the oracle.
func TestFrozenOutputs(t *testing.T) {
	kernels.OnTiers(t, "", func(t *testing.T) {
		for _, op := range allOps {
			t.Run(op.String(), func(t *testing.T) { cases.CheckFrozen(t, op.String(), op.frozen()) })
		}
	})
}

// frozenLine formats the result for n features: a digest of the lanes, and the signs.
func frozenLine(op string, n int, lanes cases.Code, s Signs) string {
	return fmt.Sprintf("%s n=%d lanes=%016x positive=%016x zero=%016x nonfinite=%016x", op, n, uint64(lanes), s.Positive, s.Zero, s.NonFinite)
}

func frozenCodes(source *cases.Source, n int) []uint64 {
	codes := make([]uint64, n)
	for i := range codes {
		codes[i] = source.Next()
		if i%4 == 1 && n%3 == 0 {
			codes[i] = ^codes[i-1] // ties
		}
	}
	return codes
}

func (op weighted[L, W]) frozen() (lines []string) {
	var source cases.Source
	var all cases.Code
	outcome := func(n int) (cases.Code, Signs) {
		codes, weights := frozenCodes(&source, n), make([]W, n)
		for i := range weights {
			if op.name == "unit" {
				break // the recorded inputs of this op drew no weights
			}
			weights[i] = frozenWeight[W](&source, n)
			if i%4 == 1 && n%3 == 0 {
				weights[i] = weights[i-1]
			}
		}
		var lanes [64]L
		op.add(&lanes, codes, weights)
		signs := op.sketch(codes, weights)
		return condense(&all, lanes, signs), signs
	}
	for n := range frozenLengths {
		lanes, signs := outcome(n)
		lines = append(lines, frozenLine(op.name, n, lanes, signs))
	}
	for _, n := range frozenLongLengths {
		outcome(n)
	}
	return append(lines, fmt.Sprintf("%s verification=%016x", op.name, uint64(all)))
}

// frozenWeight draws a weight: an integer of any size, or a float of 20 significant bits over 40
// binades, so that sums round and depend on the order. For some lengths, floats are so large that
// sums overflow.
func frozenWeight[W weight](source *cases.Source, n int) W {
	x := source.Next()
	small := int64(x) >> 44
	exponent := int(x & 31)
	var w any
	switch any(W(0)).(type) {
	case int32:
		w = int32(int64(x) >> (32 + n%4*8))
	case int64:
		w = int64(x) >> (n % 4 * 16)
	case float32:
		if n%16 == 15 {
			exponent += 80
		}
		w = float32(math.Ldexp(float64(small), exponent))
	default:
		if n%16 == 15 {
			exponent += 976
		}
		w = math.Ldexp(float64(small), exponent)
	}
	return w.(W)
}

// condense returns the digest of the lanes, and adds the lanes and the signs to all.
func condense[L lane](all *cases.Code, lanes [64]L, s Signs) cases.Code {
	var one cases.Code
	for _, v := range lanes {
		switch v := any(v).(type) {
		case int64:
			one.Add(uint64(v))
		case float32:
			one.AddFloat(float64(v))
		case float64:
			one.AddFloat(v)
		}
	}
	for _, word := range []uint64{uint64(one), s.Positive, s.Zero, s.NonFinite} {
		all.Add(word)
	}
	return one
}
