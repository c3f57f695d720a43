// Command readme writes the tables in README.md, results/README.md, METHODOLOGY.md and
// bench/recipes/README.md from the result files that the marks in these pages name. From the root
// of simhashkit:
//
//	go run ./internal/proof/readme
package main

import "simhashkit/internal/proof/pages"

// targets lists the pages with their blocks.
var targets = []struct {
	page   string
	blocks []pages.Block
}{
	{"README.md", []pages.Block{{Name: "speed", Write: speed}}},
	{"results/README.md", []pages.Block{{Name: "pairs", Write: pairs}, {Name: "documents", Write: documents}}},
	{"METHODOLOGY.md", []pages.Block{{Name: "hashes", Write: hashTable}}},
	{"bench/recipes/README.md", []pages.Block{{Name: "rates", Write: rates}}},
}

func main() {
	for _, w := range targets {
		pages.Main(w.page, w.blocks)
	}
}
