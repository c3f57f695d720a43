package quality

import "math/bits"

const avalancheKeys = 512

// testAvalanche flips each bit of some of the keys and tests how often each bit of the code
// changes.
func (d *Deviation) testAvalanche(code Codes, keys []uint64, width int) error {
	flips, n, err := countFlips(code, keys, width)
	if err != nil {
		return err
	}
	for _, changes := range flips {
		for _, count := range changes {
			d.test(count, n, 1)
		}
	}
	return nil
}

// countFlips returns for each bit of the key and each of the code how many codes change in that
// bit, and of how many keys.
func countFlips(code Codes, keys []uint64, width int) (flips [64][]int, n int, err error) {
	n = min(len(keys), avalancheKeys)
	if width > manyBits {
		n = min(n, leastKeys)
	}
	flipped := make([]uint64, 0, 65*n)
	for i := range n {
		flipped = append(flipped, keys[i*len(keys)/n])
	}
	for bit := range 64 {
		flips[bit] = make([]int, width)
		for _, k := range flipped[:n] {
			flipped = append(flipped, k^1<<bit)
		}
	}
	codes := make([]uint64, len(flipped)*wordsOf(width))
	if err := code(codes, flipped); err != nil {
		return flips, n, err
	}
	for t := range wordsOf(width) {
		word := codes[t*len(flipped) : (t+1)*len(flipped)]
		for i, plain := range word[:n] {
			for bit := range 64 {
				for d := plain ^ word[(bit+1)*n+i]; d != 0; d &= d - 1 {
					flips[bit][64*t+bits.TrailingZeros64(d)]++
				}
			}
		}
	}
	return flips, n, nil
}
