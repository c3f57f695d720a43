// Command page writes the tables of results/arm64.md anew: what stands there between marks shows
// the result file of command cycles that the marks name. From the root of simhashkit:
//
//	go run ./internal/proof/cycles/page
package main

import (
	"path/filepath"

	"simhashkit/internal/proof/cycles/tables"
	"simhashkit/internal/proof/pages"
)

const name = "results/arm64.md"

func main() {
	pages.Main(filepath.FromSlash(name), blocks)
}

var blocks = []pages.Block{
	{Name: "loops", Write: tables.Loops.Shown},
	{Name: "calls", Write: tables.Calls.Shown},
	{Name: "hashes", Write: tables.Loops.Shown},
	{Name: "loops beside pospop", Write: tables.Loops.Shown},
	{Name: "calls beside pospop", Write: tables.Calls.Shown},
}
