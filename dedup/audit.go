package dedup

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"simhashkit/internal/texttable"
)

// The columns of a sheet, in their order; one with the figure of Verify comes behind them.
const (
	columnSame     = "same" // empty: yes or no, by who labels
	columnDistance = "distance"
	columnAll      = "dropped_at_distance"
)

var sheetColumns = []string{columnSame, columnDistance, columnAll, "kept", "dropped", "kept_text", "dropped_text"}

// sheetText is how many columns of a text a sheet shows.
const sheetText = 300

// WriteSheet writes examples, and their texts by the number of the record, as CSV to be labelled: a
// line for each, in which the column same is empty. ReadSheet reads what became of it. Of long
// texts it shows what stands around the first difference.
func (r *Result) WriteSheet(w io.Writer, examples []Example, texts map[int]string) error {
	if _, err := io.WriteString(w, "\ufeff"); err != nil { // or spreadsheets take it for Latin-1
		return err
	}
	c := csv.NewWriter(w)
	header := sheetColumns
	if r.Verify != nil {
		header = append(header[:len(header):len(header)], r.Verify.Figure())
	}
	if err := c.Write(header); err != nil {
		return err
	}
	dropped := r.droppedByDistance()
	for _, e := range examples {
		shown := around(texts[e.Kept], texts[e.Dropped], sheetText)
		row := []string{"", strconv.Itoa(e.Distance), strconv.Itoa(dropped[e.Distance])}
		for _, text := range []string{r.Records.ID(e.Kept), r.Records.ID(e.Dropped), shown[0], shown[1]} {
			row = append(row, texttable.CSVText(text))
		}
		if r.Verify != nil {
			figure, _, err := r.Verify.Compare(uint64(e.Dropped), uint64(e.Kept))
			if err != nil {
				return err
			}
			row = append(row, fmt.Sprintf("%.3g", figure))
		}
		if err := c.Write(row); err != nil {
			return err
		}
	}
	c.Flush()
	return c.Error()
}

// droppedByDistance returns how many records are dropped at each distance from what is kept for
// them.
func (r *Result) droppedByDistance() map[int]int {
	n := map[int]int{}
	for i := range r.Groups.canonical {
		if r.dropped(uint32(i)) {
			n[r.Groups.distance(uint32(i))]++
		}
	}
	return n
}
