package advice

// Statement is a sentence about what was measured, and the rows that it is by.
type Statement struct {
	Words string
	Rows  []Cell
}
