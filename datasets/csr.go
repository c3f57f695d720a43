package datasets

import "fmt"

// Weight is a type that the weights of features can have.
type Weight interface {
	int32 | int64 | float32 | float64
}

// CSR holds sparse vectors in compressed sparse row form: the features of vector i are
// Indices[Offsets[i]:Offsets[i+1]] with the weights at the same places.
//
// Offsets has one entry more than there are vectors, starts at 0 and never falls; the zero CSR,
// without any entry, is an empty one. Weights == nil means unit weights: every listed feature
// counts once, repeats count each time. Labels and IDs are nil when no vector has one; otherwise
// they have one entry a vector. The three slices Offsets, Indices and Weights are what the packages
// that compute take, so a CSR can be handed over without copying.
type CSR[W Weight] struct {
	Offsets []int
	Indices []uint64
	Weights []W
	// the text before the features, such as a class number, as it was written; "" where there is
	// none
	Labels []string
	IDs    []string // the name of a vector, such as a file's path; "" where there is none
}

// Row is one vector with what its source says about it. A reader fills the same Row again and
// again, so its slices are valid until the next call.
type Row[W Weight] struct {
	Label   []byte   // nil when the line has none
	ID      []byte   // the text after '#', white space trimmed; nil when there is none
	Indices []uint64 // ascending and without repeats when weighted, as written when unit
	Weights []W      // nil when unit
	Line    int      // line number in the source, from 1; 0 where there is none
}

// Len returns the number of vectors.
func (c *CSR[W]) Len() int { return max(len(c.Offsets)-1, 0) }

// NNZ returns the number of listed features of all vectors.
func (c *CSR[W]) NNZ() int { return len(c.Indices) }

// Row returns the features of vector i without copying; weights is nil when they are unit. It
// panics when i is out of range.
func (c *CSR[W]) Row(i int) (indices []uint64, weights []W) {
	from, to := c.Offsets[i], c.Offsets[i+1]
	if c.Weights != nil {
		weights = c.Weights[from:to:to]
	}
	return c.Indices[from:to:to], weights
}

// Label returns the label of vector i, "" when it has none.
func (c *CSR[W]) Label(i int) string {
	if c.Labels == nil {
		return ""
	}
	return c.Labels[i]
}

// ID returns the id of vector i, "" when it has none.
func (c *CSR[W]) ID(i int) string {
	if c.IDs == nil {
		return ""
	}
	return c.IDs[i]
}

// Append adds a copy of the row. The first row that has features decides whether the CSR has
// weights; a row of the other kind, or with unequal lengths, is an error and leaves the CSR as it
// was.
func (c *CSR[W]) Append(row *Row[W]) error {
	if row.Weights != nil && len(row.Weights) != len(row.Indices) {
		return fmt.Errorf("datasets: row has %d indices and %d weights", len(row.Indices), len(row.Weights))
	}
	if len(row.Indices) > 0 && c.NNZ() > 0 && (row.Weights == nil) != (c.Weights == nil) {
		return fmt.Errorf("datasets: rows with and without weights in one set (row %d)", c.Len()+1)
	}
	if row.Weights != nil && c.NNZ() == 0 && c.Weights == nil {
		c.Weights = []W{}
	} else if row.Weights == nil && len(row.Indices) > 0 {
		c.Weights = nil
	}
	n := c.Len()
	c.Indices = append(c.Indices, row.Indices...)
	c.Weights = append(c.Weights, row.Weights...)
	if c.Offsets == nil {
		c.Offsets = append(c.Offsets, 0)
	}
	c.Offsets = append(c.Offsets, len(c.Indices))
	c.Labels = appendText(c.Labels, n, row.Label)
	c.IDs = appendText(c.IDs, n, row.ID)
	return nil
}

// appendText adds entry n to a list that stays nil until there is something to keep.
func appendText(list []string, n int, text []byte) []string {
	if list == nil {
		if len(text) == 0 {
			return nil
		}
		list = make([]string, n, n+1)
	}
	return append(list, string(text))
}

// Validate returns an error when the slices do not fit together. Whatever this package returns
// without an error is valid; it is for sets put together by hand.
func (c *CSR[W]) Validate() error {
	if len(c.Offsets) == 0 {
		if len(c.Indices) > 0 || len(c.Weights) > 0 {
			return fmt.Errorf("datasets: %d indices and %d weights, but no offsets", len(c.Indices), len(c.Weights))
		}
	} else if c.Offsets[0] != 0 {
		return fmt.Errorf("datasets: offsets start at %d, not at 0", c.Offsets[0])
	} else if last := c.Offsets[c.Len()]; last != len(c.Indices) {
		return fmt.Errorf("datasets: offsets end at %d, but there are %d indices", last, len(c.Indices))
	}
	for i := range c.Len() {
		if c.Offsets[i] > c.Offsets[i+1] {
			return fmt.Errorf("datasets: offsets fall from %d to %d at vector %d", c.Offsets[i], c.Offsets[i+1], i)
		}
	}
	if c.Weights != nil && len(c.Weights) != len(c.Indices) {
		return fmt.Errorf("datasets: %d indices and %d weights", len(c.Indices), len(c.Weights))
	}
	if c.Labels != nil && len(c.Labels) != c.Len() {
		return fmt.Errorf("datasets: %d vectors and %d labels", c.Len(), len(c.Labels))
	}
	if c.IDs != nil && len(c.IDs) != c.Len() {
		return fmt.Errorf("datasets: %d vectors and %d ids", c.Len(), len(c.IDs))
	}
	return nil
}
