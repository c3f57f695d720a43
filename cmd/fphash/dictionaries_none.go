//go:build !dictionaries

package main

import (
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// chineseIDF fails, since the default build leaves out the dictionary because of its size.
func chineseIDF() (*weights.List, error) {
	return nil, fmt.Errorf("--table %s: %w", chineseTable, text.ErrNoDictionary)
}
