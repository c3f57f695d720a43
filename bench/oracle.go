package bench

import "fmt"

// lane is a type that sums are kept in.
type lane interface{ float32 | float64 | int64 }

// oracle64 computes 64 bits of a fingerprint by the definition, as simply as possible. The kernels
// are checked against it before they are timed. Groups of four features are summed as (±w0 ±w1) +
// (±w2 ±w3) and added to the lane; if sequential, one feature after the other. Weights of nil are
// unit.
func oracle64[L lane, W weight](codes []uint64, weights []W, sequential bool) uint64 {
	group := 4
	if sequential {
		group = 1
	}
	var fingerprint uint64
	for j := range 64 {
		var sum L
		for i := 0; i < len(codes); i += group {
			var s [4]L
			for k := 0; k < group && i+k < len(codes); k++ {
				w := L(1)
				if weights != nil {
					w = L(weights[i+k])
				}
				signed := [2]L{-w, w}
				s[k] = signed[codes[i+k]>>j&1]
			}
			sum += (s[0] + s[1]) + (s[2] + s[3])
		}
		if sum > 0 {
			fingerprint |= 1 << j
		}
	}
	return fingerprint
}

// oracleFor returns oracle64 with the lanes that weights of type W are summed in.
func oracleFor[W weight]() func(codes []uint64, weights []W, sequential bool) uint64 {
	switch any(W(0)).(type) {
	case float32:
		return oracle64[float32, W]
	case float64:
		return oracle64[float64, W]
	}
	return oracle64[int64, W]
}

// wrongAnswer is the error of a case that computes a wrong result.
type wrongAnswer struct {
	what      string // "vector 3 word 0", "key 7"
	got, want uint64
}

func (w wrongAnswer) Error() string {
	return fmt.Sprintf("wrong answer: %s: got %016x, expected %016x", w.what, w.got, w.want)
}
