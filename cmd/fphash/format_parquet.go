package main

import (
	"io"

	"simhashkit/dedup/fingerprints/parquet"
)

// parquetWriter writes a Parquet file.
type parquetWriter struct{ w *parquet.Writer }

func newParquetWriter(w io.Writer, s hasher, masked bool) parquetWriter {
	return parquetWriter{parquet.NewWriter(w, s.String(), s.Bits(), masked)}
}

func (p parquetWriter) write(r record) error {
	return p.w.Write(r.id, r.fingerprint, r.mask, r.informative)
}

func (p parquetWriter) end() error { return p.w.Close() }
