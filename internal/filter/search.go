// Package filter finds near-duplicates in pipelines that sort lines by key. It reads and writes the
// lines of fphash blocks and fphash pairs, which README.md describes.
package filter

import (
	"bytes"
	"cmp"
	"context"
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

// ReadPairs returns the ids of pairs, read from lines in the format of Search. The ids are valid
// until the next pair is requested. A line has two ids and the distance, which must be a number of
// bits. ReadPairs ignores fields after the distance.
func ReadPairs(ctx context.Context, r io.Reader, name string) iter.Seq2[[2][]byte, error] {
	return func(yield func([2][]byte, error) bool) {
		for line, err := range lines.All(ctx, r, name, mostLine, true) {
			var pair [2][]byte
			if err == nil {
				if pair, err = cutPairLine(line.Text); err != nil {
					err = fmt.Errorf("%s:%d: %w", name, line.Number, err)
				}
			}
			if !yield(pair, err) || err != nil {
				return
			}
		}
	}
}

func cutPairLine(line []byte) (pair [2][]byte, err error) {
	a, rest, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\r")), []byte("\t"))
	b, rest, _ := bytes.Cut(rest, []byte("\t"))
	distance, _, _ := bytes.Cut(rest, []byte("\t"))
	if n, err := strconv.ParseUint(string(distance), 10, 16); err != nil || n > fphash.MaxBits {
		return pair, fmt.Errorf("expected two ids and a distance with tabs between them, as written by fphash pairs, got %.80q", line)
	}
	return [2][]byte{a, b}, nil
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
