package datasets

import "math"

// What weights are, as commands and results name it: none, or a type.
const (
	Unit    = "unit"
	Int32   = "i32"
	Int64   = "i64"
	Float32 = "f32"
	Float64 = "f64"
)

// WeightTypes lists these names.
func WeightTypes() []string { return []string{Unit, Int32, Int64, Float32, Float64} }

// weightKind describes a type of weights for readers.
type weightKind struct {
	name  string // in messages
	bits  int
	whole bool
}

func kindOf[W Weight]() weightKind {
	switch any(W(0)).(type) {
	case int32:
		return weightKind{"int32", 32, true}
	case int64:
		return weightKind{"int64", 64, true}
	case float32:
		return weightKind{"float32", 32, false}
	}
	return weightKind{"float64", 64, false}
}

// convertWeight makes a weight of a number and of the text it was read from. When it cannot, want
// says what was expected.
func convertWeight[W Weight](kind weightKind, number *decimal, text []byte) (weight W, zero bool, want string) {
	if kind.whole {
		whole, result := number.integer(1<<(kind.bits-1) - 1)
		switch result {
		case isFraction:
			return 0, false, "an integer weight"
		case isTooLarge:
			return 0, false, "an integer weight that fits " + kind.name
		}
		return W(whole), whole == 0, ""
	}
	var f float64
	var ok bool
	if kind.bits == 32 {
		f, ok = number.float32(text)
	} else {
		f, ok = number.float64(text)
	}
	if !ok {
		return 0, false, "a weight that fits " + kind.name
	}
	return W(f), f == 0, ""
}

// addWeights returns a + b, and false when it does not fit: wrapped round, or infinite.
func addWeights[W Weight](a, b W) (W, bool) {
	sum := a + b
	if math.IsInf(float64(sum), 0) {
		return 0, false
	}
	wrapped := b > 0 && sum < a || b < 0 && sum > a // never so for floats
	return sum, !wrapped
}

// multiplyWeights returns a · b, and false when it does not fit.
func multiplyWeights[W Weight](a, b W) (W, bool) {
	product := W(a * b)
	if math.IsInf(float64(product), 0) {
		return 0, false
	}
	if kindOf[W]().whole && a != 0 && (product/a != b || a == -1 && b != 0 && product == b) {
		return 0, false // wrapped round; -1 times the least number is that number again
	}
	return product, true
}
