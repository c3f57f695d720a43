package columnar

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/deprecated"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
	"simhashkit/datasets/documents"
)

// column gives the values of a column, one after the other.
type column struct {
	name     string
	index    int
	kind     parquet.Type
	numbers  bool // of whole numbers, which an id may be
	unsigned bool

	pages  parquet.Pages // of the row group
	page   parquet.Page  // whose values are being read; what they point to belongs to it
	reader parquet.ValueReader
	values []parquet.Value // read ahead
	buffer [256]parquet.Value
}

// use is what the values of a column are for.
type use int

const (
	textColumn use = iota
	idColumn
	valueColumn
)

var expectedOf = []string{textColumn: "strings", idColumn: "strings or whole numbers", valueColumn: "strings, numbers, dates or times"}

// columnNamed finds a column by its name, or by its path with dots.
func (f *file) columnNamed(name string, of use) (*column, error) {
	leaf, ok := f.Schema().Lookup(name)
	if !ok {
		leaf, ok = f.Schema().Lookup(strings.Split(name, ".")...)
	}
	if !ok {
		return nil, fmt.Errorf("columnar: %s: expected a column %q, got %s", f.path, name, f.columnNames())
	}
	c := &column{name: name, index: leaf.ColumnIndex, kind: leaf.Node.Type()}
	kind := leaf.Node.Type().Kind()
	switch {
	case leaf.MaxRepetitionLevel > 0:
		return nil, fmt.Errorf("columnar: %s: expected one value in each row of the column %q, got lists", f.path, name)
	case kind == parquet.ByteArray && !decimal(leaf.Node.Type()):
	case of != textColumn && whole(leaf.Node.Type()):
		c.numbers, c.unsigned = true, unsigned(leaf.Node.Type())
	case of == valueColumn && measured(leaf.Node.Type()):
	default:
		return nil, fmt.Errorf("columnar: %s: expected %s in the column %q, got %s", f.path, expectedOf[of], name, leaf.Node.Type())
	}
	return c, nil
}

// columnNames lists what there is, as far as it fits a line.
func (f *file) columnNames() string {
	var names []string
	for _, path := range f.Schema().Columns() {
		names = append(names, strings.Join(path, "."))
	}
	list := strings.Join(names, ", ")
	if len(list) > 200 {
		list = list[:strings.LastIndexByte(list[:200], ',')+1] + " ..."
	}
	return list
}

func decimal(t parquet.Type) bool {
	_, is := logical(t).(*format.DecimalType)
	return is
}

// whole says that values are whole numbers, and not dates or the like that are stored as such.
func whole(t parquet.Type) bool {
	_, is := logical(t).(*format.IntType)
	return (is || logical(t) == nil) && (t.Kind() == parquet.Int32 || t.Kind() == parquet.Int64)
}

func unsigned(t parquet.Type) bool {
	if integer, is := logical(t).(*format.IntType); is {
		return !integer.IsSigned
	}
	converted := t.ConvertedType()
	return converted != nil && *converted >= deprecated.Uint8 && *converted <= deprecated.Uint64
}

// open goes to a row group.
func (c *column) open(f *file, group int) error {
	if err := f.checkPages(group, c.index); err != nil {
		return fmt.Errorf("the column %q: %w", c.name, err)
	}
	c.pages = f.RowGroups()[group].ColumnChunks()[c.index].Pages()
	c.reader, c.values = nil, nil
	return nil
}

// next returns the next value of the row group, whose bytes are valid until the next call. The end
// is io.EOF.
func (c *column) next() (parquet.Value, error) {
	for len(c.values) == 0 {
		if c.reader == nil {
			if err := c.nextPage(); err != nil {
				return parquet.Value{}, err
			}
		}
		n, err := c.reader.ReadValues(c.buffer[:])
		c.values = c.buffer[:n]
		switch {
		case err == io.EOF:
			c.reader = nil
		case err != nil:
			return parquet.Value{}, err
		case n == 0:
			return parquet.Value{}, io.ErrNoProgress
		}
	}
	value := c.values[0]
	c.values = c.values[1:]
	return value, nil
}

// in returns the value of a row.
func (c *column) in(row parquet.Row) (parquet.Value, error) {
	for i := range row {
		if row[i].Column() == c.index {
			return row[i], nil
		}
	}
	return parquet.Value{}, fmt.Errorf("expected a value in the column %q, got none", c.name)
}

func (c *column) nextPage() error {
	c.release()
	page, err := c.pages.ReadPage()
	if err != nil {
		return err
	}
	c.page, c.reader = page, page.Values()
	return nil
}

func (c *column) release() {
	if c.page != nil {
		parquet.Release(c.page)
		c.page = nil
	}
}

