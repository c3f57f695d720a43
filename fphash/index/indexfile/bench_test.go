package indexfile

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"simhashkit/fphash/index"
)

// BenchmarkQuery compares queries through a file and in memory, with the same tables.
func BenchmarkQuery(b *testing.B) {
	const n = 1_000_000
	e := newEntries(&index.Set{Bits: 64}, false, n)
	for i := range uint64(n) {
		e.add(ID{Number: i}, []uint64{mix(i)})
	}
	path := filepath.Join(b.TempDir(), "a.index")
	if err := Create(context.Background(), path, e, Options{K: 3}); err != nil {
		b.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		b.Fatal(err)
	}
	defer r.Close()
	x, err := index.New(64, "", 3)
	if err == nil {
		err = x.Insert(&e.Set)
	}
	if err != nil {
		b.Fatal(err)
	}
	s := x.Snapshot()
	var matches []Match
	var inMemory []index.Match
	for name, one := range map[string]func(index.Query) error{
		"file": func(q index.Query) (err error) {
			matches, err = r.AppendWithin(matches[:0], q, 3)
			return err
		},
		"memory": func(q index.Query) (err error) {
			inMemory, err = s.AppendWithin(inMemory[:0], q, 3)
			return err
		},
	} {
		b.Run(fmt.Sprintf("in=%s/n=%d", name, n), func(b *testing.B) {
			b.ReportAllocs()
			for i := range uint64(b.N) {
				if err := one(index.Query{Words: []uint64{mix(i*7919%n) ^ 5}, Definition: e.Definition}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// mix is the first output of the SplitMix64 generator with state x.
func mix(x uint64) uint64 {
	x += 0x9E3779B97F4A7C15
	x = (x ^ x>>30) * 0xBF58476D1CE4E5B9
	x = (x ^ x>>27) * 0x94D049BB133111EB
	return x ^ x>>31
}
