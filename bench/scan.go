package bench

import (
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/fphash"
	"simhashkit/internal/bench/naive"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

const (
	scanDistance = naive.K // k in all scans
	bytesOfOne   = 8       // size of a fingerprint
)

// scanOf scans fingerprints for those near a query.
type scanOf struct {
	sizes   []int // numbers of fingerprints
	kernels pick
	queries int // in a pass; 0: one
}

func (p scanOf) addTo(g *grid) error {
	table, others := hamming.Kernels("scan"), []string{terms.Naive}
	queries := ""
	if p.queries > 0 {
		others = nil // there is no naive loop for several queries
		queries = strconv.Itoa(p.queries)
	}
	for _, n := range p.sizes {
		for _, v := range g.variants(p.kernels, table, others...) {
			g.put(timedCase{
				Name: benchname.New(terms.HammingScan, "layout", "plain", "f", "64", "k", strconv.Itoa(scanDistance), "kernel", v.kernel, "queries", queries, "n", strconv.Itoa(n)),
				Unit: terms.MegabytesPerSecond,
				tier: v.tier,
				prepare: func(in *inputs) (*trial, error) {
					c, err := collectionOf(in, n)
					switch {
					case err != nil:
						return nil, err
					case p.queries > 0:
						return batchScanTrial(in, c, p.queries)
					case v.kernel == terms.Naive:
						return naiveScanTrial(c), nil
					}
					return scanTrial(c, hamming.AppendWithin), nil
				},
			})
		}
	}
	return nil
}

// collection holds 64-bit fingerprints, some of which are near the query.
type collection struct {
	fingerprints []uint64
	query        uint64
	near         []hamming.Match // fingerprints within scanDistance of query
}

// collectionOf returns n random fingerprints, 10 of which are planted near the query, or one if n
// is at most 10^4. None is near by chance.
func collectionOf(in *inputs, n int) (*collection, error) {
	return kept(in, "collection "+strconv.Itoa(n), func() (*collection, error) {
		c := &collection{fingerprints: randomWords(3, n), query: randomWords(4, 1)[0]}
		planted := 10
		if n <= 10_000 {
			planted = 1
		}
		for i := range planted {
			place, distance := (2*i+1)*n/(2*planted), i%(scanDistance+1)
			c.fingerprints[place] = c.query
			for b := range distance {
				c.fingerprints[place] ^= 1 << (20*b + i)
			}
			c.near = append(c.near, hamming.Match{Index: place, Distance: distance})
		}
		return c, nil
	})
}

// matchTrial times search and verifies that it finds want. per is the number of bytes that search
// reads.
func matchTrial[M comparable](per int, want []M, search func(dst []M) []M) *trial {
	var found []M
	return &trial{
		per: per,
		loop: func(times int) {
			for range times {
				found = search(found[:0])
				sink += uint64(len(found))
			}
		},
		verify: func() error {
			if found = search(found[:0]); !slices.Equal(found, want) {
				return fmt.Errorf("wrong answer: found %v, expected %v", found, want)
			}
			return nil
		},
	}
}

func scanTrial(c *collection, appendWithin func(dst []hamming.Match, fingerprints, query []uint64, k int) []hamming.Match) *trial {
	query := []uint64{c.query}
	return matchTrial(bytesOfOne*len(c.fingerprints), c.near, func(dst []hamming.Match) []hamming.Match {
		return appendWithin(dst, c.fingerprints, query, scanDistance)
	})
}

func naiveScanTrial(c *collection) *trial {
	var places []int32
	return scanTrial(c, func(dst []hamming.Match, fingerprints, query []uint64, _ int) []hamming.Match {
		places, _ = naive.Scan(fingerprints).AppendWithin(places[:0], query[0])
		for _, i := range places {
			dst = append(dst, hamming.Match{Index: int(i), Distance: bits.OnesCount64(fingerprints[i] ^ query[0])})
		}
		return dst
	})
}

// batchScanTrial searches for many queries in one pass. In MB/s, each query counts as one pass.
func batchScanTrial(in *inputs, c *collection, queries int) (*trial, error) {
	list := randomWords(6, queries)
	list[queries/2] = c.query
	name := fmt.Sprintf("near %d queries among %d", queries, len(c.fingerprints))
	near, err := kept(in, name, func() (near []hamming.QueryMatch, err error) {
		for q := range list {
			for i := range c.fingerprints {
				if d := fphash.Distance(c.fingerprints[i:i+1], list[q:q+1]); d <= scanDistance {
					near = append(near, hamming.QueryMatch{Query: q, Match: hamming.Match{Index: i, Distance: d}})
				}
			}
		}
		return near, nil
	})
	if err != nil {
		return nil, err
	}
	return matchTrial(bytesOfOne*len(c.fingerprints)*queries, near, func(dst []hamming.QueryMatch) []hamming.QueryMatch {
		return hamming.AppendWithinBatch(dst, c.fingerprints, list, 1, scanDistance)
	}), nil
}

// readOf reads memory, which bounds the speed of a scan. Its values are numbers of fingerprints.
type readOf []int

func (p readOf) addTo(g *grid) error {
	if len(g.Kernels) > 0 {
		return nil // MemoryRead has no kernels to select
	}
	for _, n := range p {
		g.put(timedCase{
			Name: benchname.New(terms.MemoryRead, "n", strconv.Itoa(n)),
			Unit: terms.MegabytesPerSecond,
			tier: cpu.Active(),
			prepare: func(in *inputs) (*trial, error) {
				c, err := collectionOf(in, n)
				if err != nil {
					return nil, err
				}
				return readTrial(c), nil
			},
		})
	}
	return nil
}

func readTrial(c *collection) *trial {
	return &trial{
		per: bytesOfOne * len(c.fingerprints),
		loop: func(times int) {
			for range times {
				sink ^= hamming.Read(c.fingerprints)
			}
		},
		verify: func() error {
			var want uint64
			for _, f := range c.fingerprints {
				want ^= f
			}
			if got := hamming.Read(c.fingerprints); got != want {
				return wrongAnswer{"exclusive or of all", got, want}
			}
			return nil
		},
	}
}
