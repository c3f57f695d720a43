package quality

import "fmt"

// Measure puts a hash through the workload, on that many goroutines; 0 is one for each processor.
// The number does not change the result.
//
// It fails where the hash does: where New or a call returns an error, or a code is wider than the
// hash's Bits. A bad hash is no failure but a Verdict. Cost at the defaults: about 1.6 million keys
// hashed and 20 million features summed, 0.3 seconds on one core with a fast hash, and the same
// once for the ideal source of each width; some 5 MB.
func (w *Workload) Measure(h Hash, workers int) (*Result, error) {
	if err := h.check(); err != nil {
		return nil, err
	}
	ideal, err := w.ideal(h.Bits, workers)
	if err != nil {
		return nil, err
	}
	observed, err := w.observe(h.Bits, workers, func() coder { return w.coderOf(h) })
	if err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	bit := BitQuality{Random: compareRandom(observed, ideal, len(w.random))}
	bit.testBits(observed, w.keys, w.options.Keyings)
	if err := w.avalanche(&bit.Avalanche, h); err != nil {
		return nil, fmt.Errorf("quality: hash %s: %w", h.Name, err)
	}
	bit.correct(h.Bits)
	r := &Result{
		Hash: h.Name, Encoding: h.Encoding, Pattern: string(w.options.Pattern), Weights: string(w.options.Weights), Bits: h.Bits,
		Keyings: w.options.Keyings, Keys: w.keys,
		All:   w.band(observed, ideal, func(p pair) bool { return p.uniform }),
		Cos90: w.band(observed, ideal, func(p pair) bool { return p.cosine >= bandCosine }),
		Bit:   bit,
	}
	r.Verdict = judge(r)
	return r, nil
}

// seedOf is the seed of a keying.
func (w *Workload) seedOf(h Hash, keying int) uint64 {
	if !h.Seeded {
		return 0
	}
	return newRandom(w.options.Seed, forSeeds, uint64(keying)).Uint64()
}

// coderOf returns the hash's codes of all positions.
func (w *Workload) coderOf(h Hash) coder {
	keys := make([]uint64, w.keys)
	var function Codes // of the last seed, which for a hash without seeds is that of all keyings
	return func(codes []uint64, keying int) error {
		if function == nil || h.Seeded {
			var err error
			if function, err = h.New(w.seedOf(h, keying)); err != nil {
				return err
			}
		}
		w.indices(keys, keying, h.Seeded)
		return function(codes, keys)
	}
}

func (w *Workload) avalanche(d *Deviation, h Hash) error {
	if w.options.Pattern == ListedKeys { // flipping a bit of a position gives an unrelated key
		d.P = 1
		return nil
	}
	function, err := h.New(w.seedOf(h, 0))
	if err != nil {
		return err
	}
	keys := make([]uint64, w.keys)
	w.indices(keys, 0, h.Seeded)
	return d.testAvalanche(function, keys, h.Bits)
}

// ideal returns what the ideal source gives at that width; it is computed once.
func (w *Workload) ideal(bits, workers int) (*observation, error) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	if o := w.ideals[bits]; o != nil {
		return o, nil
	}
	o, err := w.observe(bits, workers, func() coder { return w.idealCoder(bits, 0) })
	if err == nil {
		o.first, o.constant = nil, nil // nothing is asked about its bits
		w.ideals[bits] = o
	}
	return o, err
}

// idealCoder returns codes of fair and independent bits: for each keying a stream of ChaCha8 of its
// own, dealt out to the positions. Other instances are independent of each other.
func (w *Workload) idealCoder(bits int, instance uint64) coder {
	return func(codes []uint64, keying int) error {
		newRandom(w.options.Seed, forIdeal, instance<<32|uint64(keying)).fill(codes)
		mask := ^uint64(0) >> (-uint(bits) % 64)
		last := codes[len(codes)-w.keys:]
		for i := range last {
			last[i] &= mask
		}
		return nil
	}
}
