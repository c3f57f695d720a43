// Command pages writes the tables of the pages of this project from the result files that the marks
// in these pages name:
//
//	go -C results run ./measure/pages
package main

import (
	"fmt"
	"os"

	advised "simhashkit/results/measure/advised/page"
	cycles "simhashkit/results/measure/cycles/page"
	"simhashkit/results/measure/instructions"
	"simhashkit/results/measure/marks"
	scale "simhashkit/results/measure/scale/page"
	texts "simhashkit/results/measure/texts/page"
)

// targets lists the pages with their blocks.
var targets = []struct {
	page   string
	blocks []marks.Block
}{
	{"README.md", []marks.Block{{Name: "speed", Write: speed}}},
	{"METHODOLOGY.md", []marks.Block{
		{Name: "unsure", Write: unsure}, {Name: "bands", Write: bands}, {Name: "proved", Write: proved},
		{Name: "hashes", Write: hashTable}, {Name: "instructions", Write: instructions.Table},
	}},
	{"bench/recipes/README.md", []marks.Block{{Name: "rates", Write: rates}}},
	{"results/README.md", []marks.Block{{Name: "pairs", Write: pairs}, {Name: "documents", Write: documents}}},
	{"results/arm64.md", cycles.Blocks},
	{"results/scale.md", scale.Blocks},
	{"results/texts.md", append(texts.Blocks, advised.Blocks...)},
}

func main() {
	for _, w := range targets {
		if err := marks.Rewrite("..", w.page, w.blocks); err != nil {
			fmt.Fprintln(os.Stderr, "pages:", err)
			os.Exit(1)
		}
	}
}
