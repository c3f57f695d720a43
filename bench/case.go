package bench

import (
	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/benchname"
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
	loop     func(n int)  // performs n operations
	per      int          // keys, features or bytes that one operation handles
	verify   func() error // compares the answers of the case with what they must be
	parallel bool         // loop starts goroutines
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

// sink receives the results of the loops, so that the compiler cannot remove them.
var sink uint64
