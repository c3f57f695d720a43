package quality

import "math/bits"

const avalancheKeys = 512

// testAvalanche flips each bit of some of the keys and counts which bits of the code change.
func (a *Avalanche) testAvalanche(code Codes, keys []uint64, width int) error {
	n := min(len(keys), avalancheKeys)
	if width > manyBits {
		n = min(n, leastKeys)
	}
	flipped := make([]uint64, 0, 65*n)
	for i := range n {
		flipped = append(flipped, keys[i*len(keys)/n])
	}
	for bit := range 64 {
		for _, k := range flipped[:n] {
			flipped = append(flipped, k^1<<bit)
		}
	}
	codes := make([]uint64, len(flipped)*wordsOf(width))
	if err := code(codes, flipped); err != nil {
		return err
	}
	a.Keys = n
	for bit := range a.Flips {
		a.Flips[bit] = make([]uint32, width)
	}
	for t := range wordsOf(width) {
		word := codes[t*len(flipped) : (t+1)*len(flipped)]
		for i, plain := range word[:n] {
			for bit := range 64 {
				for d := plain ^ word[(bit+1)*n+i]; d != 0; d &= d - 1 {
					a.Flips[bit][64*t+bits.TrailingZeros64(d)]++
				}
			}
		}
	}
	for bit := range a.Flips {
		for j, count := range a.Flips[bit] {
			a.Deviation.test(int(count), n, 1, bit, j)
		}
	}
	return nil
}
