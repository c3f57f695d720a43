// Command readme writes the figures of README.md anew: the tables between the lines <!-- tables
// from FILE --> and <!-- end of tables --> show the result file that the first of them names, those
// of rates the comparisons in a folder, and those of arm64 the cycles in a folder. From the root of
// simhashkit:
//
//	go run ./internal/proof/readme
package main

import (
	"simhashkit/internal/proof/cycles/tables"
	"simhashkit/internal/proof/pages"
)

const name = "README.md"

var blocks = []pages.Block{{Name: "tables", Write: measured}, {Name: "rates", Write: rates}, {Name: "arm64", Write: arm64}}

func main() { pages.Main(name, blocks) }

// arm64 shows what the kernels take, and how many times as fast as the generic form that is.
func arm64(root, folder string) (string, error) {
	choice := tables.Loops
	choice.Kernel = "neon"
	return choice.ShownTogether(root, folder+"/cycles.txt", folder+"/hashes.txt")
}
