//go:build !dictionaries

package main

import (
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// withDictionaries says whether this program can cut Chinese into words. The dictionary is
// left out by default for its size.
const withDictionaries = false

func chineseIDF() (weights.IDF, error) {
	return nil, fmt.Errorf("--table %s: %w", chineseTable, text.ErrNoDictionary)
}
