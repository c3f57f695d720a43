package datasets

import (
	"bufio"
	"cmp"
	"container/heap"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"slices"

	"simhashkit/internal/scratch"
)

// distinctAtOnce is how many different values are kept in memory, which takes some 30 MB.
const distinctAtOnce = 1 << 19

// value is what is counted.
type value [2]uint64

func (v value) compare(w value) int {
	if v[0] != w[0] {
		return cmp.Compare(v[0], w[0])
	}
	return cmp.Compare(v[1], w[1])
}

// distinct counts how many different values there are, in bounded memory: what is too much goes to
// a temporary file, in runs of ascending values that differ.
type distinct struct {
	ctx  context.Context
	most int // in memory
	seen map[value]struct{}
	file *scratch.File // nil: all are in memory
	ends []int64       // of the runs
	list []value       // of a run
}

func newDistinct(ctx context.Context) *distinct {
	return &distinct{ctx: ctx, most: distinctAtOnce, seen: map[value]struct{}{}}
}

func (d *distinct) add(v value) error {
	if _, ok := d.seen[v]; ok {
		return nil
	}
	if len(d.seen) >= d.most {
		if err := d.spill(); err != nil {
			return err
		}
	}
	d.seen[v] = struct{}{}
	return nil
}

// spill moves what is in memory to the file.
func (d *distinct) spill() (err error) {
	if d.file == nil {
		if d.file, err = scratch.New(); err != nil {
			return err
		}
	}
	d.list = slices.Grow(d.list[:0], len(d.seen))
	for v := range d.seen {
		d.list = append(d.list, v)
	}
	clear(d.seen)
	if err := sortFunc(d.ctx, d.list, value.compare); err != nil {
		return err
	}
	w := bufio.NewWriterSize(d.file, 64<<10)
	entry := make([]byte, 0, valueBytes)
	for _, v := range d.list {
		entry = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(entry[:0], v[0]), v[1])
		if _, err := w.Write(entry); err != nil {
			return err
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	end := int64(len(d.list)) * valueBytes
	if n := len(d.ends); n > 0 {
		end += d.ends[n-1]
	}
	d.ends = append(d.ends, end)
	return nil
}

// valueBytes is the size of a value in the file.
const valueBytes = 16

// count returns how many values are different. It is called once, at the end.
func (d *distinct) count() (int, error) {
	if d.file == nil {
		return len(d.seen), nil
	}
	if err := d.spill(); err != nil {
		return 0, err
	}
	var all runs
	from := int64(0)
	for _, end := range d.ends {
		r := &valueRun{r: bufio.NewReaderSize(io.NewSectionReader(d.file, from, end-from), 64<<10)}
		if more, err := r.advance(); err != nil {
			return 0, err
		} else if more {
			all = append(all, r)
		}
		from = end
	}
	heap.Init(&all)
	n := 0
	var last value
	for step := 0; len(all) > 0; step++ {
		if step%sortedAtOnce == 0 {
			if err := ended(d.ctx); err != nil {
				return 0, err
			}
		}
		least := all[0]
		if n == 0 || least.next != last {
			n++
			last = least.next
		}
		more, err := least.advance()
		switch {
		case err != nil:
			return 0, err
		case more:
			heap.Fix(&all, 0)
		default:
			heap.Pop(&all)
		}
	}
	return n, nil
}

func (d *distinct) close() {
	if d.file != nil {
		_ = d.file.Close() // a temporary file, which nobody reads any more
	}
}

// valueRun is a run while it is read.
type valueRun struct {
	r     *bufio.Reader
	next  value
	entry [valueBytes]byte
}

// advance reads the next value, and returns false at the end.
func (r *valueRun) advance() (more bool, err error) {
	if _, err := io.ReadFull(r.r, r.entry[:]); err != nil {
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		return false, err
	}
	r.next = value{binary.LittleEndian.Uint64(r.entry[:8]), binary.LittleEndian.Uint64(r.entry[8:])}
	return true, nil
}

// runs is a heap: the run with the least value comes first.
type runs []*valueRun

func (r runs) Len() int           { return len(r) }
func (r runs) Less(i, j int) bool { return r[i].next.compare(r[j].next) < 0 }
func (r runs) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *runs) Push(x any)        { *r = append(*r, x.(*valueRun)) }
func (r *runs) Pop() any {
	last := (*r)[len(*r)-1]
	*r = (*r)[:len(*r)-1]
	return last
}
