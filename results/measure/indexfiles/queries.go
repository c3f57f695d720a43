package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
)

const (
	queriesAtOnce = 20000 // that a sample is of
	queriesInTurn = 200   // through the file, and then as many in memory
)

// file measures a file of n fingerprints: opening it, and queries through it and in memory, in
// turn, of the same structure and with the same answers.
func (m *measurement) file(n int) error {
	e := &indexfile.Entries{Set: index.Set{Bits: 64, Words: make([]uint64, n), IDs: make([]uint64, n)}}
	for i := range n {
		e.Words[i], e.IDs[i] = splitMix64(uint64(i)), 3*uint64(i)
	}
	path := m.path("queries")
	begin := time.Now()
	if err := indexfile.Create(path, e, indexfile.Options{K: 3}); err != nil {
		return err
	}
	defer os.Remove(path)
	fmt.Fprintf(os.Stderr, "%d fingerprints written in %v\n", n, time.Since(begin).Round(time.Millisecond))
	for range m.samples {
		begin := time.Now()
		r, err := indexfile.Open(path)
		took := time.Since(begin)
		if err != nil {
			return err
		}
		r.Close()
		m.add(fmt.Sprintf("IndexFile/op=open/n=%d", n), "ns/op", 1, float64(took.Nanoseconds()))
	}
	r, err := indexfile.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	info, err := r.Info()
	if err != nil {
		return err
	}
	s, err := index.Build(&e.Set, optionsOf(info.Structure))
	if err != nil {
		return err
	}
	fmt.Fprintln(os.Stderr, "found by", info.Structure)
	return m.queries(n, r, s)
}

// optionsOf returns what builds the structure of that name.
func optionsOf(name string) index.Options {
	o := index.Options{K: 3}
	if n, _ := fmt.Sscanf(name, "tables-%d-choose-%d", &o.Design.Blocks, &o.Design.Choose); n < 2 {
		o.Structure, o.Design = name, index.Design{}
	}
	return o
}

func (m *measurement) queries(n int, r *indexfile.Reader, s index.Structure) error {
	var inFile []indexfile.Match
	var inMemory []index.Match
	file := func(q index.Query) (int, error) {
		var err error
		inFile, err = r.AppendWithin(inFile[:0], q, 3)
		return len(inFile), err
	}
	memory := func(q index.Query) (int, error) {
		var err error
		inMemory, err = s.AppendWithin(inMemory[:0], q, 3)
		return len(inMemory), err
	}
	for sample := range m.samples + 2 { // of which the first two bring all of the file to memory
		if err := context.Cause(m.ctx); err != nil {
			return err
		}
		count := queriesAtOnce
		if sample < 2 {
			count = max(count, n/20/queriesInTurn*queriesInTurn)
		}
		var tookFile, tookMemory time.Duration
		for from := 0; from < count; from += queriesInTurn {
			seed := uint64(sample)<<32 + uint64(from)
			a, took, err := ask(seed, queriesInTurn, n, file)
			if err != nil {
				return err
			}
			tookFile += took
			b, took, err := ask(seed, queriesInTurn, n, memory)
			if err != nil {
				return err
			}
			tookMemory += took
			if a != b {
				return fmt.Errorf("%d matches through the file, %d in memory", a, b)
			}
		}
		if sample >= 2 {
			m.add(fmt.Sprintf("IndexFile/op=query/in=file/n=%d", n), "ns/query", count, float64(tookFile.Nanoseconds())/float64(count))
			m.add(fmt.Sprintf("IndexFile/op=query/in=memory/n=%d", n), "ns/query", count, float64(tookMemory.Nanoseconds())/float64(count))
			m.add(fmt.Sprintf("IndexFile/op=query/n=%d", n), "file/memory", count, float64(tookFile)/float64(tookMemory))
		}
	}
	return nil
}

// ask asks so many queries, each two bits away from a stored fingerprint, and returns how many
// matches they had together.
func ask(seed uint64, count, n int, one func(index.Query) (int, error)) (matches int, took time.Duration, err error) {
	var words [1]uint64
	begin := time.Now()
	for i := range count {
		r := splitMix64(seed + uint64(i) + 1<<40)
		words[0] = splitMix64(r%uint64(n)) ^ 1<<(r>>40&63) ^ 1<<(r>>46&63)
		found, err := one(index.Query{Words: words[:]})
		if err != nil {
			return 0, 0, err
		}
		matches += found
	}
	return matches, time.Since(begin), nil
}
