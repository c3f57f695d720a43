package accumulate

// The oracles are the definition, as plainly as it can be written. Do not alter them to make a test
// pass, nor to make them faster.

// addGroupedOracle: groups of four from the start, each (±w0 ±w1) + (±w2 ±w3), the last one padded
// with features of code 0 and weight 0: each counts -0, which leaves a lane of -0 as it is.
func addGroupedOracle[T lane, W weight](lanes *[64]T, codes []uint64, weights []W) {
	var zero T
	for i := 0; i < len(codes); i += 4 {
		for j := range lanes {
			signed := func(k int) T {
				switch {
				case k >= len(codes):
					return -zero
				case codes[k]>>j&1 == 1:
					return T(weights[k])
				default:
					return -T(weights[k])
				}
			}
			lanes[j] += (signed(i) + signed(i+1)) + (signed(i+2) + signed(i+3))
		}
	}
}

// addSequentialOracle: one feature after the other.
func addSequentialOracle[T lane, W weight](lanes *[64]T, codes []uint64, weights []W) {
	for i, c := range codes {
		for j := range lanes {
			if c>>j&1 == 1 {
				lanes[j] += T(weights[i])
			} else {
				lanes[j] -= T(weights[i])
			}
		}
	}
}

func addUnitOracle(lanes *[64]int64, codes []uint64) {
	for _, c := range codes {
		for j := range lanes {
			if c>>j&1 == 1 {
				lanes[j]++
			} else {
				lanes[j]--
			}
		}
	}
}

func signsOracle[T lane](lanes *[64]T) (s Signs) {
	for j, v := range lanes {
		if v > 0 {
			s.Positive |= 1 << j
		}
		if v == 0 {
			s.Zero |= 1 << j
		}
		if v-v != 0 {
			s.NonFinite |= 1 << j
		}
	}
	return s
}
