package columnar

import (
	"errors"
	"fmt"
	"io"

	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

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