// close ends a row group.
func (c *column) close() error {
	if c.pages == nil {
		return nil
	}
	c.release()
	err := c.pages.Close()
	c.pages, c.reader, c.values = nil, nil, nil
	return err
}

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

// string returns a value as the bytes of a string or the digits of a number.
func (r *reader) string(c *column, value parquet.Value) ([]byte, error) {
	switch {
	case value.IsNull():
		return nil, r.bad(c, "a value", "null")
	case c.numbers:
		r.number, _ = AppendText(r.number[:0], value, c.unsigned)
		return r.number, nil
	}
	bytes := value.ByteArray()
	if len(bytes) < 0 || len(bytes) > r.options.MaxLine { // less than 0 where a dictionary is damaged
		return nil, r.bad(c, fmt.Sprintf("at most %d bytes", r.options.MaxLine), strconv.Itoa(len(bytes)))
	}
	if at := documents.FirstInvalid(bytes); at >= 0 {
		return nil, r.bad(c, "UTF-8 text", strconv.Quote(string(bytes[at:min(len(bytes), at+16)])))
	}
	return bytes, nil
}

func (r *reader) bad(c *column, want, got string) error {
	return fmt.Errorf("columnar: %s: row %d: expected %s in the column %q, got %s", r.file.path, r.row, want, c.name, got)
}

// AppendText appends the bytes of a text or the digits of a whole number, and returns false for
// values of other types.
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

const (
	pageBytes  = 64 << 20 // of a page, which may be more only where its packed bytes tell
	pagePacked = 1000     // as much larger than its packed bytes
	pageValues = 64 << 20 // of a page
	headerRead = 4 << 10  // bytes of a page's header, which are more where a statistic is long
)

// checkPages looks at the headers of all pages of a column in a row group, before the library does:
// it sets memory aside for what a header claims, and a damaged one can claim anything.
func (f *file) checkPages(group, column int) error {
	meta := &f.Metadata().RowGroups[group].Columns[column].MetaData
	at := meta.DataPageOffset
	if meta.DictionaryPageOffset != 0 {
		at = meta.DictionaryPageOffset
	}
	if at < 0 || meta.TotalCompressedSize < 0 || meta.TotalCompressedSize > f.Size()-at {
		return errors.New("a column goes beyond the file")
	}
	end := at + meta.TotalCompressedSize
	// To the end of the column: where it claims fewer values than there are rows, the library goes
	// on.
	for values := int64(0); values < meta.NumValues || at < end; {
		header, size, err := f.pageHeader(at, end)
		if err != nil && values >= meta.NumValues {
			return nil // no page, which the library would find as well
		}
		if err != nil {
			return fmt.Errorf("header of a page: %w", err)
		}
		at += int64(size)
		if err := checkPage(header, end-at); err != nil {
			return err
		}
		if err := f.checkPacked(meta.Codec, header, at); err != nil {
			return err
		}
		if err := f.checkEncoding(meta, header, at); err != nil {
			return err
		}
		at += int64(header.CompressedPageSize)
		values += valuesOf(header)
	}
	return nil
}

// pageHeader decodes the header of a page, and returns its size too.
func (f *file) pageHeader(at, end int64) (*format.PageHeader, int, error) {
	for size := int64(headerRead); ; size *= 8 {
		size = min(size, end-at)
		head, err := f.readAt(at, int(size))
		if err != nil {
			return nil, 0, err
		}
		header := new(format.PageHeader)
		reader := f.protocol.NewReaderFromBytes(head)
		err = thrift.NewDecoder(reader).Decode(header)
		if err == nil {
			return header, reader.BytesRead(), nil
		}
		if size == end-at || size > pageBytes || !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, io.EOF) {
			return nil, 0, err
		}
	}
}

func checkPage(header *format.PageHeader, left int64) error {
	packed, unpacked := int64(header.CompressedPageSize), int64(header.UncompressedPageSize)
	values := valuesOf(header)
	if header.Type == format.DictionaryPage {
		values = int64(header.DictionaryPageHeader.V.NumValues)
	}
	switch {
	case values < 0 || values > pageValues:
		return fmt.Errorf("a page of %d values", values)
	case unpacked < 0 || unpacked > max(pageBytes, pagePacked*packed):
		return fmt.Errorf("a page of %d bytes, %d when packed", unpacked, packed)
	case packed < 0 || packed > left:
		return fmt.Errorf("a page of %d bytes where %d are left", packed, left)
	}
	return nil
}

// valuesOf returns the number of values of a data page, and 0 of others.
func valuesOf(header *format.PageHeader) int64 {
	switch header.Type {
	case format.DataPage:
		return int64(header.DataPageHeader.V.NumValues)
	case format.DataPageV2:
		return int64(header.DataPageHeaderV2.V.NumValues)
	default:
		return 0
	}
}
