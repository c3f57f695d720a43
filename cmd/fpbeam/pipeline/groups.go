package pipeline

import (
	"cmp"
	"context"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"simhashkit/dedup"
)

func init() {
	register.DoFn4x0[context.Context, int, func(*Pair) bool, func(Member)](&groupsFn{})
	register.Emitter1[Member]()
	register.Iter1[Pair]()
}

// groupsFn forms the groups of all pairs, on one worker: pairs stream by, and memory is some
// hundred bytes for each document that has a near-duplicate, with By first some for each pair of
// distinct fingerprints, too.
type groupsFn struct{ By string }

func (f *groupsFn) ProcessElement(ctx context.Context, _ int, pairs func(*Pair) bool, emit func(Member)) {
	var g graph
	for p := (Pair{}); pairs(&p); {
		a, b := g.node(p.A), g.node(p.B)
		if f.By == dedup.First && !p.Copies {
			g.near[a], g.near[b] = append(g.near[a], b), append(g.near[b], a)
			continue
		}
		g.join(a, b)
	}
	canonical := g.roots()
	if f.By == dedup.First {
		g.first(canonical)
	}
	g.emit(ctx, canonical, emit)
}

// graph is documents and which of them belong together. Each is known by its number, in the order
// in which they came.
type graph struct {
	numbers   map[Position]int32
	positions []Position
	parents   []int32   // trees, whose roots are the first of their documents
	near      [][]int32 // pairs of distinct fingerprints, By first
}

func (g *graph) node(p Position) int32 {
	if g.numbers == nil {
		g.numbers = map[Position]int32{}
	}
	n, ok := g.numbers[p]
	if !ok {
		n = int32(len(g.positions))
		g.numbers[p] = n
		g.positions, g.parents, g.near = append(g.positions, p), append(g.parents, n), append(g.near, nil)
	}
	return n
}

func (g *graph) root(n int32) int32 {
	for g.parents[n] != n {
		g.parents[n] = g.parents[g.parents[n]]
		n = g.parents[n]
	}
	return n
}

func (g *graph) join(a, b int32) {
	a, b = g.root(a), g.root(b)
	if g.positions[a] > g.positions[b] {
		a, b = b, a
	}
	g.parents[b] = a
}

// roots returns the first document of the tree of each.
func (g *graph) roots() []int32 {
	canonical := make([]int32, len(g.parents))
	for n := range canonical {
		canonical[n] = g.root(int32(n))
	}
	return canonical
}

// first has each document, in their order, be kept unless one before it that is kept is near; it is
// a duplicate of the first such one. Canonical has the copies of each fingerprint under the first
// one, whose near ones are theirs, too.
func (g *graph) first(canonical []int32) {
	order := g.inOrder()
	kept := make([]int32, len(order))
	for _, n := range order {
		kept[n] = n
		for _, m := range g.near[n] {
			if g.positions[m] < g.positions[kept[n]] && kept[m] == m { // so m stands before n, too
				kept[n] = m
			}
		}
	}
	for n, copied := range canonical {
		canonical[n] = kept[copied]
	}
}

// inOrder returns all documents in the order of the inputs.
func (g *graph) inOrder() []int32 {
	order := make([]int32, len(g.positions))
	for n := range order {
		order[n] = int32(n)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Compare(g.positions[a], g.positions[b]) })
	return order
}

// emit numbers the groups by their canonical documents, as fphash dedup does.
func (g *graph) emit(ctx context.Context, canonical []int32, emit func(Member)) {
	sizes := make([]int32, len(canonical))
	for _, c := range canonical {
		sizes[c]++
	}
	order := g.inOrder()
	clusters, n := make([]int64, len(canonical)), int64(0)
	for _, i := range order {
		if sizes[i] > 1 {
			n++
			clusters[i] = n
		}
	}
	for _, i := range order {
		c := canonical[i]
		if sizes[c] == 1 {
			continue // by first, it is near none that is kept
		}
		memberCount.Inc(ctx, 1)
		if c != i {
			droppedCount.Inc(ctx, 1)
		}
		emit(Member{g.positions[i], clusters[c], c == i})
	}
	groupCount.Inc(ctx, n)
}

// groups returns the documents that have near-duplicates.
func groups(s beam.Scope, pairs beam.PCollection, by string) beam.PCollection {
	s = s.Scope("groups")
	return beam.ParDo(s, &groupsFn{By: by}, beam.GroupByKey(s, beam.AddFixedKey(s, pairs)))
}
