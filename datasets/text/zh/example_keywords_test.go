//go:build !race

package zh_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	"simhashkit/datasets/text/weights"
	"simhashkit/datasets/text/zh"
	"simhashkit/fphash"
)

// Two reports of the same evening, of which the second leaves out half.
const (
	long = `昨晚八点，一场暴雨突袭滨海市，城区多处道路积水严重，地铁二号线一度停运。` +
		`市气象台发布暴雨红色预警，消防部门出动冲锋舟，转移被困居民三百余人。` +
		`市教育局通知，今天全市中小学和幼儿园停课一天。`
	short = `昨晚一场暴雨突袭滨海市，城区多处道路积水，地铁二号线一度停运。` +
		`消防部门出动冲锋舟，转移被困居民。`
)

// The keywords of two texts by TF-IDF, with the frequencies that come with the dictionary, 22 of
// one and 11 of the other; and how far the fingerprints of these are apart.
func ExampleIDF() {
	analyzer, err := text.New(text.Options{Language: "zh", Stop: true})
	if err != nil {
		log.Fatal(err)
	}
	idf, err := zh.IDF()
	if err != nil {
		log.Fatal(err)
	}
	var fingerprints []uint64
	for _, document := range []struct {
		text     string
		keywords int
	}{{long, 22}, {short, 11}} {
		weigher, err := weights.New(weights.Options{Scheme: weights.TFIDF, IDF: idf, Top: document.keywords})
		if err != nil {
			log.Fatal(err)
		}
		vector := weigher.Weigh(analyzer.Append(nil, []byte(document.text)))
		fmt.Printf("%d keywords:", vector.Len())
		for _, keyword := range vector.Top(5) {
			fmt.Printf(" %s %.2f", keyword.Feature, keyword.Weight)
		}
		fingerprint, _, err := fphash.Sketch64(vector.Features, vector.Weights)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("\nfingerprint %016x\n", fingerprint)
		fingerprints = append(fingerprints, fingerprint)
	}
	distance := fphash.Distance64(fingerprints[0], fingerprints[1])
	fmt.Printf("%d of 64 bits differ: a cosine of about %.2f\n", distance, fphash.Cosine(distance, 64))
	// Output:
	// 22 keywords: 市 17.80 暴雨 16.13 冲锋舟 12.11 二号线 11.50 停运 10.86
	// fingerprint dbfbf37acf1098d3
	// 11 keywords: 冲锋舟 12.11 二号线 11.50 停运 10.86 突袭 9.47 消防 9.25
	// fingerprint f1bff31acfc2ec33
	// 18 of 64 bits differ: a cosine of about 0.63
}
