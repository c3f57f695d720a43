package filter

import (
	"cmp"

	"simhashkit/fphash/index/blocks"
)

// block is the lines of one key, in memory until they are too many.
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

// lineInMemory is about how many bytes a line takes beside its id and its words, while its block is
// searched.
const lineInMemory = 48

// begin forgets the block before.
func (b *block) begin(key []byte, table int, tables *blocks.Tables, memory int64, folder string) {
	b.close()
	b.key, b.table, b.tables, b.n = append(b.key[:0], key...), table, tables, 0
	b.memory, b.folder = cmp.Or(memory, DefaultMemory), folder
	b.words, b.ids, b.ends = b.words[:0], b.ids[:0], b.ends[:0]
}

// add adds a line: words are those of the block with the new ones behind them.
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

// spill moves the block to disk.
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

// close lets go of the file, if there is one.
func (b *block) close() {
	if b.disk != nil {
		b.disk.file.Close()
		b.disk = nil
	}
}
