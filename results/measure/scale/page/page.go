// Package page writes the tables of results/scale.md from what command scale has measured, and by
// the formulas on the page.
package page

import "simhashkit/results/measure/marks"

// Blocks lists the tables of the page.
var Blocks = []marks.Block{
	{Name: "roads", Write: of(roadTable)},
	{Name: "stages", Write: of(stageTable)},
	{Name: "blocks", Write: of(blockTable)},
	{Name: "searches", Write: of(searchTable)},
	{Name: "tables", Write: of(designTable)},
	{Name: "cluster", Write: of(clusterTable)},
	{Name: "batch", Write: of(batchTable)},
	{Name: "strangers", Write: func(string, string) (string, error) { return strangerTable(), nil }},
}
