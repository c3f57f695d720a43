package columnar

import (
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"

	"simhashkit/internal/syntax"
)

// column is a column with one value in each row, or with lists of strings.
type column struct {
	name     string
	list     bool
	index    int
	kind     parquet.Type
	numbers  bool // the values are whole numbers, which are valid ids
	unsigned bool
}

// use is the purpose of a column.
type use int

const (
	textColumn use = iota
	idColumn
	valueColumn
)

var expectedOf = []string{textColumn: "strings", idColumn: "strings or whole numbers", valueColumn: "strings, numbers, dates or times"}

// columnNamed finds a column by name, or by a path with dots and, for elements of lists, brackets.
func (f *file) columnNamed(name string, of use) (*column, error) {
	leaf, ok := f.Schema().Lookup(name)
	if !ok {
		leaf, ok = f.Schema().Lookup(strings.Split(name, ".")...)
	}
	list := false
	if i := slices.Index(f.paths(), name); !ok && i >= 0 {
		leaf, ok, list = f.leaves[i], true, of == textColumn
	}
	if !ok {
		return nil, fmt.Errorf("columnar: %s: expected a column %q, got %s", f.path, name, f.columnNames())
	}
	if leaf.MaxRepetitionLevel > 0 && !list {
		return nil, fmt.Errorf("columnar: %s: expected one value in each row of the column %q, got lists", f.path, name)
	}
	t := leaf.Node.Type()
	_, decimal := logical(t).(*format.DecimalType)
	_, whole := logical(t).(*format.IntType) // dates and times are stored as numbers too
	switch {
	case t.Kind() == parquet.ByteArray && !decimal:
	case of != textColumn && whole:
	case of == valueColumn && measured(t):
	default:
		return nil, fmt.Errorf("columnar: %s: expected %s in the column %q, got %s", f.path, expectedOf[of], name, t)
	}
	return &column{name: name, list: list, index: leaf.ColumnIndex, kind: t, numbers: whole, unsigned: unsigned(t)}, nil
}

// columnNames lists as many columns of the file as fit on a line.
func (f *file) columnNames() string {
	list := strings.Join(f.paths(), ", ")
	if len(list) > 200 {
		list = list[:strings.LastIndexByte(list[:200], ',')+1] + " ..."
	}
	return list
}

// paths returns the path of each column. Brackets stand for the elements of a list: messages[].role
// is the column messages.list.element.role.
func (f *file) paths() []string { return appendPaths(nil, f.Root(), "") }

func appendPaths(paths []string, node parquet.Node, path string) []string {
	if node.Leaf() {
		return append(paths, path)
	}
	for _, field := range node.Fields() {
		below := strings.TrimPrefix(path+"."+field.Name(), ".")
		of := parquet.Node(field)
		_, isList := logical(field.Type()).(*format.ListType)
		if list := only(field); isList && list != nil { // most lists have another group below this one
			of, below = list, below+"[]"
			if element := only(list); element != nil && list.Name() != "array" && !strings.HasSuffix(list.Name(), "_tuple") {
				of = element
			}
		} else if field.Repeated() {
			below += "[]"
		}
		paths = appendPaths(paths, of, below)
	}
	return paths
}

// only returns the only field of a group, or nil.
func only(node parquet.Node) parquet.Field {
	if node.Leaf() || len(node.Fields()) != 1 {
		return nil
	}
	return node.Fields()[0]
}

func unsigned(t parquet.Type) bool {
	whole, is := logical(t).(*format.IntType)
	return is && !whole.IsSigned
}

// string returns a value as text: the bytes of a string, or the digits of a number; nil
// for a null.
func (r *reader) string(c *column, value parquet.Value) ([]byte, error) {
	switch {
	case value.IsNull():
		return nil, nil
	case c.numbers:
		r.digits, _ = AppendText(r.digits[:0], value, c.unsigned)
		return r.digits, nil
	}
	bytes := value.ByteArray()
	if uint(len(bytes)) > uint(r.options.MaxLine) { // the length is negative if a dictionary is damaged
		return nil, r.bad(c, fmt.Sprintf("at most %d bytes", r.options.MaxLine), strconv.Itoa(len(bytes)))
	}
	if at := syntax.FirstInvalid(bytes); at >= 0 {
		return nil, r.bad(c, "UTF-8 text", strconv.Quote(string(bytes[at:min(len(bytes), at+16)])))
	}
	return bytes, nil
}

