package columnar

import (
	"fmt"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"simhashkit/datasets/documents"
)

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
