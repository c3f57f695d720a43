package dedup

const usualRecall = 0.99

// bitsOf returns the width of the fingerprints of candidates.
func bitsOf(spec Spec) int {
	d, _ := spec.Candidates()
	return d.Bits
}