// strings joins the strings of a row, separated by line feeds. ok is false if there are none.
func (r *reader) strings(c *column, row parquet.Row) (text []byte, ok bool, err error) {
	r.joined = r.joined[:0]
	for i := range row {
		if row[i].Column() != c.index || row[i].IsNull() {
			continue
		}
		element, err := r.string(c, row[i])
		if err != nil {
			return nil, true, err
		}
		if ok {
			r.joined = append(r.joined, '\n')
		}
		ok = true
		if r.joined = append(r.joined, element...); len(r.joined) > r.options.MaxLine {
			return nil, true, r.bad(c, fmt.Sprintf("at most %d bytes", r.options.MaxLine), "more")
		}
	}
	return r.joined, ok, nil
}

func (r *reader) bad(c *column, want, got string) error {
	return fmt.Errorf("columnar: %s: row %d: expected %s in the column %q, got %s", r.file.path, r.number, want, c.name, got)
}

// AppendText appends a string or the digits of a whole number. It returns false for values of other
// types.
func AppendText(dst []byte, value parquet.Value, unsigned bool) ([]byte, bool) {
	switch kind := value.Kind(); {
	case kind == parquet.ByteArray || kind == parquet.FixedLenByteArray:
		return append(dst, value.ByteArray()...), true
	case kind == parquet.Int32 && unsigned:
		return strconv.AppendUint(dst, uint64(value.Uint32()), 10), true
	case kind == parquet.Int32:
		return strconv.AppendInt(dst, int64(value.Int32()), 10), true
	case kind == parquet.Int64 && unsigned:
		return strconv.AppendUint(dst, value.Uint64(), 10), true
	case kind == parquet.Int64:
		return strconv.AppendInt(dst, value.Int64(), 10), true
	}
	return dst, false
}

// logical returns the logical type, or nil if the column has only a physical type.
func logical(t parquet.Type) any {
	if of := t.LogicalType(); of != nil {
		return of.Value
	}
	return nil
}

// measured reports whether values are numbers, dates or times that the method text can format.
func measured(t parquet.Type) bool {
	switch logical(t).(type) {
	case *format.DateType:
		return t.Kind() == parquet.Int32
	case *format.TimestampType:
		return t.Kind() == parquet.Int64
	case *format.DecimalType:
		return slices.Contains([]parquet.Kind{parquet.Int32, parquet.Int64, parquet.ByteArray, parquet.FixedLenByteArray}, t.Kind())
	case nil:
		return t.Kind() == parquet.Float || t.Kind() == parquet.Double
	}
	return false
}

// text formats a value as in CSV: a number, a date, a time or a string. It returns nil for null.
func (c *column) text(value parquet.Value) []byte {
	if value.IsNull() {
		return nil
	}
	switch of := logical(c.kind).(type) {
	case *format.DateType:
		return time.Unix(int64(value.Int32())*24*60*60, 0).UTC().AppendFormat(nil, time.DateOnly)
	case *format.TimestampType:
		return timeOf(value.Int64(), of).UTC().AppendFormat(nil, time.RFC3339Nano)
	case *format.DecimalType:
		unscaled := new(big.Int)
		switch c.kind.Kind() {
		case parquet.Int32:
			unscaled.SetInt64(int64(value.Int32()))
		case parquet.Int64:
			unscaled.SetInt64(value.Int64())
		default:
			bytes := value.ByteArray() // big-endian, in two's complement
			unscaled.SetBytes(bytes)
			if len(bytes) > 0 && bytes[0] >= 0x80 {
				unscaled.Sub(unscaled, new(big.Int).Lsh(big.NewInt(1), uint(8*len(bytes))))
			}
		}
		return strconv.AppendInt(append(unscaled.Append(nil, 10), 'e'), -int64(of.Scale), 10)
	}
	switch value.Kind() {
	case parquet.Float:
		return strconv.AppendFloat(nil, float64(value.Float()), 'g', -1, 32)
	case parquet.Double:
		return strconv.AppendFloat(nil, value.Double(), 'g', -1, 64)
	}
	text, _ := AppendText(nil, value, c.unsigned)
	return text
}

func timeOf(n int64, of *format.TimestampType) time.Time {
	switch of.Unit.Value.(type) {
	case *format.MilliSeconds:
		return time.UnixMilli(n)
	case *format.MicroSeconds:
		return time.UnixMicro(n)
	}
	return time.Unix(0, n)
}
