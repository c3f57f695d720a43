//go:build !race

package zh_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	_ "simhashkit/datasets/text/zh"
)

// Mostly Chinese texts are split with the dictionary. All others give pairs of characters, and
// words between spaces.
func Example() {
	analyzer, err := text.New(text.Options{Language: "auto+zh"})
	if err != nil {
		log.Fatal(err)
	}
	for _, s := range []string{"我来到北京清华大学", "the words of 清华大学"} {
		fmt.Printf("%s\n", analyzer.Append(nil, []byte(s)))
		choice := analyzer.Choose([]byte(s))
		fmt.Printf("by dictionary: %v, %d of %d letters are Chinese\n", choice.ByWords, choice.Han, choice.Letters)
	}
	// Output:
	// [我 来到 北京 清华大学]
	// by dictionary: true, 9 of 9 letters are Chinese
	// [the words of 清华 华大 大学]
	// by dictionary: false, 4 of 14 letters are Chinese
}
