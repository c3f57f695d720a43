//go:build race

package fphash

// guard makes every use of a value that is not safe for concurrent use visible to the race
// detector, which cannot see what the kernels write.
type guard struct{ uses int }

func (g *guard) entered() { g.uses++ }

// read reports a use that changes nothing. Several such uses may happen at once.
func (g *guard) read() {
	if g.uses < 0 {
		panic("fphash: fewer than no uses")
	}
}
