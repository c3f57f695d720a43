//go:build !dictionaries

package main

import (
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// withDictionaries is true if this program has the dictionary of Chinese words. The default build
// leaves it out because of its size.
const withDictionaries = false

func chineseIDF() (*weights.List, error) {
	return nil, fmt.Errorf("--table %s: %w", chineseTable, text.ErrNoDictionary)
}
