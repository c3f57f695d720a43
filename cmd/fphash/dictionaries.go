//go:build dictionaries

package main

import (
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/weights/zhidf"
	_ "simhashkit/datasets/text/zh" // for --features lang=zh
)

func chineseIDF() (*weights.List, error) { return zhidf.List() }
