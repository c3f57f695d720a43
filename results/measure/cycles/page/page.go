// Package page writes the tables of results/arm64.md from what command cycles has computed.
package page

import "simhashkit/results/measure/marks"

// Blocks lists the tables of the page.
var Blocks = []marks.Block{
	{Name: "loops", Write: loops.shown},
	{Name: "calls", Write: calls.shown},
	{Name: "hashes", Write: loops.shown},
	{Name: "loops beside pospop", Write: loops.shown},
	{Name: "calls beside pospop", Write: calls.shown},
}
