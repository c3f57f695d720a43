package near

import (
	"fmt"
	"strconv"
	"strings"
)

// Parse reads a vector written as "index:weight index:weight", and appends it to what is there.
func Parse(indices []uint64, weights []int32, line string) ([]uint64, []int32, error) {
	for feature := range strings.FieldsSeq(line) {
		index, weight, ok := strings.Cut(feature, ":")
		if !ok {
			return indices, weights, fmt.Errorf("near: %q: expected index:weight", feature)
		}
		i, err := strconv.ParseUint(index, 10, 64)
		if err != nil {
			return indices, weights, fmt.Errorf("near: %w", err)
		}
		w, err := strconv.ParseInt(weight, 10, 32)
		if err != nil {
			return indices, weights, fmt.Errorf("near: %w", err)
		}
		indices, weights = append(indices, i), append(weights, int32(w))
	}
	return indices, weights, nil
}
