//go:build race

package fphash

// guard makes each use of a value that is not safe for concurrent use visible to the race detector,
// which cannot see the writes of the kernels.
type guard struct{ uses int }

func (g *guard) entered() { g.uses++ }

// read reports a use without changes. Several such uses may be concurrent.
func (g *guard) read() {
	if g.uses < 0 {
		panic("fphash: fewer than no uses")
	}
}
