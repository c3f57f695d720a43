//go:build !purego

package hashing

import "simhashkit/asm/cpu"

var (
	highway64Kernels  = table("highway64", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))
	highway128Kernels = table("highway128", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))
	highway256Kernels = table("highway256", cpu.KernelAt(cpu.NEON, cpu.ExtASIMD))
)

func highway64At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	sameLength(len(dst), len(keys))
	if tier != cpu.NEON {
		highway64Generic(dst, keys, key)
		return
	}
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < len(keys); i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds64) {
			dst[i+j] = pairs.ends[j].code64()
		}
	}
}

func highway128At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(2, len(dst), len(keys))
	if tier != cpu.NEON {
		highway128Generic(dst, keys, key)
		return
	}
	n := len(keys)
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < n; i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds128) {
			dst[i+j], dst[n+i+j] = pairs.ends[j].code128()
		}
	}
}

func highway256At(tier cpu.Tier, dst, keys []uint64, key *[4]uint64) {
	roomFor(4, len(dst), len(keys))
	if tier != cpu.NEON {
		highway256Generic(dst, keys, key)
		return
	}
	n := len(keys)
	var pairs highwayPairs
	pairs.start.init(key)
	for i := 0; i < n; i += 2 {
		for j := range pairs.hash(keys[i:], highwayRounds256) {
			for t := 0; t < 4; t += 2 {
				dst[t*n+i+j], dst[(t+1)*n+i+j] = pairs.ends[j].code256(t)
			}
		}
	}
}

// highwayPairs hashes two keys at a time.
type highwayPairs struct {
	start highwayState
	ends  [2]highwayState
}

// hash leaves in ends the states of the first two keys, or of the only one that is left, and
// returns how many these are.
func (p *highwayPairs) hash(keys []uint64, rounds int) int {
	n := min(2, len(keys))
	pair := [2]uint64{keys[0], keys[n-1]}
	highwayNEON(&p.ends, &pair, &p.start, rounds)
	return n
}
