//go:build race

package fphash

// guard shows the race detector every use of what is not safe for concurrent use: what the kernels
// write to it cannot see.
type guard struct{ uses int }

func (g *guard) entered() { g.uses++ }
