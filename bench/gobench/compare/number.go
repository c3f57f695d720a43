package compare

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// percent shows a share with as many digits as it takes: 3%, 0.5%.
func percent(v float64) string { return fmt.Sprintf("%.4g%%", 100*v) }

// SignedPercent shows a change: +6.12%, +15.2× for much more, +∞ where the old value is 0.
func SignedPercent(v float64) string {
	switch {
	case math.IsInf(v, 0):
		return strings.TrimSuffix(fmt.Sprintf("%+v", v), "Inf") + "∞"
	case math.Abs(v) >= 998.5:
		return fmt.Sprintf("%+.0f×", v+1)
	case math.Abs(v) >= 9.995:
		return fmt.Sprintf("%+.3g×", v+1)
	}
	if text := fmt.Sprintf("%+.2f%%", 100*v); text != "-0.00%" {
		return text
	}
	return "+0.00%"
}

// rounded keeps 8 significant digits.
func rounded(v float64) float64 { return unsignedZero(resultfile.Round8(v)) }

// unsignedZero turns -0 into 0.
func unsignedZero(v float64) float64 {
	if v == 0 {
		return 0
	}
	return v
}

// finite is nil for an infinite value.
func finite(v float64) *float64 {
	if math.IsInf(v, 0) {
		return nil
	}
	v = rounded(v)
	return &v
}

// csvNumber writes 8 significant digits, and nothing for an infinite value.
func csvNumber(v float64) string {
	if math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(unsignedZero(v), 'g', 8, 64)
}
