package blocks_test

import (
	"context"
	"fmt"
	"log"
	"maps"
	"slices"

	"simhashkit/internal/blocks"
)

// A map replaces the engine that groups by key.
func ExampleTables() {
	tables, err := blocks.New(64, 3)
	if err != nil {
		log.Fatal(err)
	}
	type group struct {
		names []string
		words []uint64
	}
	groups := map[string]group{}
	for name, fingerprint := range map[string]uint64{
		"a": 0x0123456789abcdef, "a copy": 0x0123456789abcdef, "a near one": 0x0123456789abcdee, "a stranger": 0x89ab0123456789ab,
	} {
		for table := range tables.Len() {
			key := string(tables.AppendKey(nil, table, []uint64{fingerprint}))
			g := groups[key]
			groups[key] = group{append(g.names, name), append(g.words, fingerprint)}
		}
	}
	for _, key := range slices.Sorted(maps.Keys(groups)) {
		table, err := tables.Table([]byte(key))
		if err != nil {
			log.Fatal(err)
		}
		g := groups[key]
		for p, err := range tables.Pairs(context.Background(), table, g.words) {
			if err != nil {
				log.Fatal(err)
			}
			fmt.Printf("%q and %q differ in %d bits\n", min(g.names[p.A], g.names[p.B]), max(g.names[p.A], g.names[p.B]), p.Distance)
		}
	}
	// Unordered output:
	// "a" and "a copy" differ in 0 bits
	// "a" and "a near one" differ in 1 bits
	// "a copy" and "a near one" differ in 1 bits
}
