//go:build race

package fphash

// guard shows the race detector every use of what is not safe for concurrent use: what the kernels
// write to it cannot see.
type guard struct{ uses int }

func (g *guard) entered() { g.uses++ }

// read shows a use that changes nothing, of which there may be several at once.
func (g *guard) read() {
	if g.uses < 0 {
		panic("fphash: fewer than no uses")
	}
}
