// Package layout describes the search structures of package index as flat arrays. Package indexfile
// writes these to a file and searches them in place; they are no part of the public API.
package layout

// Layout is what a structure is made of beside its set and its design. All of it is determined by
// these, but takes long to make. A scan has no tables.
type Layout struct {
	Unsure int // the largest number of unsure bits of a stored fingerprint
	Loose  []uint32
	Tables []Table
}

// Table is the arrays of one table: where each bucket begins in the other three, and behind the
// last bucket where that ends; Unsure only if the set has masks.
type Table struct{ Starts, Screens, Positions, Unsure []uint32 }
