package filter

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"simhashkit/fphash/index/blocks"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/scratch"
)

// spill is the lines of a block in a temporary file: of each the length of its id in 4 bytes, the
// words of the fingerprint, and the id. A line is found by where it begins.
type spill struct {
	file   *scratch.File
	w      *bufio.Writer
	at     int64 // where the next line begins
	tables *blocks.Tables
	table  int
	words  int // of a fingerprint
	memory int64
	folder string
	buffer []byte
}

func newSpill(b *block) (*spill, error) {
	file, err := scratch.NewIn(b.folder)
	if err != nil {
		return nil, err
	}
	s := &spill{file: file, w: bufio.NewWriterSize(file, 256<<10), tables: b.tables, table: b.table, words: (b.tables.Bits() + 63) / 64, folder: b.folder}
	s.memory = int64(len(b.words)*8 + len(b.ids) + len(b.ends)*lineInMemory)
	return s, nil
}

func (s *spill) add(fingerprint []uint64, id []byte) error {
	line := binary.LittleEndian.AppendUint32(s.buffer[:0], uint32(len(id)))
	for _, word := range fingerprint {
		line = binary.LittleEndian.AppendUint64(line, word)
	}
	line = append(line, id...)
	s.buffer, s.at = line, s.at+int64(len(line))
	if _, err := s.w.Write(line); err != nil {
		return fmt.Errorf("a block that is split on disk: %w", err)
	}
	return nil
}

// head returns how many bytes stand before an id.
func (s *spill) head() int { return 4 + 8*s.words }

// line returns the fingerprint and the id of the line that begins there.
func (s *spill) line(at int64) (fingerprint []uint64, id []byte, err error) {
	const guess = 64 // bytes of an id, to read all in one go
	data := make([]byte, min(int64(s.head()+guess), s.at-at))
	if _, err := s.file.ReadAt(data, at); err != nil {
		return nil, nil, fmt.Errorf("a block that is split on disk: %w", err)
	}
	n := int(binary.LittleEndian.Uint32(data))
	if whole := s.head() + n; whole > len(data) {
		data = make([]byte, whole)
		if _, err := s.file.ReadAt(data, at); err != nil {
			return nil, nil, fmt.Errorf("a block that is split on disk: %w", err)
		}
	}
	return s.wordsOf(nil, data), data[s.head() : s.head()+n], nil
}

func (s *spill) wordsOf(dst []uint64, line []byte) []uint64 {
	for i := range s.words {
		dst = append(dst, binary.LittleEndian.Uint64(line[4+8*i:]))
	}
	return dst
}

// records returns all lines, by where they begin.
func (s *spill) records() iter.Seq2[join.Record, error] {
	return func(yield func(join.Record, error) bool) {
		r := bufio.NewReaderSize(io.NewSectionReader(s.file, 0, s.at), 256<<10)
		head := make([]byte, s.head())
		var words []uint64
		for at := int64(0); at < s.at; {
			_, err := io.ReadFull(r, head)
			n := int(binary.LittleEndian.Uint32(head))
			if err == nil {
				_, err = r.Discard(n)
			}
			words = s.wordsOf(words[:0], head)
			if !yield(join.Record{ID: uint64(at), Words: words}, err) || err != nil {
				return
			}
			at += int64(len(head) + n)
		}
	}
}

// search writes the pairs, or links.
func (s *spill) search(r *run) error {
	if err := s.w.Flush(); err != nil {
		return fmt.Errorf("a block that is split on disk: %w", err)
	}
	x := s.tables.External(s.table, s.records)
	x.Memory, x.Folder = s.memory, s.folder
	if r.Links {
		return s.link(r, x)
	}
	for p, err := range x.Pairs(r.ctx) {
		if err == nil {
			err = s.pair(r, int64(p.A), int64(p.B), false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// pair writes the pair of the lines that begin there, if it is for this table to report, or in any
// case.
func (s *spill) pair(r *run, a, b int64, anyhow bool) error {
	x, first, err := s.line(a)
	if err != nil {
		return err
	}
	y, second, err := s.line(b)
	if err != nil {
		return err
	}
	distance, ok := s.tables.Near(s.table, x, y)
	if !ok && !anyhow {
		return nil
	}
	return r.write(first, second, distance)
}

// link writes the links of the groups in the block.
func (s *spill) link(r *run, x *join.External) error {
	groups, set, err := x.Groups(r.ctx)
	if err != nil {
		return err
	}
	for _, g := range groups.All() {
		first := int64(set.ID(int(g.Members[0])))
		for _, m := range g.Members[1:] {
			if err := s.pair(r, first, int64(set.ID(int(m))), true); err != nil {
				return err
			}
		}
	}
	return nil
}
