package text_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	"simhashkit/fphash"
)

// Within one text, words come from parts with spaces between words, and pairs of characters from
// parts without.
func Example() {
	analyzer, err := text.New(text.Options{NFKC: true, Fold: true})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range []string{"Don't panic: it's 3.14!", "我来到北京清华大学", "東京タワーに行きました。Ｇｏ言語で"} {
		fmt.Printf("%q\n", analyzer.Append(nil, []byte(s)))
	}
	fmt.Println(analyzer.Options())
	// Output:
	// ["don't" "panic" "it's" "3.14"]
	// ["我来" "来到" "到北" "北京" "京清" "清华" "华大" "大学"]
	// ["東京" "京タ" "タワ" "ワー" "ーに" "に行" "行き" "きま" "まし" "した" "go" "言語" "語で"]
	// words,n=1,lang=auto,nfkc,fold
}

// From a text to its fingerprint: the weight of a word is its number of occurrences.
func ExampleAnalyzer_Append() {
	options, err := text.ParseOptions("words,lang=en,fold,stop,stem")
	if err != nil {
		log.Fatal(err)
	}
	analyzer, err := text.New(options)
	if err != nil {
		log.Fatal(err)
	}
	var features [][]byte
	var fingerprints []uint64
	for _, s := range []string{"The dogs are barking at the running cats.", "A dog barks at cats, which run."} {
		features = analyzer.Append(features[:0], []byte(s))
		fmt.Printf("%s\n", features)
		fingerprint, _, err := fphash.SketchUnit64(features)
		if err != nil {
			log.Fatal(err)
		}
		fingerprints = append(fingerprints, fingerprint)
	}
	fmt.Println("bits that differ:", fphash.Distance64(fingerprints[0], fingerprints[1]))
	// Output:
	// [dog bark run cat]
	// [dog bark cat run]
	// bits that differ: 0
}

// Byte shingles are indices: eight bytes, read as a number.
func ExampleAnalyzer_AppendIndices() {
	analyzer, err := text.New(text.Options{Features: text.Bytes})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%x\n", analyzer.AppendIndices(nil, []byte("to be\n or")))
	// Output:
	// [726f206562206f74]
}
