package columnar

import (
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// dictionaryBytes is where a dictionary ends and plain values begin, as in other writers: texts are
// mostly different, and without an end all of them would be held in memory.
const dictionaryBytes = 1 << 20

// schemaToWrite is a file's schema with encodings to write its columns anew: a dictionary where the
// file has one, and plain values elsewhere. What the library takes for a column's encoding is a
// guess from the list of all that its pages and levels have, and not always one that it can write.
func schemaToWrite(f *parquet.File) *parquet.Schema {
	elements := []format.SchemaElement(f.Metadata().Schema)
	return parquet.NewSchema(f.Schema().Name(), &root{f.Root(), fieldsToWrite(f.Root(), &elements)})
}

// root is a schema with columns, and an order of them, of our own.
type root struct {
	parquet.Node
	fields []parquet.Field
}

func (r *root) Fields() []parquet.Field { return r.fields }

// field is a column, or a group of columns, that is written so.
type field struct {
	parquet.Field
	typ    parquet.Type
	fields []parquet.Field
}

// fieldsToWrite takes the elements of a node and of what is below it from the front of a list of
// all, which has them in this order.
func fieldsToWrite(node parquet.Node, elements *[]format.SchemaElement) []parquet.Field {
	*elements = (*elements)[1:]
	var fields []parquet.Field
	for _, f := range node.Fields() {
		typ := typeToWrite(f.Type(), &(*elements)[0])
		fields = append(fields, &field{f, typ, fieldsToWrite(f, elements)})
	}
	return fields
}

func (f *field) Fields() []parquet.Field { return f.fields }

func (f *field) Type() parquet.Type { return f.typ }

func (f *field) Encoding() encoding.Encoding {
	if !f.Leaf() {
		return f.Field.Encoding()
	}
	_, nulls := f.typ.(*physicalType)
	if was := f.Field.Encoding(); was != nil && !nulls { // the dictionary of nulls has no type
		if e := was.Encoding(); e == format.RLEDictionary || e == format.PlainDictionary {
			return &parquet.RLEDictionary
		}
	}
	return &parquet.Plain
}

// typeToWrite returns a type with the logical one of the file, of which the library does not know
// some, such as that of 16-bit floats. Columns of nothing but nulls have the physical type of the
// file: the library has none for them, and DuckDB reads no file with one that does not exist.
func typeToWrite(t parquet.Type, element *format.SchemaElement) parquet.Type {
	if element.Type.Valid && t.Kind() < 0 { // groups have none
		t = &physicalType{t, parquet.Kind(element.Type.V)}
	}
	if element.LogicalType.Value == nil || t.LogicalType() != nil {
		return t
	}
	return &logicalType{t, &element.LogicalType}
}

type logicalType struct {
	parquet.Type
	logical *format.LogicalType
}

func (t *logicalType) LogicalType() *format.LogicalType { return t.logical }

type physicalType struct {
	parquet.Type
	kind parquet.Kind
}

func (t *physicalType) Kind() parquet.Kind { return t.kind }
