//go:build dictionaries

package main

import (
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/zh" // also registers --features lang=zh
)

func chineseIDF() (*weights.List, error) { return zh.Frequencies() }
