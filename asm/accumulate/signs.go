package accumulate

import "math"

// The sign steps below have no branch on a lane's value: signs are as random as the codes, and a
// predictor that misses half of them costs more than all the arithmetic. Ties and sums that are not
// finite are rare, so the loop only finds out whether there is any, and a second loop says where.

// SignsI64 takes the signs of integer lanes; none is ever non-finite.
func SignsI64(lanes *[64]int64) Signs {
	var s Signs
	rare := false
	for j, v := range lanes {
		s.Positive |= uint64(^v&-v) >> 63 << j
		rare = rare || v == 0
	}
	if rare {
		for j, v := range lanes {
			s.Zero |= uint64(^(v | -v)) >> 63 << j
		}
	}
	return s
}

// SignsF32 takes the signs of float32 lanes.
func SignsF32(lanes *[64]float32) Signs {
	const infinity = 0x7f800000
	var s Signs
	rare := false
	for j, v := range lanes {
		b := math.Float32bits(v)
		// from the smallest denormal, 1, to infinity
		s.Positive |= (uint64(b-1) - infinity) >> 63 << j
		rare = rare || b&^(1<<31)-1 >= infinity-1
	}
	if rare {
		for j, v := range lanes {
			s.addRare(j, v == 0, v-v != 0)
		}
	}
	return s
}

// SignsF64 takes the signs of float64 lanes.
func SignsF64(lanes *[64]float64) Signs {
	const infinity = 0x7ff << 52
	var s Signs
	rare := false
	for j, v := range lanes {
		b := math.Float64bits(v)
		s.Positive |= (^b & (b - 1 - infinity)) >> 63 & ((b | -b) >> 63) << j
		rare = rare || b&^(1<<63)-1 >= infinity-1
	}
	if rare {
		for j, v := range lanes {
			s.addRare(j, v == 0, v-v != 0)
		}
	}
	return s
}

func (s *Signs) addRare(j int, zero, nonFinite bool) {
	if zero {
		s.Zero |= 1 << j
	}
	if nonFinite {
		s.NonFinite |= 1 << j
	}
}
