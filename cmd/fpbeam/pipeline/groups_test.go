package pipeline

import (
	"math/rand/v2"
	"testing"
)

// By first each document is a duplicate of the first kept one that is near, in whatever order pairs
// come and have their documents known.
func TestFirstIsWhatItsDefinitionSays(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	for range 200 {
		n := 2 + random.IntN(12)
		near := make([][]bool, n)
		for i := range near {
			near[i] = make([]bool, n)
		}
		var pairs [][2]int
		for range random.IntN(3 * n) {
			a, b := random.IntN(n), random.IntN(n)
			if a != b && !near[a][b] {
				near[a][b], near[b][a] = true, true
				pairs = append(pairs, [2]int{a, b})
			}
		}
		want := make([]int, n)
		for i := range want {
			want[i] = i
			for j := range i {
				if near[i][j] && want[j] == j {
					want[i] = j
					break
				}
			}
		}
		var g graph
		for _, p := range pairs {
			a, b := g.node(Position(p[0])), g.node(Position(p[1]))
			g.near[a], g.near[b] = append(g.near[a], b), append(g.near[b], a)
		}
		canonical := g.roots()
		g.first(canonical)
		for i, c := range canonical {
			if got, want := g.positions[c], Position(want[g.positions[i]]); got != want {
				t.Fatalf("pairs %v: %d is a duplicate of %d, expected %d", pairs, g.positions[i], got, want)
			}
		}
	}
}
