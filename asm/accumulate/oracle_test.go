package accumulate

// The oracles are the plainest form of the definition. Do not change them to make a test pass or to
// make them faster.

// addGroupedOracle sums groups of four features from the start, each as (±w0 ±w1) + (±w2 ±w3). It
// pads the last group with features of code 0 and weight 0. These add -0, so a lane of -0 does not
// change.
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

// addSequentialOracle adds one feature after the other.
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
