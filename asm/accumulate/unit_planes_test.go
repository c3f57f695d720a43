package accumulate

import (
	"slices"
	"testing"

	"simhashkit/asm/internal/registers"
)

// TestUnitCountsOfEverySize counts columns of all densities, from no ones to nothing but ones, so
// that at each length the 64 counters stand at 64 places of their range, the highest binary digits
// and the carries into them included.
func TestUnitCountsOfEverySize(t *testing.T) {
	const longest = 70_000
	var lengths []int
	for _, step := range []int{100, 128, 200, 255, 300, 400, 480, 508, 960, 992, 1000, 1500, 1984, 2016, 2040, 3000, 4064, 8192, 12_000, 20_000, 30_000, 40_000, 50_000, 1 << 16} {
		lengths = append(lengths, step-1, step, step+1, step+17, step+33, step+60)
	}
	slices.Sort(lengths)
	r := seeded(t)
	for round := range 3 {
		codes := make([]uint64, longest)
		for i := range codes {
			x := r.Uint64()
			for j := range 64 {
				// Densities rise with the column in one half of the rounds and are dealt out at
				// random in the other.
				threshold := uint64(j*4 + j/16)
				if round%2 == 1 {
					threshold = uint64(j*j*37) & 255
				}
				if (x>>(j%57))&255 < threshold {
					codes[i] |= 1 << j
				}
			}
		}
		var inputs []expected[int64]
		var votes [64]int64
		done := 0
		for _, n := range lengths {
			addUnitOracle(&votes, codes[done:n])
			done = n
			inputs = append(inputs, expected[int64]{votes, signsOracle(&votes)})
		}
		unitOp.onKernels(t, func(t *testing.T, k unitForm) {
			for i, want := range inputs {
				n := lengths[i]
				var got [64]int64
				registers.Spoil(i%2 == 0)
				k.Add(&got, codes[:n], nil)
				registers.Spoil(i%2 == 1)
				if err := want.compare(&got, k.Sketch(codes[:n], nil)); err != nil {
					t.Fatalf("%d codes: %v", n, err)
				}
			}
		})
	}
}

// TestUnitMajoritiesThatHangOnOneVote makes every lane's sum -1, 0 or +1, whatever the length: the
// sign step has to compare all binary digits.
func TestUnitMajoritiesThatHangOnOneVote(t *testing.T) {
	const longest = 1<<16 + 3
	r := seeded(t)
	codes := make([]uint64, longest)
	for i := range codes {
		if codes[i] = r.Uint64(); i%2 == 1 {
			codes[i] = ^codes[i-1]
		}
	}
	unitOp.onKernels(t, func(t *testing.T, k unitForm) {
		for _, n := range []int{1, 2, 3, 7, 8, 9, 31, 33, 63, 64, 65, 127, 128, 129, 191, 255, 256, 257, 479, 480, 481, 500, 511, 513, 959, 960, 961, 991, 992, 993, 1000, 1023, 1025, 1983, 1984, 1985, 2048, 4063, 4064, 4065, 8191, 8193,
			10_001, 16_383, 16_385, 30_001, 32_767, 32_769, 50_001, 65_533, 65_534, 65_535} {
			even := n &^ 1
			want := Signs{Zero: ^uint64(0)}
			if n%2 == 1 {
				want = Signs{Positive: codes[even]}
			}
			registers.Spoil(n%4 < 2)
			if got := k.Sketch(codes[:n], nil); got != want {
				t.Fatalf("%d codes: %#x, want %#x", n, got, want)
			}
			// Two votes more in the columns of a pattern, against one that is turned round.
			if n%2 == 0 && n >= 4 {
				pattern := r.Uint64()
				saved := codes[n-1]
				// where it was the opposite of the one before, it is the same now
				codes[n-1] ^= pattern
				both := codes[n-2]
				want := Signs{Positive: both & pattern, Zero: ^pattern}
				if got := k.Sketch(codes[:n], nil); got != want {
					t.Fatalf("%d codes, pattern %#x: %#x, want %#x", n, pattern, got, want)
				}
				codes[n-1] = saved
			}
		}
	})
}
