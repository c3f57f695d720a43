package filter

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"iter"

	"simhashkit/fphash"
	"simhashkit/fphash/index/blocks"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/lines"
	"simhashkit/internal/scratch"
)

// BlockWriter writes the block lines of fingerprints. A fingerprint has a line for each table: the
// key, a tab, the fingerprint in hexadecimal, a tab and the id.
type BlockWriter struct {
	tables     *blocks.Tables
	w          *lines.Writer
	line, tail []byte
}

// NewBlockWriter returns a writer of block lines to w.
func NewBlockWriter(w io.Writer, tables *blocks.Tables) *BlockWriter {
	return &BlockWriter{tables: tables, w: lines.NewWriter(w)}
}

// Write writes the lines of a fingerprint, one for each table. Tabs and line breaks in the id
// become spaces.
func (b *BlockWriter) Write(fingerprint []uint64, id []byte) error {
	b.tail = append(fphash.Fingerprint(fingerprint).AppendHex(append(b.tail[:0], '\t'), b.tables.Bits()), '\t')
	for _, c := range id {
		if c == '\t' || c == '\n' || c == '\r' {
			c = ' '
		}
		b.tail = append(b.tail, c)
	}
	b.tail = append(b.tail, '\n')
	for table := range b.tables.Len() {
		b.line = append(b.tables.AppendKey(b.line[:0], table, fingerprint), b.tail...)
		if _, err := b.w.Write(b.line); err != nil {
			return err
		}
	}
	return nil
}

// Flush writes the buffered lines.
func (b *BlockWriter) Flush() error { return b.w.Flush() }

func cutBlockLine(line []byte) (key, digits, id []byte, err error) {
	key, rest, first := bytes.Cut(line, []byte("\t"))
	digits, id, second := bytes.Cut(rest, []byte("\t"))
	if !first || !second || bytes.IndexByte(id, '\t') >= 0 {
		return nil, nil, nil, fmt.Errorf("expected a key, a fingerprint and an id with tabs between them, as fphash blocks writes them, not %.80q", line)
	}
	return key, digits, id, nil
}

// appendDigits appends the words of a fingerprint of that width, given in hexadecimal.
func appendDigits(dst []uint64, digits []byte, bits int) ([]uint64, error) {
	if bits == 64 && len(digits) == 16 {
		word, bad := uint64(0), byte(0)
		for _, c := range digits {
			value := values[c]
			bad |= value
			word = word<<4 | uint64(value)
		}
		if bad < 16 {
			return append(dst, word), nil
		}
	}
	words, err := fphash.ParseHex(string(digits), bits)
	if err != nil {
		return nil, err
	}
	return append(dst, words...), nil
}

// values are the values of hexadecimal digits, and 255 for all other bytes.
var values = func() (v [256]byte) {
	for i := range v {
		v[i] = 255
	}
	for i, c := range "0123456789abcdef" {
		v[c] = byte(i)
	}
	for i, c := range "ABCDEF" {
		v[c] = byte(10 + i)
	}
	return v
}()

// block holds the lines of one key, in memory until they exceed the limit.
type block struct {
	key    []byte
	table  int
	tables *blocks.Tables
	n      int64
	memory int64 // that is left
	folder string

	words []uint64
	ids   []byte
	ends  []int // of each id
	disk  *spill
}

// lineInMemory is the approximate number of bytes that a line takes in addition to its id and its
// words while its block is searched.
const lineInMemory = 48

// begin starts a new block and forgets the previous one.
func (b *block) begin(key []byte, table int, tables *blocks.Tables, memory int64, folder string) {
	b.close()
	b.key, b.table, b.tables, b.n = append(b.key[:0], key...), table, tables, 0
	b.memory, b.folder = cmp.Or(memory, DefaultMemory), folder
	b.words, b.ids, b.ends = b.words[:0], b.ids[:0], b.ends[:0]
}

// add adds a line: words are the words of the block, followed by those of the new line.
func (b *block) add(words []uint64, id []byte) error {
	fingerprint := words[len(b.words):]
	if b.disk != nil {
		return b.disk.add(fingerprint, id)
	}
	b.memory -= int64(8*len(fingerprint) + len(id) + lineInMemory)
	b.words, b.ids = words, append(b.ids, id...)
	b.ends = append(b.ends, len(b.ids))
	if b.memory >= 0 {
		return nil
	}
	return b.spill()
}

func (b *block) spill() (err error) {
	if b.disk, err = newSpill(b); err != nil {
		return err
	}
	w := len(b.words) / len(b.ends)
	for i := range b.ends {
		if err := b.disk.add(b.words[i*w:i*w+w], b.id(i)); err != nil {
			return err
		}
	}
	b.words, b.ids, b.ends = b.words[:0], b.ids[:0], b.ends[:0]
	return nil
}

func (b *block) id(i int) []byte {
	from := 0
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.ids[from:b.ends[i]]
}

// close closes the temporary file, if there is one.
func (b *block) close() {
	if b.disk != nil {
		b.disk.file.Close()
		b.disk = nil
	}
}

// spill holds the lines of a block in a temporary file. For each line, the file has the length of
// its id in 4 bytes, the words of the fingerprint, and the id. A line is identified by its offset
// in the file.
type spill struct {
	file   *scratch.File
	w      *bufio.Writer
	at     int64 // offset of the next line
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

// head returns the number of bytes before an id.
func (s *spill) head() int { return 4 + 8*s.words }

// line returns the fingerprint and the id of the line at that offset.
func (s *spill) line(at int64) (fingerprint []uint64, id []byte, err error) {
	const guess = 64 // assumed length of an id in bytes, so that one read gets all of most lines
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

// records returns all lines. Their ids are their offsets.
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

// pair writes the pair of the lines at offsets a and b, if this table reports it or if anyhow is
// set.
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
