//go:build !race

package zh_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	_ "simhashkit/datasets/text/zh"
)

// Words by dictionary for texts that are Chinese for the greater part, pairs of characters and
// words between spaces for all others.
func Example() {
	analyzer, err := text.New(text.Options{Language: "auto+zh"})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range []string{"我来到北京清华大学", "the words of 清华大学"} {
		fmt.Printf("%s\n", analyzer.Append(nil, []byte(s)))
		fmt.Println(analyzer.Choose([]byte(s)))
	}
	// Output:
	// [我 来到 北京 清华大学]
	// words by dictionary: 100% of the letters are Chinese characters, 0% kana
	// [the words of 清华 华大 大学]
	// words by UAX #29, and every two neighbouring characters where there are no spaces: 29% of the letters are Chinese characters, 0% kana
}
