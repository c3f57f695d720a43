package bench

import (
	"fmt"
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/cpu"
	"simhashkit/bench/quality"
	"simhashkit/datasets"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// mostBytes is the size above which a method is not built. Its row says how much it would need.
const mostBytes int64 = 2 << 30

// methodFeatures is the number of features of the vectors of the sketch methods.
const methodFeatures = 100

// projection is a way to sketch a vector with a matrix of hyperplanes or without one.
type projection struct {
	method string
	bytes  int // stored for each dimension
	make   func(dimensions int) naive.Projection
	kernel bool // uses the kernels of package accumulate
}

var projections = []projection{
	{method: terms.Gaussian, bytes: naive.GaussianBytes, make: func(d int) naive.Projection { return naive.NewGaussian(d, 1) }},
	{method: terms.Signs, bytes: naive.SignsBytes, make: func(d int) naive.Projection { return naive.Codes(naive.NewSigns(d, 1).Code) }},
	{method: terms.Signs, bytes: naive.SignsBytes, kernel: true, make: func(d int) naive.Projection { return &kernelCodes{Codes: naive.NewSigns(d, 1).Code} }},
	{method: terms.Functions, make: func(int) naive.Projection { return naive.Codes(naive.FunctionsCode) }},
	{method: terms.Naive, make: func(int) naive.Projection { return naive.Codes(naive.HashCode) }},
}

// kernelCodes adds codes with a kernel.
type kernelCodes struct {
	naive.Codes
	codes []uint64
}

func (k *kernelCodes) Sketch64(indices []uint64, weights []float32) uint64 {
	k.codes = k.codes[:0]
	for _, i := range indices {
		k.codes = append(k.codes, k.Codes(i))
	}
	return accumulate.SketchF32(k.codes, weights).Positive
}

// projectOf sketches with each projection. Its values are numbers of dimensions, for the stored
// matrices.
type projectOf []int

func (p projectOf) addTo(g *grid) error {
	if len(g.Kernels)+len(g.Hashes) > 0 {
		return nil // the request is for kernels or hashes
	}
	for _, m := range projections {
		dimensions := []int(p)
		if m.bytes == 0 {
			dimensions = []int{0}
		}
		variants := []variant{{"", cpu.Active()}}
		if m.kernel {
			variants = g.variants(fastest, accumulate.Kernels(datasets.Float32))
		}
		for _, d := range dimensions {
			for _, v := range variants {
				number := ""
				if d > 0 {
					number = strconv.Itoa(d)
				}
				g.put(timedCase{
					Name: benchname.New(terms.Sketch, "method", m.method, "dimensions", number, "weights", datasets.Float32, "f", "64", "kernel", v.kernel, "nnz", strconv.Itoa(methodFeatures)),
					Unit: terms.NanosecondsPerFeature,
					tier: v.tier,
					prepare: func(in *inputs) (*trial, error) {
						return projectionTrial(in, m, d)
					},
				})
			}
		}
	}
	return nil
}

func projectionTrial(in *inputs, m projection, dimensions int) (*trial, error) {
	t := &trial{per: methodFeatures, facts: []fact{{terms.BytesStored, float64(m.bytes) * float64(dimensions)}}}
	if int64(m.bytes)*int64(dimensions) > mostBytes {
		return t, nil
	}
	s := sketchCase{weights: datasets.Float32, nnz: strconv.Itoa(methodFeatures)}
	plain, err := vectorsOf[float32](s, in)
	if err != nil {
		return nil, err
	}
	v := *plain
	if dimensions > 0 {
		v.indices = slices.Clone(plain.indices)
		for i := range v.indices {
			high, _ := bits.Mul64(v.indices[i], uint64(dimensions))
			v.indices[i] = high
		}
	}
	way := m.make(dimensions)
	next := 0
	t.loop = func(times int) {
		for range times {
			indices, weights := v.at(next)
			if next++; next == v.count() {
				next = 0
			}
			sink ^= way.Sketch64(indices, weights)
		}
	}
	t.verify = func() error {
		for i := range min(v.count(), 50) {
			indices, weights := v.at(i)
			if err := checkSigns(way.Sketch64(indices, weights), indices, weights, way.Entry); err != nil {
				return fmt.Errorf("vector %d: %w", i, err)
			}
		}
		return nil
	}
	return t, nil
}

// checkSigns compares a fingerprint with dot products in float64. It accepts both signs of dot
// products that float32 cannot tell from 0.
func checkSigns(fingerprint uint64, indices []uint64, weights []float32, entry func(i uint64, j int) float64) error {
	for j := range 64 {
		dot, size := 0.0, 0.0
		for i, index := range indices {
			product := float64(weights[i]) * entry(index, j)
			dot, size = dot+product, size+math.Abs(product)
		}
		if unsure := size * 1e-6; math.Abs(dot) > unsure && (dot > 0) != (fingerprint>>j&1 == 1) {
			return fmt.Errorf("wrong answer: bit %d of %016x is not the sign of %v", j, fingerprint, dot)
		}
	}
	return nil
}

// distancePairs is the number of pairs that are compared in turn.
const distancePairs = 4096

// compareOf compares two fingerprints in each way. Its values are numbers of differing bits.
type compareOf []int

func (p compareOf) addTo(g *grid) error {
	if len(g.Kernels)+len(g.Hashes) > 0 {
		return nil
	}
	for _, m := range []string{terms.Strings, terms.Clearing, terms.Count} {
		for _, d := range p {
			g.put(timedCase{
				Name: benchname.New(terms.Distance, "method", m, "f", "64", "differing", strconv.Itoa(d)),
				Unit: terms.NanosecondsPerComparison,
				tier: cpu.Active(),
				prepare: func(*inputs) (*trial, error) {
					return distanceTrial(m, d), nil
				},
			})
		}
	}
	return nil
}

func distanceTrial(method string, differing int) *trial {
	a, b := randomWords(8, distancePairs), make([]uint64, distancePairs)
	var texts [2][]string
	random := rand.New(rand.NewPCG(1, 2))
	for i := range a {
		b[i] = a[i]
		for _, j := range random.Perm(64)[:differing] {
			b[i] ^= 1 << j
		}
		texts[0], texts[1] = append(texts[0], fmt.Sprintf("%064b", a[i])), append(texts[1], fmt.Sprintf("%064b", b[i]))
	}
	// A pass is a loop of its own, so that the compiler can inline the way to compare.
	pass := func() (sum int) {
		switch method {
		case terms.Strings:
			for i := range texts[0] {
				sum += naive.DistanceOfStrings(texts[0][i], texts[1][i])
			}
		case terms.Clearing:
			for i := range a {
				sum += naive.DistanceByClearing(a[i], b[i])
			}
		default:
			for i := range a {
				sum += bits.OnesCount64(a[i] ^ b[i])
			}
		}
		return sum
	}
	return &trial{
		per: distancePairs,
		loop: func(times int) {
			for range times {
				sink += uint64(pass())
			}
		},
		verify: func() error {
			if got := pass(); got != differing*distancePairs {
				return wrongAnswer{"sum of the distances", uint64(got), uint64(differing * distancePairs)}
			}
			return nil
		},
	}
}

// searchMethod is a way to find all fingerprints within 3 bits.
type searchMethod struct {
	name   string
	keys   []string // further keys of the name, with their values
	exact  bool     // finds all matches
	bytes  int      // about what an entry needs
	build  func(fingerprints []uint64) (naive.Searcher, error)
	counts bool // counts its candidates
}

func built[S naive.Searcher](build func([]uint64) S) func([]uint64) (naive.Searcher, error) {
	return func(f []uint64) (naive.Searcher, error) { return build(f), nil }
}

func manku(blocks, tables int) searchMethod {
	return searchMethod{"manku", []string{"tables", strconv.Itoa(tables)}, true, 16 * tables, built(func(f []uint64) *naive.Manku { return naive.NewManku(f, blocks) }), true}
}

func permutations(n int) searchMethod {
	return searchMethod{"permutations", []string{"permutations", strconv.Itoa(n)}, false, 16 * n, built(func(f []uint64) *naive.Permutations { return naive.NewPermutations(f, n, 20) }), true}
}

var searchMethods = []searchMethod{
	{"scan", nil, true, 8, built(func(f []uint64) naive.Scan { return f }), true},
	{"postings", nil, true, 8, built(naive.NewPostings), true},
	{"neighbours", nil, true, 40, built(naive.NewNeighbours), true},
	{"blocks", nil, true, 24, built(naive.NewBlocks), true},
	manku(5, 10), manku(6, 20), permutations(10), permutations(100),
	{"index", nil, true, 60, newIndexSearcher, false},
}

// indexSearcher is the index of package fphash/index, behind the interface of the simple methods.
type indexSearcher struct {
	*index.Snapshot
	matches []index.Match
}

func newIndexSearcher(fingerprints []uint64) (naive.Searcher, error) {
	x, err := index.New(64, "", naive.K)
	if err == nil {
		err = x.Insert(&index.Set{Bits: 64, Words: fingerprints})
	}
	if err != nil {
		return nil, err
	}
	return &indexSearcher{Snapshot: x.Snapshot()}, nil
}

func (x *indexSearcher) AppendWithin(dst []int32, query uint64) ([]int32, int) {
	x.matches, _ = x.Snapshot.AppendWithin(x.matches[:0], index.Query{Words: []uint64{query}}, naive.K) // the query has the right width
	for _, m := range x.matches {
		dst = append(dst, int32(m.Position))
	}
	return dst, 0
}

func (x *indexSearcher) Bytes() int { return int(x.Snapshot.Bytes()) }

// allFingerprints is the value of n= in searches of the fingerprints of a data set.
const allFingerprints = "all"

// searchOf searches collections of random fingerprints, or those of the data set.
type searchOf struct {
	sizes   []int
	methods []string // if empty, all
	data    bool     // use the data set instead of sizes
}

func (p searchOf) addTo(g *grid) error {
	if len(g.Kernels)+len(g.Hashes) > 0 {
		return nil
	}
	sizes := namesOf(p.sizes, strconv.Itoa)
	data := ""
	if p.data {
		if g.Data == "" {
			return nil
		}
		data, sizes = g.Data, []string{allFingerprints}
	}
	for _, m := range searchMethods {
		if len(p.methods) > 0 && !slices.Contains(p.methods, m.name) {
			continue
		}
		for _, n := range sizes {
			parts := append([]string{"method", m.name, "f", "64", "k", strconv.Itoa(naive.K)}, m.keys...)
			g.put(timedCase{
				Name: benchname.New(terms.Search, append(parts, "data", data, "n", n)...),
				Unit: terms.NanosecondsPerQuery,
				tier: cpu.Active(),
				prepare: func(in *inputs) (*trial, error) {
					c, err := searchedOf(in, n)
					if err != nil {
						return nil, err
					}
					return searchTrial(c, m)
				},
			})
		}
	}
	return nil
}

// searched is a collection with queries and their matches.
type searched struct {
	fingerprints, queries []uint64
	matches               [][]int32 // of each query, in ascending order
}

const searchQueries = 256

// searchedOf returns n random fingerprints, or those of the data set. Half of the queries are
// random or entries, and the others are entries of which three bits differ.
func searchedOf(in *inputs, n string) (*searched, error) {
	return kept(in, "searched "+n, func() (*searched, error) {
		c := &searched{}
		if n == allFingerprints {
			if in.data == nil {
				return nil, fmt.Errorf("bench: there is no data set")
			}
			s, err := fphash.New(fphash.Definition{Float32: true})
			if err != nil {
				return nil, err
			}
			set := in.data.whole
			weights, err := weightsOfData[float32](in.data.Name, set)
			if err != nil {
				return nil, err
			}
			if c.fingerprints, _, err = fphash.AppendBatch(s, nil, nil, set.Offsets, set.Indices, weights); err != nil {
				return nil, err
			}
		} else {
			count, err := strconv.Atoi(n)
			if err != nil {
				return nil, err
			}
			c.fingerprints = randomWords(9, count)
		}
		random := rand.New(rand.NewPCG(9, 9))
		for i := range searchQueries {
			query := c.fingerprints[random.IntN(len(c.fingerprints))]
			if i%2 == 0 {
				for _, j := range random.Perm(64)[:naive.K] {
					query ^= 1 << j
				}
			} else if n != allFingerprints {
				query = random.Uint64()
			}
			c.queries = append(c.queries, query)
			near, _ := naive.Scan(c.fingerprints).AppendWithin(nil, query)
			c.matches = append(c.matches, near)
		}
		return c, nil
	})
}

func searchTrial(c *searched, m searchMethod) (*trial, error) {
	n := len(c.fingerprints)
	t := &trial{per: 1}
	if int64(n)*int64(m.bytes) > mostBytes {
		t.facts = []fact{{terms.BytesPerEntry, float64(m.bytes)}}
		return t, nil
	}
	start := time.Now()
	s, err := m.build(c.fingerprints)
	if err != nil {
		return nil, err
	}
	took := time.Since(start)
	var found []int32
	next := 0
	t.loop = func(times int) {
		for range times {
			found, _ = s.AppendWithin(found[:0], c.queries[next])
			sink += uint64(len(found))
			next = (next + 1) % len(c.queries)
		}
	}
	t.verify = func() error {
		candidates, wanted, got := 0, 0, 0
		for i, query := range c.queries {
			var looked int
			found, looked = s.AppendWithin(found[:0], query)
			slices.Sort(found)
			found = slices.Compact(found)
			for _, p := range found {
				if _, near := slices.BinarySearch(c.matches[i], p); !near {
					return fmt.Errorf("wrong answer: query %016x: position %d is not within %d bits", query, p, naive.K)
				}
			}
			if m.exact && len(found) != len(c.matches[i]) {
				return fmt.Errorf("wrong answer: query %016x: %d matches, expected %d", query, len(found), len(c.matches[i]))
			}
			candidates, wanted, got = candidates+looked, wanted+len(c.matches[i]), got+len(found)
		}
		t.facts = []fact{{terms.BytesPerEntry, float64(s.Bytes()) / float64(n)}, {terms.BuildPerEntry, float64(took.Nanoseconds()) / float64(n)}}
		if m.counts {
			t.facts = append(t.facts, fact{terms.CandidatesPerQuery, float64(candidates) / float64(len(c.queries))})
		}
		if !m.exact {
			t.facts = append(t.facts, fact{terms.Recall, float64(got) / float64(wanted)})
		}
		return nil
	}
	return t, nil
}

// exactUnit reports whether the values of a case in the unit are the same in every run.
func exactUnit(name, unit string) bool {
	return strings.HasPrefix(name, terms.Quality+"/") || terms.Fact(unit) && unit != terms.BuildPerEntry
}

// methodHash returns a way to sketch for package quality. It draws or computes the entries of each
// key anew, since a workload has fewer than 20,000 keys.
func methodHash(method string) quality.Hash {
	h := quality.Hash{Name: method, Bits: 64, Seeded: true}
	var fill func(dst, keys []uint64, seed uint64)
	switch method {
	case terms.Signs:
		fill = func(dst, keys []uint64, seed uint64) { copy(dst, naive.NewSigns(len(keys), seed).Rows) }
	case terms.Gaussian:
		h.Entries = func(seed uint64, n, _ int) (list []float32) {
			for _, row := range naive.NewGaussian(n, seed).Rows {
				list = append(list, row[:]...)
			}
			return list
		}
		fill = func(dst, keys []uint64, seed uint64) {
			clear(dst)
			for at, entry := range h.Entries(seed, len(keys), 64) {
				if entry > 0 {
					dst[at/64] |= 1 << (at % 64)
				}
			}
		}
	default:
		fill = func(dst, keys []uint64, seed uint64) {
			for i, k := range keys {
				if method == terms.Functions {
					dst[i] = naive.FunctionsCode(k ^ naive.Hash(seed, 1))
				} else {
					dst[i] = naive.Hash(k, seed)
				}
			}
		}
	}
	h.New = func(seed uint64) (quality.Codes, error) {
		return func(dst, keys []uint64) error { fill(dst, keys, seed); return nil }, nil
	}
	return h
}

// sketchMethods are the ways to sketch whose quality is computed.
var sketchMethods = []string{terms.Gaussian, terms.Signs, terms.Functions, terms.Naive}
