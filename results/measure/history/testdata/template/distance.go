package near

import "math/bits"

// Within counts the fingerprints that differ from f in k bits at most.
func Within(fingerprints []uint64, f uint64, k int) (n int) {
	for _, g := range fingerprints {
		if bits.OnesCount64(f^g) <= k {
			n++
		}
	}
	return n
}
