package compare

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"golang.org/x/perf/benchunit"
)

// Thresholds holds the least relative changes that matter: 0.03 for 3%.
type Thresholds struct {
	Default float64            // for statistical units that Units does not name; exact units have 0
	Units   map[string]float64 // by tidied unit: sec/op for ns/op
}

// ParseThresholds reads percentages, "3%" for all statistical units and "ns/op=5%" for one unit,
// exact or not.
func ParseThresholds(texts []string) (*Thresholds, error) {
	t := &Thresholds{Default: DefaultThreshold, Units: map[string]float64{}}
	for _, text := range texts {
		// The unit may contain "=", the percentage cannot.
		unit, percentage := "", text
		if i := strings.LastIndex(text, "="); i >= 0 {
			unit, percentage = text[:i], text[i+1:]
			if unit == "" {
				return nil, fmt.Errorf("compare: threshold %q: expected a unit before the =, as in ns/op=5%%", text)
			}
		}
		value, err := parsePercentage(percentage)
		if err != nil {
			return nil, fmt.Errorf("compare: threshold %q: %w", text, err)
		}
		if unit == "" {
			t.Default = value
			continue
		}
		_, tidied := benchunit.Tidy(1, unit)
		t.Units[tidied] = value
	}
	return t, nil
}

func parsePercentage(text string) (float64, error) {
	number, ok := strings.CutSuffix(text, "%")
	value, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || math.IsNaN(value) || math.IsInf(value, 0) || value < 0 {
		return 0, errors.New("expected a percentage that is not negative, as in 3%")
	}
	return value / 100, nil
}

// Of returns the threshold of a tidied unit (sec/op where files have ns/op).
func (t *Thresholds) Of(unit string, exact bool) float64 {
	if v, ok := t.Units[unit]; ok {
		return v
	}
	if exact {
		return 0
	}
	return t.Default
}
