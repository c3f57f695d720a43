package bench

import (
	"simhashkit/asm/cpu"
	"simhashkit/bench/benchname"
)

// What is measured: the first part of a case's name.
const (
	Hash        = "Hash"        // keys in, codes out
	Accumulate  = "Accumulate"  // codes and weights in, fingerprint out
	Sketch      = "Sketch"      // indices and weights in, fingerprint out
	HammingScan = "HammingScan" // one query against n fingerprints
	MemoryRead  = "MemoryRead"  // reading n fingerprints and nothing else: the roof of HammingScan
)

// Units of the figures.
const (
	NanosecondsPerKey     = "ns/key"
	NanosecondsPerFeature = "ns/nnz"
	MegabytesPerSecond    = "MB/s" // 10^6 bytes; 8 bytes a fingerprint of 64 bits, whatever is read
)

// Case is one thing to be timed.
type Case struct {
	Name benchname.Name
	Unit string

	tier    cpu.Tier // caps all ops while the case runs
	prepare func(*Inputs) (*trial, error)
}

// trial is a case that is ready to run.
type trial struct {
	loop   func(n int)  // performs n operations
	per    int          // keys, features or bytes that one operation handles
	verify func() error // compares the answers of the case with what they must be

	parallel bool // loop starts goroutines
}

// enter caps the tier at the case's; leave puts back what was before.
func (c Case) enter() (leave func(), err error) {
	former, err := cpu.SetTier(c.tier)
	if err != nil {
		return nil, err
	}
	// The former tier was in force, so it can be set again.
	return func() { _, _ = cpu.SetTier(former) }, nil
}

// ready prepares the case and checks its answers at its tier.
func (c Case) ready(in *Inputs) (*trial, error) {
	leave, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	t, err := c.prepare(in)
	if err != nil {
		return nil, err
	}
	return t, t.verify()
}

// sink receives what the loops compute, so that no compiler can leave them out.
var sink uint64
