package columnar

import (
	"encoding/binary"
	"errors"
	"io"
	"math"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
)

// errDelta is the error of a page of 32-bit numbers whose differences were computed in 64 bits, as
// DuckDB does for PARQUET_VERSION V2. The library reads some of them as other numbers.
var errDelta = errors.New("expected 32-bit numbers whose encoding DELTA_BINARY_PACKED has differences of 32 bits, which the library that reads Parquet here needs: DuckDB writes such with PARQUET_VERSION V1")

// errBool is the error of a page of bools in the encoding RLE, of which the library reads some as
// their opposites.
var errBool = errors.New("expected bools in the encoding PLAIN, since the library that reads Parquet here misreads RLE: pyarrow writes such with data_page_version='1.0'")

// checkEncoding refuses pages, at a place in the file, that the library would read as other values.
func (f *file) checkEncoding(meta *format.ColumnMetaData, header *format.PageHeader, at int64) error {
	encoding := header.DataPageHeader.V.Encoding
	if header.Type == format.DataPageV2 {
		encoding = header.DataPageHeaderV2.V.Encoding
	}
	if meta.Type == format.Boolean && encoding == format.RLE && valuesOf(header) > 0 {
		return errBool
	}
	if meta.Type != format.Int32 || encoding != format.DeltaBinaryPacked || valuesOf(header) == 0 {
		return nil
	}
	page, err := f.readAt(at, int(header.CompressedPageSize))
	if err != nil {
		return err
	}
	packed := true
	if header.Type == format.DataPageV2 {
		h := &header.DataPageHeaderV2.V
		packed = !h.IsCompressed.Valid || h.IsCompressed.V
		page = page[h.RepetitionLevelsByteLength+h.DefinitionLevelsByteLength:] // as checkPacked has seen
	}
	if packed && meta.Codec != format.Uncompressed {
		if page, err = parquet.LookupCompressionCodec(meta.Codec).Decode(nil, page); err != nil {
			return err
		}
	}
	if leaf, ok := f.Schema().Lookup(meta.PathInSchema...); ok && header.Type == format.DataPage {
		for _, greatest := range []int{leaf.MaxRepetitionLevel, leaf.MaxDefinitionLevel} {
			if greatest == 0 {
				continue // there are no such levels
			}
			if len(page) < 4 || int(binary.LittleEndian.Uint32(page)) > len(page)-4 {
				return io.ErrUnexpectedEOF
			}
			page = page[4+binary.LittleEndian.Uint32(page):]
		}
	}
	if !narrow(page) {
		return errDelta
	}
	return nil
}

// narrow reports whether the blocks of an encoded page have differences of no more than 32 bits: a
// head with sizes and the first value, then blocks of a least difference, the widths of what is
// added to it, and that. What ends too early, the library finds.
func narrow(page []byte) bool {
	block, page := number(page)
	parts, page := number(page)
	count, page := number(page)
	first, page := number(page)
	if parts == 0 || block/parts == 0 || block > pageValues || !fits32(first) {
		return false
	}
	for left := int64(count) - 1; left > 0 && len(page) > 0; left -= int64(block) {
		var least uint64
		if least, page = number(page); !fits32(least) || uint64(len(page)) < parts {
			return false
		}
		widths := page[:parts]
		page = page[parts:]
		for i, width := range widths {
			if int64(i)*int64(block/parts) >= left {
				break // a part without values, whose width says nothing
			}
			if width > 32 {
				return false
			}
			page = page[min(uint64(len(page)), block/parts*uint64(width)/8):]
		}
	}
	return true
}

// number takes a number off a page, 0 where it has none.
func number(page []byte) (uint64, []byte) {
	n, size := binary.Uvarint(page)
	return n, page[max(0, size):]
}

// fits32 reports whether a number in zigzag encoding fits 32 bits.
func fits32(zigzag uint64) bool { return zigzag <= math.MaxUint32 }
