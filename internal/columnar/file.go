package columnar

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"

	"simhashkit/internal/docformat"
	"simhashkit/internal/syntax"
)

const (
	signature  = docformat.ParquetSignature
	footerSize = 8 // length of the metadata, and the signature
)

// file is an open Parquet file.
type file struct {
	*parquet.File
	path     string
	leaves   []parquet.LeafColumn // by column index
	os       *os.File             // nil in tests
	protocol thrift.CompactProtocol
	head     []byte // buffer for readAt
}

// openFile reads the metadata of a file.
func openFile(ctx context.Context, path string) (f *file, err error) {
	o, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	defer func() {
		if err != nil {
			o.Close()
		}
	}()
	info, err := o.Stat()
	if err != nil {
		return nil, fmt.Errorf("columnar: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("columnar: %s: expected a regular file, because a Parquet file is read from its end", path)
	}
	f, err = newFile(ctx, o, info.Size(), path)
	if err != nil {
		return nil, err
	}
	f.os = o
	return f, nil
}

func newFile(ctx context.Context, r io.ReaderAt, size int64, path string) (*file, error) {
	f := &file{path: path}
	if ctx.Err() != nil {
		return nil, f.damaged(ctx, nil)
	}
	if err := check(r, size, path); err != nil {
		return nil, err
	}
	err := guarded(func() (err error) {
		f.File, err = parquet.OpenFile(r, size,
			parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true), parquet.ReadBufferSize(64<<10))
		if err == nil {
			f.leaves = leavesOf(f.Schema())
		}
		return err
	})
	if err != nil {
		return nil, f.damaged(ctx, err)
	}
	return f, nil
}

// leavesOf returns the leaf columns of a schema in column order.
func leavesOf(schema *parquet.Schema) (leaves []parquet.LeafColumn) {
	for _, path := range schema.Columns() {
		leaf, _ := schema.Lookup(path...)
		leaves = append(leaves, leaf)
	}
	return leaves
}

// check checks the signatures at both ends of a file, and the sizes claimed by its metadata.
// Otherwise, the library would allocate memory for any claimed size.
func check(r io.ReaderAt, size int64, path string) error {
	head := make([]byte, 512)
	n, err := r.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return fmt.Errorf("columnar: %w", err)
	}
	head = head[:n]
	if like := syntax.LikeLine(head); like != "a Parquet file" {
		return fmt.Errorf("columnar: %s: expected a Parquet file%s", path, but(head, like))
	}
	var tail [footerSize]byte
	if size < int64(len(signature)+len(tail)) {
		return fmt.Errorf("columnar: %s: truncated Parquet file: %d bytes", path, size)
	}
	if _, err := r.ReadAt(tail[:], size-int64(len(tail))); err != nil {
		return fmt.Errorf("columnar: %w", err)
	}
	length := int64(binary.LittleEndian.Uint32(tail[:4]))
	if string(tail[4:]) != signature || length > size-int64(len(signature)+len(tail)) {
		return fmt.Errorf("columnar: %s: truncated Parquet file: it has no footer", path)
	}
	metadata := make([]byte, length)
	if _, err := r.ReadAt(metadata, size-int64(len(tail))-length); err != nil {
		return fmt.Errorf("columnar: %w", err)
	}
	if err := skip(new(thrift.CompactProtocol).NewReaderFromBytes(metadata), thrift.STRUCT, deepest); err != nil {
		return fmt.Errorf("columnar: %s: damaged Parquet file: %w", path, errMetadata)
	}
	return nil
}

// close closes the file that openFile opened.
func (f *file) close() error {
	if f.os == nil {
		return nil
	}
	return f.os.Close()
}

// but describes the content of a file that is not Parquet, as the end of a sentence.
func but(head []byte, like string) string {
	switch {
	case len(head) == 0:
		return ", got an empty one"
	case like != "":
		return "; it looks like " + like
	default:
		return fmt.Sprintf(", got one that begins with %q", head[:min(len(head), 16)])
	}
}

// damaged converts an error of the library to an error of the file.
func (f *file) damaged(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return fmt.Errorf("columnar: %w", context.Cause(ctx))
	}
	for _, misread := range []error{errLZ4, errDelta, errBool} { // not damaged
		if errors.Is(err, misread) {
			return fmt.Errorf("columnar: %s: %w", f.path, misread)
		}
	}
	return fmt.Errorf("columnar: %s: damaged Parquet file: %w", f.path, err)
}

// guarded calls do and converts panics of the library to errors, since the library does not
// validate everything that it reads. It also catches faults at addresses that come from damaged
// bytes.
func guarded(do func() error) (err error) {
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		if recover() != nil {
			err = errPanic
		}
	}()
	return do()
}

// errPanic is returned in place of a panic of the library.
var errPanic = errors.New("its pages contradict its metadata; write the file again")

// errMetadata is returned for metadata that no writer produces.
var errMetadata = errors.New("its metadata claims more data than the file has")

// deepest bounds the nesting of structures in metadata. Valid metadata have seven levels.
const deepest = 32

// skip parses and discards a value in metadata. It returns an error if a list claims more elements
// than bytes are left; the library would allocate memory for all of them.
func skip(r thrift.Reader, kind thrift.Type, depth int) (err error) {
	switch {
	case depth == 0:
		return errMetadata
	case kind == thrift.TRUE || kind == thrift.FALSE || kind == thrift.I8:
		_, err = r.ReadInt8()
	case kind == thrift.I16 || kind == thrift.I32 || kind == thrift.I64:
		_, err = r.ReadInt64()
	case kind == thrift.DOUBLE:
		_, err = r.ReadFloat64()
	case kind == thrift.BINARY:
		_, err = r.ReadBytes() // does not copy
	case kind == thrift.LIST || kind == thrift.SET:
		var list thrift.List
		list, err = r.ReadList()
		for i := int32(0); i < list.Size && err == nil; i++ {
			err = skip(r, list.Type, depth-1)
		}
	case kind == thrift.MAP:
		var pairs thrift.Map
		pairs, err = r.ReadMap()
		for i := int32(0); i < pairs.Size && err == nil; i++ {
			err = cmp.Or(skip(r, pairs.Key, depth-1), skip(r, pairs.Value, depth-1))
		}
	case kind == thrift.STRUCT:
		var field thrift.Field
		for field, err = r.ReadField(); err == nil && field.Type != thrift.STOP; field, err = r.ReadField() {
			if field.Type == thrift.TRUE || field.Type == thrift.FALSE { // the value is in the type
				continue
			}
			if err := skip(r, field.Type, depth-1); err != nil {
				return err
			}
		}
	default:
		return errMetadata
	}
	return err
}

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
