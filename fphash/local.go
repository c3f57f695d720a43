package fphash

// AnySketcher is a *Sketcher or a *LocalSketcher.
type AnySketcher interface{ shared() *Sketcher }

// LocalSketcher is a Sketcher with buffers of its own, for one goroutine at a time: what Sketcher
// says, but for its safety in concurrent use, and without its cost of some 10 ns a call.
//
// Used by two goroutines at once it gives wrong fingerprints. The race detector sees that, and
// go vet sees copies. Make one for each goroutine by [Sketcher.Local].
type LocalSketcher struct {
	*Sketcher
	own *buffers

	noCopy noCopy
}

// Local returns a LocalSketcher of the same definition. Cost: the buffers.
func (s *Sketcher) Local() *LocalSketcher {
	return &LocalSketcher{Sketcher: s, own: newBuffers(s.shared().definition, s.workers)}
}

// shared returns s. It panics for what New has not made.
func (s *Sketcher) shared() *Sketcher {
	if s == nil || s.definition == nil {
		panic(notMade)
	}
	return s
}

func (s *LocalSketcher) shared() *Sketcher {
	if s == nil || s.own == nil {
		panic(notMade)
	}
	return s.Sketcher
}

// made returns the Sketcher of s. It panics for what New has not made.
func made(s AnySketcher) *Sketcher {
	if s == nil {
		panic(notMade)
	}
	return s.shared()
}

const notMade = "fphash: a Sketcher that New has not made"

// noCopy makes go vet report copies.
type noCopy struct{}

func (*noCopy) Lock()   {}
func (*noCopy) Unlock() {}
