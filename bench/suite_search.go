package bench

import "simhashkit/bench/terms"

// The structures that are measured of all.
var (
	searchTables = []string{terms.Blocks, "manku4", "manku10", "manku16", "manku20"}
	// those that answer for every width and distance
	anySearch = []string{terms.Scan, terms.Postings, terms.Blocks, terms.Auto}
	// those that find room for 5·10^7 fingerprints in 8 GB
	hugeSearch = []string{terms.Scan, "split", terms.Postings, terms.Blocks, "manku10", terms.Auto}
)

const (
	searchMemory   = 8 << 30 // that auto may use
	queriesOfBatch = 1000
	scannedPairs   = 100_000 // up to which all are compared with all: 5 s of work for one core
)

// searchParts say which structure is good for what: how fast it is built, asked and joined, at
// three sizes, and at other distances and widths for those that have such.
func searchParts() []part {
	var parts []part
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		parts = append(parts, searchesOf(n, terms.Indexes)...)
	}
	for _, k := range []int{0, 5, 8} {
		indexes := anySearch
		if k < scanDistance {
			indexes = terms.Indexes
		}
		parts = append(parts, searchesAt(64, k, indexes)...)
	}
	return append(parts, searchesAt(128, scanDistance, anySearch)...)
}

// largeSearches are collections that no cache holds, of which only joins take more than 8 GB.
func largeSearches() []part {
	parts := append(searchesOf(10_000_000, terms.Indexes), searchesOf(50_000_000, hugeSearch)...)
	return append(parts, part{kind: terms.AllPairs, kernels: fastest, indexes: []string{terms.Blocks}, bits: []int{64}, distances: []int{scanDistance}, sizes: []int{100_000_000}, cpus: []int{0, 2}})
}

// searchesOf are all operations on n fingerprints of 64 bits, with the memory that they wait for.
func searchesOf(n int, indexes []string) []part {
	usual := part{kernels: fastest, indexes: indexes, bits: []int{64}, distances: []int{scanDistance}, sizes: []int{n}}
	build, query, batch, pairs, groups, skewed := usual, usual, usual, usual, usual, usual
	build.kind, build.cpus = terms.Build, []int{0, 2}
	query.kind = terms.Query
	batch.kind, batch.queries = terms.Query, queriesOfBatch
	pairs.kind, pairs.cpus, pairs.indexes = terms.AllPairs, []int{0, 2}, []string{terms.Blocks}
	groups.kind, groups.indexes = terms.Groups, []string{terms.Blocks}
	skewed.kind, skewed.indexes, skewed.skewed = terms.Groups, []string{terms.Blocks}, true
	parts := []part{{kind: terms.MemoryLatency, sizes: []int{n}}, build, query, batch, pairs}
	if n <= scannedPairs {
		pairs.cpus, pairs.indexes = nil, []string{terms.Scan}
		parts = append(parts, pairs)
	}
	return append(parts, groups, skewed)
}

// searchesAt are queries and joins of 10^6 fingerprints of another width, or at another distance.
func searchesAt(bits, k int, indexes []string) []part {
	usual := part{kernels: fastest, indexes: indexes, bits: []int{bits}, distances: []int{k}, sizes: []int{1_000_000}}
	build, query, pairs := usual, usual, usual
	build.kind = terms.Build
	query.kind = terms.Query
	pairs.kind, pairs.indexes = terms.AllPairs, []string{terms.Blocks}
	return []part{build, query, pairs}
}
