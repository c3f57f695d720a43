package binomial

import "math"

// Wilson returns the 95 % interval of a share that was seen in n independent cases (Wilson 1927).
func Wilson(share, n float64) (low, high float64) {
	const z = 1.959963984540054
	middle := (share + z*z/(2*n)) / (1 + z*z/n)
	half := z / (1 + z*z/n) * math.Sqrt(share*(1-share)/n+z*z/(4*n*n))
	return max(0, min(share, middle-half)), min(1, max(share, middle+half))
}
