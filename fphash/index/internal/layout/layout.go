// Package layout describes the search structures of package index as flat arrays. Package indexfile
// writes these to a file and searches them in place; they are no part of the public API.
package layout

// Table is the arrays of one table: where each bucket begins in the other two, and behind the last
// bucket where that ends. They are determined by the set and the design, but take long to make.
type Table struct{ Starts, Screens, Positions []uint32 }
