// Package filter finds near-duplicates in pipelines that sort lines by key. It reads and writes the
// lines of fphash blocks and fphash pairs, which examples/filters.md describes.
package filter

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"iter"
	"strconv"

	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/join"
	"simhashkit/internal/blocks"
	"simhashkit/internal/lines"
)

// Search searches block lines for pairs.
type Search struct {
	Name string // name of the input, for error messages

	// Tables returns the tables that made the keys, for fingerprints of the width. It is called
	// once, for the first line. If it is nil, the keys may be any texts, Run writes the links of
	// the fingerprints with the same key, and K is the largest distance of a pair in bits.
	Tables func(bits int) (*blocks.Tables, error)
	K      func(bits int) (int, error)
	Bits   int // width of the fingerprints; 0 means four bits per digit

	Links bool // write links instead of pairs: see blocks.Links
}

// Found has the counts of a search.
type Found struct {
	Lines   int64 // lines read
	Blocks  int64 // different keys
	Largest int64 // largest number of lines of one key
	Shared  int64 // pairs of lines with the same key
	Pairs   int64 // pairs or links written
}

const mostLine = 16 << 20 // bytes

// Run reads block lines from r, which are sorted by their keys, and writes a line to w for each
// pair: an id, a tab, the other id, a tab, and the distance. The ids are in the order of
// Less. Run writes each pair once, in an order that depends only on the lines. It keeps the
// lines of one key in memory.
//
// Run returns an error if a line is malformed or out of order, if the last line has no line feed,
// or if a key differs from the key that Tables computes for the fingerprint. It has then written
// complete lines for the pairs of the blocks before.
func (s *Search) Run(ctx context.Context, r io.Reader, w io.Writer) (Found, error) {
	run := &run{Search: s, ctx: ctx, out: lines.NewWriter(w)}
	err := run.read(r)
	if flushErr := run.out.Flush(); err == nil {
		err = flushErr
	}
	return run.found, err
}

// block has the lines of one key.
type block struct {
	key   []byte
	table int
	words []uint64 // of all fingerprints
	ids   []byte   // concatenated ids
	ends  []int    // end of each id
}

// begin starts a new block and discards the previous one.
func (b *block) begin(key []byte, table int) {
	b.key, b.table = append(b.key[:0], key...), table
	b.words, b.ids, b.ends = b.words[:0], b.ids[:0], b.ends[:0]
}

func (b *block) id(i int) []byte {
	from := 0
	if i > 0 {
		from = b.ends[i-1]
	}
	return b.ids[from:b.ends[i]]
}

// run is the state of a running search.
type run struct {
	*Search
	ctx    context.Context
	out    *lines.Writer
	tables *blocks.Tables // nil if the keys are given
	k      int
	block  block
	found  Found
	key    []byte // buffer for the expected key of a line
	line   []byte // buffer for an output line
}

func (r *run) read(in io.Reader) error {
	for line, err := range lines.All(r.ctx, in, r.Name, mostLine, true) {
		if err != nil {
			return err
		}
		if err := r.add(line.Text); err != nil {
			return fmt.Errorf("%s:%d: %w", r.Name, line.Number, err)
		}
	}
	return r.search()
}

// add adds a line to the current block, or ends that block and begins the next.
func (r *run) add(line []byte) error {
	key, digits, id, err := cutBlockLine(line)
	if err != nil {
		return err
	}
	if r.found.Lines == 0 {
		if r.Bits == 0 {
			r.Bits = 4 * len(digits)
		}
		if r.Tables == nil {
			r.k, err = r.K(r.Bits)
		} else if r.tables, err = r.Tables(r.Bits); err == nil {
			r.k = r.tables.K()
		}
		if err != nil {
			return err
		}
	}
	if r.found.Lines == 0 || !bytes.Equal(key, r.block.key) {
		if err := r.next(key); err != nil {
			return err
		}
	}
	words, err := appendDigits(r.block.words, digits, r.Bits)
	if err != nil {
		return err
	}
	if r.tables != nil {
		if r.key = r.tables.AppendKey(r.key[:0], r.block.table, words[len(r.block.words):]); !bytes.Equal(r.key, key) {
			return fmt.Errorf("key %.80q of fingerprint %.80s: expected %s with these flags, which must be the same as for fphash blocks", key, digits, r.key)
		}
	}
	r.found.Lines++
	b := &r.block
	b.words, b.ids = words, append(b.ids, id...)
	b.ends = append(b.ends, len(b.ids))
	return nil
}

