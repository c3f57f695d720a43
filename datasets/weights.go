package datasets

import (
	"math"
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

// convertWeight converts a number that was read from text to a weight. On failure, want describes
// the expected number.
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

// decimal is a number as written: sign and mantissa · 10^exponent. cut is true if nonzero digits
// after the 19th were dropped.
type decimal struct {
	mantissa uint64
	exponent int
	negative bool
	cut      bool
}

// maxExponent bounds exponents while they are read. It exceeds the exponent of any float or
// integer, and ten times maxExponent still fits 32 bits.
const maxExponent = 1 << 27

// scanDecimal reads [+-]digits[.digits][e[+-]digits] from text[at:], with a digit on at least one
// side of the point. It returns the position after the number, and false if there is no number.
// Unlike strconv, it rejects hexadecimal floats, "inf" and "nan".
func scanDecimal(text []byte, at int) (d decimal, end int, ok bool) {
	i := at
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		d.negative = text[i] == '-'
		i++
	}
	whole := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		d.digit(text[i]-'0', 0)
	}
	digits := i - whole
	if i < len(text) && text[i] == '.' {
		i++
		fraction := i
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			d.digit(text[i]-'0', 1)
		}
		digits += i - fraction
	}
	if digits == 0 {
		return d, i, false
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		exponent, after := scanExponent(text, i+1)
		if after < 0 {
			return d, i, false
		}
		d.exponent, i = d.exponent+exponent, after
	}
	return d, i, true
}

// digit adds the next digit. fraction is 1 after the point, else 0.
func (d *decimal) digit(digit byte, fraction int) {
	if d.mantissa < 1e18 { // so mantissa stays below 10^19, which fits a uint64
		d.mantissa = d.mantissa*10 + uint64(digit)
		d.exponent -= fraction
		return
	}
	d.cut = d.cut || digit != 0
	d.exponent += 1 - fraction
}

// scanExponent parses an exponent. It returns -1 for after if there are no digits.
func scanExponent(text []byte, at int) (exponent, after int) {
	i, negative := at, false
	if i < len(text) && (text[i] == '-' || text[i] == '+') {
		negative = text[i] == '-'
		i++
	}
	start := i
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		exponent = min(exponent*10+int(text[i]-'0'), maxExponent)
	}
	if i == start {
		return 0, -1
	}
	if negative {
		exponent = -exponent
	}
	return exponent, i
}

// powersOf10 are exact in float64.
var powersOf10 = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// float64 returns the float64 nearest to a decimal read from text, and false if the number is too
// large.
func (d *decimal) float64(text []byte) (float64, bool) {
	if f, ok := d.exactFloat64(); ok {
		return f, true
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return f, err == nil
}

// exactFloat64 converts numbers with a short mantissa and a small exponent. Both factors are exact,
// so the single operation rounds correctly (Clinger 1990).
func (d *decimal) exactFloat64() (float64, bool) {
	if d.mantissa > 1<<53 || d.cut || d.exponent < -22 || d.exponent > 22 {
		return 0, false
	}
	f := float64(d.mantissa)
	if d.exponent < 0 {
		f /= powersOf10[-d.exponent]
	} else {
		f *= powersOf10[d.exponent]
	}
	if d.negative {
		f = -f
	}
	return f, true
}

// float32 returns the nearest float32, as a float64. It returns false if the number is too large.
func (d *decimal) float32(text []byte) (float64, bool) {
	if f, ok := d.exactFloat64(); ok {
		// Rounding twice gives a wrong result only if the first rounding ends midway between two
		// float32 values. f is between 1e-22 and 1e38, where float32 is normal, so at a midpoint
		// the 29 bits that float32 lacks have this pattern.
		const lost = 1<<29 - 1
		if math.Float64bits(f)&lost != 1<<28 {
			return float64(float32(f)), true
		}
	}
	f, err := strconv.ParseFloat(string(text), 32)
	return f, err == nil
}

// Results of decimal.integer.
const (
	isInteger = iota
	isFraction
	isTooLarge
)

// integer returns the value if it is a whole number between -max-1 and max. "3.0" and "3e2" are
// whole numbers.
func (d *decimal) integer(max int64) (int64, int) {
	mantissa, exponent := d.mantissa, d.exponent
	if mantissa == 0 {
		return 0, isInteger
	}
	if d.cut { // the dropped digits are below 10^exponent, after at least 19 digits
		if exponent > 0 {
			return 0, isTooLarge
		}
		return 0, isFraction
	}
	for ; exponent < 0 && mantissa%10 == 0; exponent++ {
		mantissa /= 10
	}
	if exponent < 0 {
		return 0, isFraction
	}
	limit := uint64(max)
	if d.negative {
		limit++
	}
	for ; exponent > 0 && mantissa <= limit; exponent-- {
		if mantissa > limit/10 {
			return 0, isTooLarge
		}
		mantissa *= 10
	}
	switch {
	case mantissa > limit:
		return 0, isTooLarge
	case d.negative:
		return int64(-mantissa), isInteger
	}
	return int64(mantissa), isInteger
}
