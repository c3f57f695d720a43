package index

import (
	"fmt"

	"simhashkit/asm/hamming"
)

// postings has a list for each bit of the fingerprints that have it, one bit each, and counts for
// all fingerprints at a time in how many lists they differ from the query.
type postings struct {
	*scan                   // which answers batches: whole fingerprints stay in the cache for all queries
	lists []*hamming.Planes // of postingsRoom fingerprints each
}

// postingsRoom is how many fingerprints are counted before what was found is looked at.
const postingsRoom = scanRoom

func newPostings(set *Set) (*postings, error) {
	if set.Bits%64 != 0 || set.Bits > 256 {
		return nil, fmt.Errorf("index: postings of %d bits, expected 64, 128, 192 or 256", set.Bits)
	}
	p, w := &postings{scan: newScan(set)}, set.Stride()
	for from := 0; from < set.Len(); from += postingsRoom {
		lists, to := hamming.NewPlanes(set.Bits), min(from+postingsRoom, set.Len())
		lists.Grow(to - from)
		lists.Append(set.Words[from*w : to*w]...)
		p.lists = append(p.lists, lists)
	}
	return p, nil
}

func (p *postings) Name() string { return "postings" }

func (p *postings) Bytes() int64 { return postingsBytes(p.scan.set) }

// postingsBytes returns what whole blocks of 512 fingerprints need.
func postingsBytes(set *Set) int64 { return int64((set.Len()+511)/512) * 64 * int64(set.Bits) }

func (p *postings) AppendWithin(dst []Match, query Query, k int) ([]Match, error) {
	queries := [1]Query{query}
	if err := checkAll(p, queries[:], k); err != nil {
		return dst, err
	}
	r := results{one: dst}
	p.one(&r, 0, &queries[0], k)
	return r.one, nil
}

func (p *postings) one(r *results, query int, q *Query, k int) {
	room := founds.Get().(*found)
	for i, lists := range p.lists {
		room.list = lists.AppendWithin(room.list[:0], q.Words, k)
		r.addAll(p.scan.set, query, q, room.list, i*postingsRoom)
	}
	founds.Put(room)
}
