package accumulate

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
)

// unitCodes draws codes of one of four kinds: random, nearly all ones, nearly all zeros, or pairs
// of complements, whose votes tie.
func unitCodes(r *rand.Rand, codes []uint64) {
	kind := r.IntN(4)
	for i := range codes {
		codes[i] = r.Uint64()
		switch kind {
		case 1:
			codes[i] |= r.Uint64() | r.Uint64() | r.Uint64()
		case 2:
			codes[i] &= r.Uint64() & r.Uint64() & r.Uint64()
		case 3:
			if i%2 == 1 {
				codes[i] = ^codes[i-1]
			}
		}
	}
}

// TestUnitCountersDoNotOverflow fills every counter, at the lengths where kernels switch to wider
// counters or empty them. All votes are equal, or all but one.
func TestUnitCountersDoNotOverflow(t *testing.T) {
	const longest = 1<<17 + 1
	ones, zeros := make([]uint64, longest), make([]uint64, longest)
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	lengths := []int{longest}
	for _, step := range []int{128, 256, 1023, 1024, 31 * 128, 2016, 2044, 2048, 4092, 4096, 8192, 16380, 16384, 32767, 65535, 65536} {
		lengths = append(lengths, step-1, step, step+1, step+127, 2*step-1, 2*step)
	}
	unitOp.onKernels(t, func(t *testing.T, k form[int64, int64]) {
		for _, n := range lengths {
			if n > longest {
				continue
			}
			if got := k.Sketch(ones[:n], nil); got != (Signs{Positive: ^uint64(0)}) {
				t.Fatalf("%d codes of ones: %#x", n, got)
			}
			if got := k.Sketch(zeros[:n], nil); got != (Signs{}) {
				t.Fatalf("%d codes of zeros: %#x", n, got)
			}
			var lanes [64]int64
			k.Add(&lanes, ones[:n], nil)
			k.Add(&lanes, zeros[:n-1], nil)
			for j, v := range lanes {
				if v != 1 {
					t.Fatalf("lane %d is %d after %d positive and %d negative votes", j, v, n, n-1)
				}
			}
		}
	})
}

// TestUnitCounter adds codes in pieces of all sizes, some larger than the capacity of a kernel's
// counters. After each piece, it compares signs and lanes with the oracle.
func TestUnitCounter(t *testing.T) {
	r := seeded(t)
	for round := range 4 {
		sizes := []int{0, 1, 512, 1, 128, 0, 3, unitPieceLongest + 1}
		for range 20 {
			sizes = append(sizes, r.IntN(700))
		}
		if round > 0 {
			r.Shuffle(len(sizes), func(i, j int) { sizes[i], sizes[j] = sizes[j], sizes[i] })
		}
		total := 0
		for _, n := range sizes {
			total += n
		}
		codes := make([]uint64, total)
		unitCodes(r, codes)
		kernels.OnTiers(t, fmt.Sprint("round=", round, "/dispatch="), func(t *testing.T) {
			var counter UnitCounter
			var want [64]int64
			for done, i := 0, 0; i < len(sizes); i++ {
				piece := codes[done:][:sizes[i]]
				done += len(piece)
				addUnitOracle(&want, piece)
				registers.Spoil(i%2 == 0)
				counter.Add(piece)
				got := [64]int64{63: 7}
				counter.AddTo(&got)
				got[63] -= 7
				oracle := expected[int64]{want, signsOracle(&want)}
				if err := oracle.compare(&got, counter.Signs()); err != nil {
					t.Fatalf("after pieces %v: %v", sizes[:i+1], err)
				}
			}
		})
	}
}

// unitPieceLongest is the maximum number of codes that a kernel counts at once.
const unitPieceLongest = 1<<16 - 1

// TestUnitEveryCount gives the 64 lanes counts of ones that differ from half by powers of two, or
// that spread over the whole range. The ones are anywhere, or concentrated in some words of a
// register.
func TestUnitEveryCount(t *testing.T) {
	var lengths []int
	for n := 1; n <= 140; n++ {
		lengths = append(lengths, n)
	}
	for _, n := range []int{160, 192, 256, 320, 384, 448, 480, 512, 640, 896, 960, 1000, 1152, 1408, 1984, 2048, 2176, 4064} {
		lengths = append(lengths, n-1, n, n+1)
	}
	r := seeded(t)
	type input struct {
		codes []uint64
		want  expected[int64]
	}
	var inputs []input
	for _, n := range lengths {
		var anywhere, crowded [64][]int // orders in which the columns are filled
		for j := range 64 {
			anywhere[j] = rand.New(rand.NewPCG(uint64(n), uint64(j))).Perm(n)
			crowd := 1 << (j % 3)
			crowded[j] = slices.Clone(anywhere[j])
			slices.SortStableFunc(crowded[j], func(a, b int) int { return a/crowd%2 - b/crowd%2 })
		}
		for round := range 6 {
			in := input{codes: make([]uint64, n)}
			for j := range 64 {
				count := j * (n + 1) / 64
				switch round % 3 {
				case 1:
					count = min(max(n/2+1<<(j/2%8)*(1-j%2*2)+j/16-1, 0), n)
				case 2:
					count = r.IntN(n + 1)
				}
				order := &anywhere
				if round >= 3 {
					order = &crowded
				}
				for _, i := range order[j][:count] {
					in.codes[i] |= 1 << j
				}
			}
			addUnitOracle(&in.want.lanes, in.codes)
			in.want.signs = signsOracle(&in.want.lanes)
			inputs = append(inputs, in)
		}
	}
	unitOp.onKernels(t, func(t *testing.T, k form[int64, int64]) {
		for i, in := range inputs {
			var got [64]int64
			k.Add(&got, in.codes, nil)
			if err := in.want.compare(&got, k.Sketch(in.codes, nil)); err != nil {
				t.Fatalf("%d codes, input %d: %v", len(in.codes), i, err)
			}
		}
	})
}

// TestUnitCountsOfEverySize counts columns of all densities, from no ones to only ones. So at each
// length, the 64 counters spread over their whole range, which tests the highest binary digits and
// their carries.
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
				// Densities increase with the column in half of the rounds, and are shuffled in the
				// other half.
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
		unitOp.onKernels(t, func(t *testing.T, k form[int64, int64]) {
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

// TestUnitMajoritiesThatHangOnOneVote makes every lane's sum -1, 0 or +1 at every length, so that
// the sign step has to compare all binary digits.
func TestUnitMajoritiesThatHangOnOneVote(t *testing.T) {
	const longest = 1<<16 + 3
	r := seeded(t)
	codes := make([]uint64, longest)
	for i := range codes {
		if codes[i] = r.Uint64(); i%2 == 1 {
			codes[i] = ^codes[i-1]
		}
	}
	unitOp.onKernels(t, func(t *testing.T, k form[int64, int64]) {
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
			// The votes of each column tie. Inverting the last code's bits in the columns of a
			// pattern makes them equal to those of the code before.
			if n%2 == 0 && n >= 4 {
				pattern := r.Uint64()
				saved := codes[n-1]
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
