//go:build dictionaries

package main

import (
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/weights/zhidf"
	_ "simhashkit/datasets/text/zh" // for --features lang=zh
)

// withDictionaries says whether this program can cut Chinese into words.
const withDictionaries = true

func chineseIDF() (weights.IDF, error) { return zhidf.List() }
