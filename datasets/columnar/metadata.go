package columnar

import (
	"encoding/binary"
	"errors"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/format"
)

// errMetadata is returned for metadata that no writer can have written.
var errMetadata = errors.New("its metadata claim more than there is")

// deepest bounds the nesting of structures in metadata; those of Parquet have seven levels.
const deepest = 32

// checkMetadata walks over metadata in Thrift's compact protocol, in linear time. The library
// allocates memory for as many elements as a list claims to have, and for as many bytes as a text
// claims. So a claim that exceeds the bytes left is an error here.
func checkMetadata(data []byte) error {
	_, ok := skipStruct(data, deepest)
	if !ok {
		return errMetadata
	}
	return nil
}

// Types of the compact protocol.
const (
	thriftTrue   = 1
	thriftFalse  = 2
	thriftByte   = 3
	thriftInt16  = 4
	thriftInt32  = 5
	thriftInt64  = 6
	thriftDouble = 7
	thriftBinary = 8
	thriftList   = 9
	thriftSet    = 10
	thriftMap    = 11
	thriftStruct = 12
)

// skipStruct returns the data after a structure.
func skipStruct(data []byte, depth int) (rest []byte, ok bool) {
	for depth > 0 && len(data) > 0 {
		field := data[0]
		if data = data[1:]; field == 0 {
			return data, true
		}
		if field>>4 == 0 { // the number of the field follows
			if _, data, ok = uvarint(data); !ok {
				return nil, false
			}
		}
		if kind := field & 0xf; kind != thriftTrue && kind != thriftFalse { // of which the type is the value
			if data, ok = skipValue(data, kind, depth-1); !ok {
				return nil, false
			}
		}
	}
	return nil, false
}

// skipValue returns the data after a value of a type.
func skipValue(data []byte, kind byte, depth int) (rest []byte, ok bool) {
	switch kind {
	case thriftTrue, thriftFalse, thriftByte:
		return skipBytes(data, 1)
	case thriftInt16, thriftInt32, thriftInt64:
		_, data, ok = uvarint(data)
		return data, ok
	case thriftDouble:
		return skipBytes(data, 8)
	case thriftBinary:
		n, data, ok := uvarint(data)
		if !ok {
			return nil, false
		}
		return skipBytes(data, n)
	case thriftList, thriftSet:
		return skipList(data, depth)
	case thriftMap:
		return skipMap(data, depth)
	case thriftStruct:
		return skipStruct(data, depth)
	}
	return nil, false
}

func skipList(data []byte, depth int) (rest []byte, ok bool) {
	if len(data) == 0 {
		return nil, false
	}
	n, kind := uint64(data[0]>>4), data[0]&0xf
	if data = data[1:]; n == 0xf {
		if n, data, ok = uvarint(data); !ok {
			return nil, false
		}
	}
	return skipElements(data, n, depth, kind)
}

func skipMap(data []byte, depth int) (rest []byte, ok bool) {
	n, data, ok := uvarint(data)
	if !ok || n == 0 {
		return data, ok
	}
	if len(data) == 0 {
		return nil, false
	}
	return skipElements(data[1:], n, depth, data[0]>>4, data[0]&0xf)
}

// skipElements returns the data after n elements, each a value or a key and a value.
func skipElements(data []byte, n uint64, depth int, kinds ...byte) (rest []byte, ok bool) {
	if n > uint64(len(data)) { // each takes a byte at least
		return nil, false
	}
	for range n {
		for _, kind := range kinds {
			if data, ok = skipValue(data, kind, depth); !ok {
				return nil, false
			}
		}
	}
	return data, true
}

func skipBytes(data []byte, n uint64) (rest []byte, ok bool) {
	if n > uint64(len(data)) {
		return nil, false
	}
	return data[n:], true
}

func uvarint(data []byte) (v uint64, rest []byte, ok bool) {
	v, n := binary.Uvarint(data)
	if n <= 0 {
		return 0, nil, false
	}
	return v, data[n:], true
}

// dictionaryBytes bounds a dictionary; plain values follow, as in other writers. Most texts are
// distinct, and without a bound all of them would be held in memory.
const dictionaryBytes = 1 << 20

// schemaToWrite returns a file's schema with encodings for writing its columns: a dictionary where
// the file has one, and plain values elsewhere. The library guesses a column's encoding from the
// list of those of all pages and levels, and cannot always write it.
func schemaToWrite(f *parquet.File) *parquet.Schema {
	elements := []format.SchemaElement(f.Metadata().Schema)
	return parquet.NewSchema(f.Schema().Name(), &root{f.Root(), fieldsToWrite(f.Root(), &elements)})
}

// root is a schema with columns in an order of our own.
type root struct {
	parquet.Node
	fields []parquet.Field
}

func (r *root) Fields() []parquet.Field { return r.fields }

// field is a column or a group of columns with the type and encoding to write.
type field struct {
	parquet.Field
	typ    parquet.Type
	fields []parquet.Field
}

// fieldsToWrite takes the elements of a node and its descendants from the front of the list of all
// elements, which is in that order.
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

// typeToWrite returns a type with the logical type of the file, also if the library does not know
// it, such as that of 16-bit floats. Columns of only nulls get the physical type of the file: the
// library has none for them, and DuckDB refuses files without one.
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
