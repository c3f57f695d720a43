package columnar

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"slices"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

const (
	pageBytes  = 64 << 20 // unpacked size that any page may have
	pagePacked = 1000     // a larger page may unpack to this many times its packed size
	pageValues = 64 << 20 // maximum number of values in a page
	headerRead = 4 << 10  // bytes first read for a page header; long statistics need more
)

// checkPages checks the headers of all pages of a column chunk before the library reads them. The
// library allocates the sizes in a header, and a damaged header can claim any size.
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
	// Check up to the end of the chunk: the library reads on if the chunk claims fewer values than
	// the row group has rows.
	for values := int64(0); values < meta.NumValues || at < end; {
		header, size, err := f.pageHeader(at, end)
		if err != nil && values >= meta.NumValues {
			return nil // not a page; the library reports this
		}
		if err != nil {
			return fmt.Errorf("header of a page: %w", err)
		}
		at += int64(size)
		if err := checkPage(header, end-at); err != nil {
			return err
		}
		if err := checkSizes(f.leaves[column].Node.Type(), header); err != nil {
			return err
		}
		if err := f.checkPacked(meta.Codec, header, at); err != nil {
			return err
		}
		if err := f.checkEncoding(meta, header, at); err != nil {
			return err
		}
		if err := f.checkDictionary(header, at); err != nil {
			return err
		}
		at += int64(header.CompressedPageSize)
		values += valuesOf(header)
	}
	return nil
}

// pageHeader decodes a page header and returns its size, too.
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

// checkDictionary checks the checksum of a dictionary page, if it has one: parquet-go v0.32.0
// checks only those of other pages.
func (f *file) checkDictionary(header *format.PageHeader, at int64) error {
	if header.Type != format.DictionaryPage || header.CRC == 0 {
		return nil
	}
	page, err := f.readAt(at, int(header.CompressedPageSize))
	if err == nil && crc32.ChecksumIEEE(page) != uint32(header.CRC) {
		err = errors.New("the checksum of its dictionary is wrong")
	}
	return err
}

// checkSizes checks that the values which the header of a page claims are no larger than the page.
// The library allocates memory for all of them. The number of nulls may be unknown, so data pages
// of fixed-length strings may claim as much as any page.
func checkSizes(of parquet.Type, header *format.PageHeader) error {
	size, most := int64(4), int64(header.UncompressedPageSize)
	switch of.Kind() {
	case parquet.FixedLenByteArray:
		size = int64(of.Length())
	case parquet.Int64, parquet.Double:
		size = 8
	case parquet.Int96:
		size = 12
	}
	values, encoding := valuesOf(header), header.DataPageHeader.V.Encoding
	switch {
	case header.Type == format.DictionaryPage:
		values = int64(header.DictionaryPageHeader.V.NumValues)
	case header.Type == format.DataPageV2:
		values, encoding = values-int64(header.DataPageHeaderV2.V.NumNulls), header.DataPageHeaderV2.V.Encoding
		fallthrough
	default:
		//lint:ignore SA1019 old files have PlainDictionary
		if of.Kind() != parquet.FixedLenByteArray || encoding == format.RLEDictionary || encoding == format.PlainDictionary {
			return nil
		}
		values -= header.DataPageHeader.V.Statistics.NullCount
		most = max(pageBytes, pagePacked*int64(header.CompressedPageSize))
	}
	if size < 0 || values > 0 && size > most/values {
		return fmt.Errorf("a page of %d bytes with %d values of %d", header.UncompressedPageSize, values, size)
	}
	return nil
}

// valuesOf returns the number of values of a data page, and 0 for other pages.
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

// errDelta is returned for a page of 32-bit numbers whose differences need more than 32 bits.
// DuckDB writes such pages with PARQUET_VERSION V2. parquet-go v0.32.0 decodes some of them
// wrongly.
var errDelta = errors.New("32-bit numbers with 64-bit differences in DELTA_BINARY_PACKED would be read wrongly: write the file with PARQUET_VERSION V1 in DuckDB, or with another encoding")

// errBool is returned for a page of RLE-encoded bools: parquet-go v0.32.0 inverts some of them.
var errBool = errors.New("bools in the encoding RLE would be read wrongly: write the file with data_page_version='1.0' in pyarrow, or with the encoding PLAIN")

// checkEncoding returns an error if the library would decode a page of the column wrongly.
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
		// checkPacked has checked that the levels fit.
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
				continue // the page has no such levels
			}
			if len(page) < 4 || int(binary.LittleEndian.Uint32(page)) > len(page)-4 {
				return io.ErrUnexpectedEOF
			}
			page = page[4+binary.LittleEndian.Uint32(page):]
		}
	}
	wide, err := parquet.DeltaBinaryPacked.DecodeInt64(nil, page)
	if err != nil {
		return err
	}
	narrow, err := parquet.DeltaBinaryPacked.DecodeInt32(nil, page)
	if err != nil || !slices.EqualFunc(wide, narrow, func(w int64, n int32) bool { return int32(w) == n }) {
		return errDelta
	}
	return nil
}

// errLZ4 is returned for pages compressed with LZ4: parquet-go v0.32.0 decodes poorly compressible
// ones as zeros (parquet-go issue 608).
var errLZ4 = errors.New("pages packed with LZ4 would be read wrongly: write the file with zstd, snappy, gzip or brotli, or not packed")

// checkPacked checks the size claimed by the compressed data of the page at an offset, since the
// library allocates that size.
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
		packed, err := f.readAt(at, min(left, 10)) // length of the longest varint
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
		return errLZ4
	}
	return nil
}

// readAt returns n bytes at an offset of the file, valid until the next call.
func (f *file) readAt(at int64, n int) ([]byte, error) {
	f.head = append(f.head[:0], make([]byte, n)...)
	_, err := f.ReadAt(f.head, at)
	return f.head, err
}
