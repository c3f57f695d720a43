package columnar

import "github.com/parquet-go/parquet-go"

// columns are those of a file that hold values. The writer of the library takes the rows that it
// gets for sound, and of damaged pages its reader makes others.
type columns struct {
	leaves  []parquet.LeafColumn // by their index
	longest int                  // bytes of a value
}

func columnsOf(schema *parquet.Schema, longest int) columns {
	c := columns{longest: longest}
	for _, path := range schema.Columns() {
		leaf, _ := schema.Lookup(path...)
		c.leaves = append(c.leaves, leaf)
	}
	return c
}

// hold says that a row has all columns in their order, with values that are of their types.
func (c *columns) hold(row parquet.Row) bool {
	last := -1
	for i := range row {
		column := row[i].Column()
		switch {
		case column == last+1 && column < len(c.leaves) && row[i].RepetitionLevel() == 0:
			last = column
		case column != last || last < 0 || row[i].RepetitionLevel() == 0:
			return false
		}
		if !c.belongs(&row[i], &c.leaves[column]) {
			return false
		}
	}
	return last == len(c.leaves)-1
}

func (c *columns) belongs(value *parquet.Value, leaf *parquet.LeafColumn) bool {
	if value.IsNull() {
		return value.DefinitionLevel() < leaf.MaxDefinitionLevel
	}
	if value.DefinitionLevel() != leaf.MaxDefinitionLevel || value.Kind() != leaf.Node.Type().Kind() {
		return false
	}
	if value.Kind() != parquet.ByteArray {
		return true
	}
	n := len(value.ByteArray()) // which may be negative, where a dictionary is damaged
	return n >= 0 && n <= c.longest
}
