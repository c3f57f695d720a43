package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// errDelta refuses a page of 32-bit numbers whose differences have more than 32 bits. DuckDB writes
// such pages with PARQUET_VERSION V2, and parquet-go v0.32.0 reads wrong numbers from some of them.
var errDelta = errors.New("32-bit numbers with 64-bit differences in DELTA_BINARY_PACKED would be read wrongly: write the file with PARQUET_VERSION V1 in DuckDB, or with another encoding")

// errBool refuses a page of bools encoded as RLE: parquet-go v0.32.0 reads some of them as their
// opposites.
var errBool = errors.New("bools in the encoding RLE would be read wrongly: write the file with data_page_version='1.0' in pyarrow, or with the encoding PLAIN")

// checkEncoding refuses a page, which begins at an offset in the file, if the library would read
// other values than it has.
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
		// checkPacked has seen that the levels fit.
		page = page[h.RepetitionLevelsByteLength+h.DefinitionLevelsByteLength:]
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

// narrow reports whether all differences in a DELTA_BINARY_PACKED page fit 32 bits. The page begins
// with its sizes and its first value. Each block has a smallest difference, the bit widths of its
// miniblocks, and the miniblocks, which are added to the smallest difference. The library reports
// pages that end too early.
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
				break // the width of a miniblock without values means nothing
			}
			if width > 32 {
				return false
			}
			page = page[min(uint64(len(page)), block/parts*uint64(width)/8):]
		}
	}
	return true
}

// number reads a varint from the front of a page and returns the rest. It returns 0 at the end.
func number(page []byte) (uint64, []byte) {
	n, size := binary.Uvarint(page)
	return n, page[max(0, size):]
}

// fits32 reports whether a number in zigzag encoding fits 32 bits.
func fits32(zigzag uint64) bool { return zigzag <= math.MaxUint32 }

// errLZ4 refuses a page packed with LZ4 that parquet-go v0.32.0 would read as zeros. If the buffer
// holds less than three times the packed bytes, its codec unpacks into a new buffer, and the caller
// goes on with the old one (parquet-go issue 608).
var errLZ4 = errors.New("pages packed with LZ4 would be read wrongly: write the file with zstd, snappy, gzip or brotli, or not packed")

// checkPacked checks the packed bytes of a page, at a place in the file. They, too, claim a size
// that the library believes. For LZ4, the library doubles its memory until the page fits, which a
// damaged page never does, so such pages are unpacked here first.
func (f *file) checkPacked(codec format.CompressionCodec, header *format.PageHeader, at int64) error {
	left, unpacked := int(header.CompressedPageSize), int(header.UncompressedPageSize)
	if header.Type == format.DataPageV2 {
		h := &header.DataPageHeaderV2.V
		levels := int64(h.RepetitionLevelsByteLength) + int64(h.DefinitionLevelsByteLength)
		if h.RepetitionLevelsByteLength < 0 || h.DefinitionLevelsByteLength < 0 || levels > int64(min(left, unpacked)) {
			return fmt.Errorf("a page with levels of %d bytes", levels)
		}
		if h.IsCompressed.Valid && !h.IsCompressed.V {
			return nil
		}
		at, left, unpacked = at+levels, left-int(levels), unpacked-int(levels)
	}
	if left == 0 {
		return nil
	}
	switch codec {
	case format.Snappy:
		packed, err := f.readAt(at, min(left, 10)) // the longest varint
		if err != nil {
			return err
		}
		if n, err := snappy.DecodedLen(packed); err != nil || n > unpacked {
			return fmt.Errorf("a page of %d bytes that would unpack to %d (%v)", unpacked, n, err)
		}
	case format.Zstd:
		packed, err := f.readAt(at, min(left, zstd.HeaderMaxSize))
		if err != nil {
			return err
		}
		var h zstd.Header
		if err := h.Decode(packed); err != nil || h.HasFCS && h.FrameContentSize > uint64(unpacked) {
			return fmt.Errorf("a page of %d bytes that would unpack to %d (%v)", unpacked, h.FrameContentSize, err)
		}
	case format.Lz4Raw:
		if 3*left > unpacked {
			return errLZ4
		}
		packed, err := f.readAt(at, left)
		if err != nil {
			return err
		}
		if _, err := lz4.UncompressBlock(packed, make([]byte, unpacked)); err != nil {
			return fmt.Errorf("a page of %d bytes: %w", unpacked, err)
		}
	}
	return nil
}

// readAt returns bytes of the file, valid until the next call.
func (f *file) readAt(at int64, n int) ([]byte, error) {
	f.head = append(f.head[:0], make([]byte, n)...)
	_, err := f.ReadAt(f.head, at)
	return f.head, err
}
