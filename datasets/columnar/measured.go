package columnar

import (
	"math/big"
	"slices"
	"strconv"
	"time"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// logical returns what the values of a type mean, nil if that is what they are stored as.
func logical(t parquet.Type) any {
	if of := t.LogicalType(); of != nil {
		return of.Value
	}
	return nil
}

// measured says that values are numbers, dates or times, which text can write.
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

// text returns a value as CSV would have it: a number, a date, a time or a string; nil of null.
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
