package accumulate

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/asm/internal/guard"
	"simhashkit/asm/internal/kernels"
	"simhashkit/asm/internal/registers"
	"simhashkit/asm/internal/shrink"
)

// onUnitKernels runs body on every kernel of unit weights that can run here, and on the dispatch at
// every tier.
func onUnitKernels(t *testing.T, body func(t *testing.T, k UnitKernel)) {
	for _, k := range UnitKernels() {
		if k.Available() {
			t.Run(k.Name, func(t *testing.T) { body(t, k) })
		}
	}
	kernels.OnTiers(t, "dispatch=", func(t *testing.T) {
		body(t, UnitKernel{cpu.Kernel{Name: "dispatch"}, AddUnit, SketchUnit})
	})
}

// unitCodes draws codes of one of four kinds: random, nearly all ones, nearly all zeros, and pairs
// of complements, which tie.
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

// compareUnit holds all kernels that can run here, and the dispatch at one tier, to the oracle.
func compareUnit(tier cpu.Tier, start [64]int64, codes []uint64) error {
	var votes [64]int64
	addUnitLookedUp(&votes, codes)
	if byOracle(codes) {
		var oracle [64]int64
		addUnitOracle(&oracle, codes)
		if err := looksRight("unit", &votes, &oracle); err != nil {
			return err
		}
	}
	want := expected[int64]{start, signsOracle(&votes)}
	for j, v := range votes {
		want.lanes[j] += v
	}
	run := func(name string, add func(*[64]int64, []uint64), sketch func([]uint64) Signs) error {
		for _, ones := range []bool{true, false} { // left in the registers
			got := start
			registers.Spoil(ones)
			add(&got, codes)
			registers.Spoil(ones)
			if err := want.compare(&got, sketch(codes)); err != nil {
				return fmt.Errorf("%s, %d codes: %w\nstart %v\ncodes %#x", name, len(codes), err, start, codes)
			}
		}
		return nil
	}
	for _, k := range UnitKernels() {
		if k.Available() {
			if err := run(k.Name, k.Add, k.Sketch); err != nil {
				return err
			}
		}
	}
	former, err := cpu.SetTier(tier)
	if err != nil {
		return err
	}
	defer cpu.SetTier(former)
	return run("dispatch at "+tier.String(), AddUnit, SketchUnit)
}

func TestUnitOnRandomInput(t *testing.T) {
	r := seeded(t)
	tiers := cpu.Supported()
	codes := make([]uint64, 5000)
	for range rounds(t) {
		n := r.IntN(150)
		if r.IntN(50) == 0 {
			n = r.IntN(5000)
		}
		unitCodes(r, codes[:n])
		var start [64]int64
		for j := range start {
			start[j] = r.Int64() >> r.IntN(64)
		}
		tier := tiers[r.IntN(len(tiers))]
		if compareUnit(tier, start, codes[:n]) != nil {
			small := shrink.Slice(codes[:n], shrink.ToZero, func(codes []uint64) bool { return compareUnit(tier, start, codes) != nil })
			t.Fatal(compareUnit(tier, start, small))
		}
	}
}

// TestUnitCountersDoNotOverflow fills every counter to the brim, at the lengths where the kernels
// change to wider counters or empty them: all votes equal, and all but one.
func TestUnitCountersDoNotOverflow(t *testing.T) {
	const longest = 1<<17 + 1
	ones, zeros := make([]uint64, longest), make([]uint64, longest)
	for i := range ones {
		ones[i] = ^uint64(0)
	}
	lengths := []int{longest}
	for _, step := range []int{128, 256, 1023, 1024, 31 * 128, 2044, 2048, 4092, 4096, 8192, 16380, 16384, 32767, 65535, 65536} {
		lengths = append(lengths, step-1, step, step+1, step+127, 2*step-1, 2*step)
	}
	onUnitKernels(t, func(t *testing.T, k UnitKernel) {
		for _, n := range lengths {
			if n > longest {
				continue
			}
			if got := k.Sketch(ones[:n]); got != (Signs{Positive: ^uint64(0)}) {
				t.Fatalf("%d codes of ones: %#x", n, got)
			}
			if got := k.Sketch(zeros[:n]); got != (Signs{}) {
				t.Fatalf("%d codes of zeros: %#x", n, got)
			}
			var lanes [64]int64
			k.Add(&lanes, ones[:n])
			k.Add(&lanes, zeros[:n-1])
			for j, v := range lanes {
				if v != 1 {
					t.Fatalf("lane %d is %d after %d votes up and %d down", j, v, n, n-1)
				}
			}
		}
	})
}

func TestUnitBetweenGuardPages(t *testing.T) {
	const longest = 512
	first, last := guard.Slices[uint64](t, longest)
	lanesStart, lanesEnd := guard.Slices[int64](t, 64)
	r := seeded(t)
	unitCodes(r, first)
	unitCodes(r, last)
	type input struct {
		codes []uint64
		want  [64]int64
	}
	var inputs []input
	for n := range longest + 1 {
		for offset := range min(8, longest-n+1) {
			for _, in := range []input{{codes: first[offset : offset+n]}, {codes: last[longest-n-offset : longest-offset]}} {
				addUnitOracle(&in.want, in.codes)
				inputs = append(inputs, in)
			}
		}
	}
	onUnitKernels(t, func(t *testing.T, k UnitKernel) {
		for i, in := range inputs {
			lanes := (*[64]int64)([][]int64{lanesStart, lanesEnd}[i%2])
			clear(lanes[:])
			k.Add(lanes, in.codes)
			if *lanes != in.want {
				t.Fatalf("n=%d: lanes %v, want %v", len(in.codes), *lanes, in.want)
			}
			if got, want := k.Sketch(in.codes), signsOracle(&in.want); got != want {
				t.Fatalf("n=%d: signs %#x, want %#x", len(in.codes), got, want)
			}
		}
	})
}
