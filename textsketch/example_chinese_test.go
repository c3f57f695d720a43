package textsketch_test

import (
	"cmp"
	"fmt"
	"log"
	"os"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/datasets"
	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/zh"
	"simhashkit/fphash"
)

// Two reports of the same discovery: their keywords by TF-IDF, 22 of one and 11 of the other, the
// fingerprints of these, and their distance. chinese.md explains the example.
func Example_chinese() {
	analyzer, err := text.New(text.Options{Language: "zh", NFKC: true, Fold: true})
	if err != nil {
		log.Fatal(err)
	}
	idf, err := zh.Frequencies()
	if err != nil {
		log.Fatal(err)
	}
	sketcher, err := fphash.New(fphash.Definition{})
	if err != nil {
		log.Fatal(err)
	}
	for _, keep := range [][2]int{{22, 11}, {22, 22}, {0, 0}} {
		var vectors [2]weights.Vector
		var fingerprints [2]fphash.Fingerprint
		for i, name := range []string{"type-a.txt", "type-b.txt"} {
			read, err := os.ReadFile("testdata/" + name)
			if err != nil {
				log.Fatal(err)
			}
			weigher, err := weights.New(weights.Options{Scheme: weights.TFIDF, List: idf, Top: keep[i]})
			if err != nil {
				log.Fatal(err)
			}
			v := weigher.Weigh(analyzer.Append(nil, read)).Clone()
			if keep[1] == 11 {
				fmt.Printf("%s: %s\n", name, listed(v))
			}
			if fingerprints[i], _, err = fphash.Append(sketcher, nil, v.Features, v.Weights); err != nil {
				log.Fatal(err)
			}
			vectors[i] = v
		}
		distance := fphash.Distance(fingerprints[0], fingerprints[1])
		fmt.Printf("%d, %d words: %016x %016x, distance %d, cosine %.2f, estimated %.2f\n",
			vectors[0].Len(), vectors[1].Len(), fingerprints[0][0], fingerprints[1][0], distance,
			cosine(vectors[0], vectors[1]), fphash.Cosine(distance, 64))
	}
	// Output:
	// type-a.txt: 活字 51.3, 账册 22.8, 晚秋 20.6, 图书馆 15.2, 木 14.2, 三十六只 13.9, 林 13.6, 展柜 13.2,
	// 印在 12.0, 印坊 12.0, 恒湿 12.0, 触碰 12.0, 这批 12.0, 逐枚 12.0, 随箱 12.0, 刻工 11.7,
	// 用 11.4, 书库 11.4, 樟木箱 11.3, 余枚 11.1, 梨木 11.1, 刻于 11.1
	// type-b.txt: 活字 51.3, 图书馆 30.3, 账册 22.8, 修复 15.2, 木 14.2, 三十六只 13.9, 师 13.4, 到馆 12.0,
	// 印在 12.0, 印坊 12.0, 排诗 12.0
	// 22, 11 words: 9e60dc732dfd2598 1860dc5b2cf8079d, distance 12, cosine 0.72, estimated 0.83
	// 22, 22 words: 9e60dc732dfd2598 1860dc332dd2279d, distance 12, cosine 0.76, estimated 0.83
	// 134, 132 words: 1b641db70bb525b8 1960ccf52df52695, distance 18, cosine 0.71, estimated 0.63
}

// cosine returns the cosine of two vectors of words.
func cosine(a, b weights.Vector) float64 {
	var indices [2][]uint64
	for i, v := range []weights.Vector{a, b} {
		for _, word := range v.Features {
			indices[i] = append(indices[i], xxhash.Sum64(word))
		}
	}
	return datasets.Cosine(indices[0], a.Weights, indices[1], b.Weights)
}

// listed returns the keywords in the order of their weights.
func listed(v weights.Vector) string {
	text := ""
	order := make([]int, v.Len())
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return cmp.Compare(v.Weights[j], v.Weights[i]) })
	for i, k := range order {
		switch {
		case i == 0:
		case i%8 == 0:
			text += ",\n"
		default:
			text += ", "
		}
		text += fmt.Sprintf("%s %.1f", v.Features[k], v.Weights[k])
	}
	return text
}
