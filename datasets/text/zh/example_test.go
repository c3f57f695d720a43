//go:build !race

package zh_test

import (
	"fmt"
	"log"

	"simhashkit/datasets/text"
	_ "simhashkit/datasets/text/zh"
)

// The dictionary finds the words of Chinese. Without it, every two neighbouring characters count as
// a word.
func Example() {
	for _, language := range []string{"zh", "auto"} {
		analyzer, err := text.New(text.Options{Language: language})
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s\n", analyzer.Append(nil, []byte("我来到北京 2026")))
	}
	// Output:
	// [我 来到 北京 2026]
	// [我来 来到 到北 北京 2026]
}
