// Command page writes the tables of results/scale.md anew: what stands there between marks shows
// the result file of command scale that the marks name, and what follows from it by the formulas
// that the page has. From the root of simhashkit:
//
//	go run ./internal/proof/scale/page
package main

import (
	"path/filepath"

	"simhashkit/internal/proof/pages"
)

const name = "results/scale.md"

func main() { pages.Main(filepath.FromSlash(name), shown) }

// shown are the tables of the page.
var shown = []pages.Block{
	{Name: "roads", Write: of(roadTable)},
	{Name: "stages", Write: of(stageTable)},
	{Name: "blocks", Write: of(blockTable)},
	{Name: "searches", Write: of(searchTable)},
	{Name: "tables", Write: of(designTable)},
	{Name: "cluster", Write: of(clusterTable)},
	{Name: "batch", Write: of(batchTable)},
	{Name: "strangers", Write: func(string, string) (string, error) { return strangerTable(), nil }},
}
