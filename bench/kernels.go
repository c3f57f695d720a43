package bench

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/asm/hashing"
	"simhashkit/asm/minhash"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
	"simhashkit/fphash"
)

// Op is an operation with its kernels, fastest first, as its table in asm lists them.
type Op struct {
	Name    string // "hash xxh64", "accumulate f32", "hamming scan"
	Kernels []cpu.Kernel
}

// Used returns the kernel that the op's dispatch takes when everything is capped at the tier.
func (o Op) Used(tier cpu.Tier) cpu.Kernel {
	for _, k := range o.Kernels {
		if k.Tier <= tier {
			return k
		}
	}
	return o.Kernels[len(o.Kernels)-1]
}

// Ops returns all operations that have kernels.
func Ops() []Op {
	var ops []Op
	for _, f := range fphash.Families() {
		if table := hashTable(f.Name); len(table) > 0 {
			ops = append(ops, Op{"hash " + f.Name, table})
		}
	}
	for _, w := range datasets.WeightTypes() {
		ops = append(ops, Op{"accumulate " + w, accumulateTables[w]()})
	}
	return append(ops, Op{"hamming scan", rows(hamming.ScanKernels())}, Op{"hamming split scan", rows(hamming.SplitKernels())},
		Op{"hamming planes scan", rows(hamming.PlanesKernels())}, Op{"hamming near pairs", rows(hamming.NearKernels())},
		Op{"minhash", rows(minhash.Kernels())}, Op{"memory read", rows(hamming.ReadKernels())})
}

var accumulateTables = map[string]func() []cpu.Kernel{
	datasets.Unit:    func() []cpu.Kernel { return rows(accumulate.UnitKernels()) },
	datasets.Int32:   func() []cpu.Kernel { return rows(accumulate.I32Kernels()) },
	datasets.Int64:   func() []cpu.Kernel { return rows(accumulate.I64Kernels()) },
	datasets.Float32: func() []cpu.Kernel { return rows(accumulate.F32Kernels()) },
	datasets.Float64: func() []cpu.Kernel { return rows(accumulate.F64Kernels()) },
	set:              func() []cpu.Kernel { return rows(minhash.Kernels()) },
}

// rows returns the kernels of an op's table.
func rows[R interface{ Row() cpu.Kernel }](table []R) (list []cpu.Kernel) {
	for _, r := range table {
		list = append(list, r.Row())
	}
	return list
}

// hashTable returns the kernels of a hash family: those of asm, or loops in Go. There are none for
// identity, which computes nothing, and for unregistered families.
func hashTable(family string) []cpu.Kernel {
	if table := hashing.Kernels(family); table != nil || family == "identity" {
		return table
	}
	if _, err := fphash.Lookup(family); err != nil {
		return nil
	}
	return inGo()
}

// inGo lists the hashes without kernels in assembly.
func inGo() []cpu.Kernel { return []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)} }

// tiersOf returns the tiers up to most at which one of the kernels is used, slowest first.
func tiersOf(most cpu.Tier, kernels []cpu.Kernel) []cpu.Tier {
	var tiers []cpu.Tier
	for _, k := range kernels {
		if k.Tier <= most && k.Available() && !slices.Contains(tiers, k.Tier) {
			tiers = append(tiers, k.Tier)
		}
	}
	slices.Sort(tiers)
	return tiers
}

// checkKernel returns an error for a name that is no kernel, or one that cannot run under the cap.
func checkKernel(name string, most cpu.Tier) error {
	if name == terms.Naive || name == terms.Library {
		return nil
	}
	t, err := cpu.ParseTier(name)
	if err != nil {
		all := []string{terms.Naive, terms.Library}
		for _, t := range cpu.Tiers() {
			all = append(all, t.String())
		}
		return fmt.Errorf("bench: unknown kernel %q; the kernels are %s", name, strings.Join(all, ", "))
	}
	if missing := t.Needs() &^ cpu.Detected(); missing != 0 {
		return fmt.Errorf("bench: kernel %s cannot run here: it lacks %v", name, missing)
	}
	if t > most {
		return fmt.Errorf("bench: kernel %s is above %v, where %s caps the kernels", name, most, cpu.Variable)
	}
	return nil
}
