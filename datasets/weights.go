package datasets

import (
	"errors"
	"math"
	"math/big"
	"strconv"
)

// Names of weight types in commands and results. Unit means no weights.
const (
	Unit    = "unit"
	Int32   = "i32"
	Int64   = "i64"
	Float32 = "f32"
	Float64 = "f64"
)

// WeightTypes lists these names.
func WeightTypes() []string { return []string{Unit, Int32, Int64, Float32, Float64} }

// weightKind describes a weight type to the code that reads files.
type weightKind struct {
	name  string // name in messages
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

// parseNumber parses a decimal number, which is infinite if it is too large. Unlike strconv, it
// rejects hexadecimal numbers, "inf" and "nan".
func parseNumber(text []byte, bits int) (f float64, ok bool) {
	for _, b := range text {
		if b-'0' > 9 && b != '.' && b != '-' && b != '+' && b|0x20 != 'e' {
			return 0, false
		}
	}
	f, err := strconv.ParseFloat(string(text), 64)
	// strconv parses most float64 faster than float32. Rounding a float64 to float32 is wrong only
	// if it is midway between two float32 values, which have 29 bits less, or too small for these.
	const lost = 1<<29 - 1
	if bits == 32 && (math.Float64bits(f)&lost == 1<<28 || math.Abs(f) < 0x1p-126) {
		f, err = strconv.ParseFloat(string(text), 32)
	}
	return f, err == nil || errors.Is(err, strconv.ErrRange)
}

// parseWeight parses a weight. On failure, want describes the expected token; it is notNumber if
// the token is not a number.
func (r *VectorReader[W]) parseWeight(token []byte, notNumber string) (weight W, zero bool, want string) {
	if r.kind.whole {
		if n, err := strconv.ParseInt(string(token), 10, r.kind.bits); err == nil {
			return W(n), n == 0, ""
		}
	}
	f, ok := parseNumber(token, r.kind.bits)
	switch {
	case !ok && notFinite(token):
		return 0, false, "a finite weight"
	case !ok:
		return 0, false, notNumber
	case r.kind.whole: // "3.0" and "3e2" are whole numbers, too
		number, _, err := big.ParseFloat(string(token), 10, 256, big.ToNearestEven)
		if err != nil { // the exponent is beyond int64
			number = big.NewFloat(f)
		}
		return r.wholeWeight(number)
	}
	return r.floatWeight(f)
}

// wholeWeight converts a number to an integer weight. On failure, want describes the expected
// number.
func (r *VectorReader[W]) wholeWeight(number *big.Float) (weight W, zero bool, want string) {
	n, accuracy := number.Int64()
	switch {
	case !number.IsInt() && !number.IsInf():
		return 0, false, "an integer weight"
	case accuracy != big.Exact || int64(W(n)) != n:
		return 0, false, "an integer weight that fits " + r.kind.name
	}
	return W(n), n == 0, ""
}

// floatWeight converts a number to a weight. On failure, want describes the expected number.
func (r *VectorReader[W]) floatWeight(f float64) (weight W, zero bool, want string) {
	weight = W(f)
	switch {
	case f-f != 0, weight-weight != 0: // infinite
		return 0, false, "a weight that fits " + r.kind.name
	case r.options.Unit && f != 0:
		return 1, false, ""
	}
	return weight, weight == 0, ""
}

// addWeights returns a + b, and false if the sum overflows: it wraps around or is infinite.
func addWeights[W Weight](a, b W) (W, bool) {
	sum := a + b
	if math.IsInf(float64(sum), 0) {
		return 0, false
	}
	wrapped := b > 0 && sum < a || b < 0 && sum > a // always false for floats
	return sum, !wrapped
}

// multiplyWeights returns a · b, and false if the product overflows.
func multiplyWeights[W Weight](a, b W) (W, bool) {
	product := W(a * b)
	if math.IsInf(float64(product), 0) {
		return 0, false
	}
	if kindOf[W]().whole && a != 0 && (product/a != b || a == -1 && b != 0 && product == b) {
		return 0, false // overflow; -1 times the smallest integer is that integer again
	}
	return product, true
}
