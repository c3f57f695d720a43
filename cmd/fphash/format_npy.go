package main

import (
	"bufio"
	"encoding/binary"
	"io"

	"simhashkit/internal/npy"
	"simhashkit/internal/scratch"
)

// npyWriter writes a NumPy array of uint64 with a row of words for each fingerprint. Its header has
// the number of rows, so the rows wait in a temporary file.
type npyWriter struct {
	w     io.Writer
	words int
	rows  uint64
	file  *scratch.File
	array *bufio.Writer
	bytes []byte
}

func newNPYWriter(w io.Writer, s hasher) (*npyWriter, error) {
	file, err := scratch.New()
	if err != nil {
		return nil, err
	}
	return &npyWriter{w: w, words: s.Words(), file: file, array: bufio.NewWriterSize(file, 64<<10)}, nil
}

func (n *npyWriter) write(r record) error {
	n.bytes = n.bytes[:0]
	for _, word := range r.fingerprint {
		n.bytes = binary.LittleEndian.AppendUint64(n.bytes, word)
	}
	n.rows++
	_, err := n.array.Write(n.bytes)
	return err
}

func (n *npyWriter) end() error {
	if err := n.array.Flush(); err != nil {
		return err
	}
	if _, err := n.file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if _, err := n.w.Write(npy.AppendHeader(nil, npy.Header{Type: "<u8", Shape: []uint64{n.rows, uint64(n.words)}})); err != nil {
		return err
	}
	_, err := io.Copy(n.w, n.file)
	return err
}

func (n *npyWriter) Close() error { return n.file.Close() }
