//go:build !race

package ja_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	_ "simhashkit/datasets/text/ja"
)

// Words by dictionary, whatever a text is.
func Example() {
	analyzer, err := text.New(text.Options{Language: "ja", NFKC: true, Fold: true})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%s\n", analyzer.Append(nil, []byte("東京タワーに行きました。ＧＯ言語で！")))
	fmt.Println(analyzer.Options())
	// Output:
	// [東京 タワー に 行き まし た go 言語 で]
	// words,n=1,lang=ja,nfkc,fold
}
