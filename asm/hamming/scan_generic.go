package hamming

import "math/bits"

func appendWithinGeneric(dst []Match, fingerprints, query []uint64, k int) []Match {
	if len(query) == 1 {
		return appendWithin64Generic(dst, fingerprints, query[0], k)
	}
	words := len(query)
	for i := 0; i < len(fingerprints); i += words {
		if d := Distance(fingerprints[i:i+words], query); d <= k {
			dst = append(dst, Match{i / words, d})
		}
	}
	return dst
}

func appendWithin64Generic(dst []Match, fingerprints []uint64, query uint64, k int) []Match {
	i := 0
	for ; i+4 <= len(fingerprints); i += 4 {
		f := (*[4]uint64)(fingerprints[i:])
		d0, d1 := bits.OnesCount64(f[0]^query), bits.OnesCount64(f[1]^query)
		d2, d3 := bits.OnesCount64(f[2]^query), bits.OnesCount64(f[3]^query)
		if min(d0, d1, d2, d3) > k {
			continue
		}
		for j, d := range [...]int{d0, d1, d2, d3} {
			if d <= k {
				dst = append(dst, Match{i + j, d})
			}
		}
	}
	for ; i < len(fingerprints); i++ {
		if d := bits.OnesCount64(fingerprints[i] ^ query); d <= k {
			dst = append(dst, Match{i, d})
		}
	}
	return dst
}