// next ends the current block and begins the block of a key.
func (r *run) next(key []byte) error {
	if r.found.Lines > 0 && bytes.Compare(key, r.block.key) < 0 {
		return fmt.Errorf("key %.80q after %.80q: expected lines in the order of their keys, as sorted by LC_ALL=C sort", key, r.block.key)
	}
	if err := r.search(); err != nil {
		return err
	}
	table := 0
	if r.tables != nil {
		var err error
		if table, err = r.tables.Table(key); err != nil {
			return fmt.Errorf("%w: the flags must be the same as for fphash blocks", err)
		}
	}
	r.block.begin(key, table)
	return nil
}

// search writes the pairs of the current block.
func (r *run) search() error {
	b := &r.block
	n := int64(len(b.ends))
	if n == 0 {
		return nil
	}
	r.found.Blocks++
	r.found.Largest = max(r.found.Largest, n)
	r.found.Shared += n * (n - 1) / 2
	if n == 1 {
		return nil
	}
	var found iter.Seq2[join.Pair, error]
	if r.tables == nil || r.Links {
		found = blocks.Links(r.ctx, &index.Set{Bits: r.Bits, Words: b.words}, r.k)
	} else {
		found = r.tables.Pairs(r.ctx, b.table, b.words)
	}
	for p, err := range found {
		if err == nil {
			err = r.write(b.id(int(p.A)), b.id(int(p.B)), p.Distance)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// write writes the line of a pair.
func (r *run) write(a, b []byte, distance int) error {
	if Less(b, a) {
		a, b = b, a
	}
	r.line = append(append(r.line[:0], a...), '\t')
	r.line = append(append(r.line, b...), '\t')
	r.line = append(strconv.AppendInt(r.line, int64(distance), 10), '\n')
	if r.found.Pairs++; r.found.Pairs%4096 == 0 && r.ctx.Err() != nil {
		return context.Cause(r.ctx)
	}
	_, err := r.out.Write(r.line)
	return err
}

// Less defines the order of the two ids in the line of a pair. The smaller id comes first, so that
// a pair has the same line in every table and on every machine. Numbers are ordered by value; all
// other ids follow them, ordered by their bytes. A number has decimal digits without leading zeros.
func Less(a, b []byte) bool {
	x, y := isNumber(a), isNumber(b)
	switch {
	case x != y:
		return x
	case x:
		return cmp.Or(cmp.Compare(len(a), len(b)), bytes.Compare(a, b)) < 0
	}
	return bytes.Compare(a, b) < 0
}

func isNumber(id []byte) bool {
	for _, c := range id {
		if c < '0' || c > '9' {
			return false
		}
	}
	return len(id) == 1 || len(id) > 1 && id[0] != '0'
}

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
		return nil, nil, nil, fmt.Errorf("expected a key, a fingerprint and an id with tabs between them, as written by fphash blocks, got %.80q", line)
	}
	return key, digits, id, nil
}

// appendDigits appends the words of a fingerprint of the width, given in hexadecimal.
func appendDigits(dst []uint64, digits []byte, bits int) ([]uint64, error) {
	var word [8]byte
	if bits == 64 && len(digits) == 16 { // without allocations
		if _, err := hex.Decode(word[:], digits); err == nil {
			return append(dst, binary.BigEndian.Uint64(word[:])), nil
		}
	}
	words, err := fphash.ParseHex(string(digits), bits)
	if err != nil {
		return nil, err
	}
	return append(dst, words...), nil
}
