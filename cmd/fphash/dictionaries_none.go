//go:build !dictionaries

package main

import (
	"fmt"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
)

// withDictionaries says whether this program can cut Chinese and Japanese into words. The
// dictionaries would more than double its size.
const withDictionaries = false

func chineseIDF() (weights.IDF, error) {
	return nil, fmt.Errorf("--table %s: %w", chineseTable, text.ErrNoDictionary)
}
