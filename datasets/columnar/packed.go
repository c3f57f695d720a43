package columnar

import (
	"errors"
	"fmt"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"
)

// errLZ4 refuses a page packed with LZ4 that parquet-go v0.32.0 would read as zeros. If the buffer
// holds less than three times the packed bytes, its codec unpacks into a new buffer, and the caller
// goes on with the old one (parquet-go issue 608).
var errLZ4 = errors.New("pages packed with LZ4 would be read wrongly: write the file with zstd, snappy, gzip or brotli, or not packed")

// checkPacked looks at the packed bytes of a page, at a place in the file: they too say how much
// they hold, and the library believes them. Of LZ4 it doubles its memory until they fit, which
// damaged ones never do, so they are unpacked here first.
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
		packed, err := f.readAt(at, min(left, 10)) // the longest number there
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
