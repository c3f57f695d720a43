//go:build dictionaries

package main

import (
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/weights/zhidf"
	_ "simhashkit/datasets/text/zh" // for --features lang=zh
)

// withDictionaries is true if this program has the dictionary of Chinese words.
const withDictionaries = true

func chineseIDF() (*weights.List, error) { return zhidf.List() }
