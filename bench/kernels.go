package bench

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/cpu"
	"simhashkit/asm/hamming"
	"simhashkit/asm/hashing"
	"simhashkit/bench/terms"
	"simhashkit/datasets"
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
	for _, h := range hashTables {
		ops = append(ops, Op{"hash " + h.family, h.kernels()})
	}
	for _, w := range datasets.WeightTypes() {
		ops = append(ops, Op{"accumulate " + w, accumulateTables[w]()})
	}
	for _, w := range datasets.WeightTypes() {
		if table, ok := sequentialTables[w]; ok {
			ops = append(ops, Op{"accumulate " + w + " sequential", table()})
		}
	}
	return append(ops, Op{"hamming scan", scanTable()}, Op{"hamming split scan", splitTable()}, Op{"hamming planes scan", planesTable()}, Op{"hamming near pairs", nearTable()}, Op{"memory read", readTable()})
}

// hashTables lists the hash families that have batch kernels, if only in Go: all that fphash does
// not leave to a library.
var hashTables = []struct {
	family  string
	kernels func() []cpu.Kernel
}{
	{"crc32c", func() []cpu.Kernel { return unseeded(hashing.CRC32CKernels()) }},
	{"fmix64", func() []cpu.Kernel { return seeded(hashing.Fmix64Kernels()) }},
	{"fnv1-64", func() []cpu.Kernel { return unseeded(hashing.FNV1Kernels()) }},
	{"fnv1a128", inGo},
	{"fnv1a64", func() []cpu.Kernel { return unseeded(hashing.FNV1aKernels()) }},
	{"highway128", func() []cpu.Kernel { return keyed(hashing.Highway128Kernels()) }},
	{"highway256", func() []cpu.Kernel { return keyed(hashing.Highway256Kernels()) }},
	{"highway64", func() []cpu.Kernel { return keyed(hashing.Highway64Kernels()) }},
	{"lookup3", func() []cpu.Kernel { return seeded(hashing.Lookup3Kernels()) }},
	{"md5", func() []cpu.Kernel { return unseeded(hashing.MD5Kernels()) }},
	{"mixed-tabulation", inGo},
	{"multiply-shift", inGo},
	{"murmur3-128", func() []cpu.Kernel { return seeded(hashing.Murmur3Kernels()) }},
	{"rapidhash", func() []cpu.Kernel { return seeded(hashing.RapidHashKernels()) }},
	{"sha1", func() []cpu.Kernel { return unseeded(hashing.SHA1Kernels()) }},
	{"sha256", func() []cpu.Kernel { return unseeded(hashing.SHA256Kernels()) }},
	{"siphash", sipHash},
	{"splitmix64", func() []cpu.Kernel { return seeded(hashing.SplitMix64Kernels()) }},
	{"wyhash", func() []cpu.Kernel { return seeded(hashing.WyHashKernels()) }},
	{"xxh3", func() []cpu.Kernel { return seeded(hashing.XXH3Kernels()) }},
	{"xxh64", func() []cpu.Kernel { return seeded(hashing.XXH64Kernels()) }},
}

var accumulateTables = map[string]func() []cpu.Kernel{
	datasets.Unit:    func() []cpu.Kernel { return accumulators(accumulate.UnitKernels()) },
	datasets.Int32:   func() []cpu.Kernel { return accumulators(accumulate.I32Kernels()) },
	datasets.Int64:   func() []cpu.Kernel { return accumulators(accumulate.I64Kernels()) },
	datasets.Float32: func() []cpu.Kernel { return accumulators(accumulate.F32Kernels()) },
	datasets.Float64: func() []cpu.Kernel { return accumulators(accumulate.F64Kernels()) },
}

// sequentialTables are the kernels of the order of summation that is not the usual one; integer
// weights have no order.
var sequentialTables = map[string]func() []cpu.Kernel{
	datasets.Float32: func() []cpu.Kernel { return accumulators(accumulate.F32SequentialKernels()) },
	datasets.Float64: func() []cpu.Kernel { return accumulators(accumulate.F64SequentialKernels()) },
}

// inGo is the table of a hash that has no kernel in assembly.
func inGo() []cpu.Kernel { return []cpu.Kernel{cpu.KernelAt(cpu.Generic, 0)} }

func seeded(table []hashing.SeededKernel) (list []cpu.Kernel) {
	for _, k := range table {
		list = append(list, k.Kernel)
	}
	return list
}

func unseeded(table []hashing.UnseededKernel) (list []cpu.Kernel) {
	for _, k := range table {
		list = append(list, k.Kernel)
	}
	return list
}

func sipHash() (list []cpu.Kernel) {
	for _, k := range hashing.SipHashKernels() {
		list = append(list, k.Kernel)
	}
	return list
}

func keyed(table []hashing.KeyedKernel) (list []cpu.Kernel) {
	for _, k := range table {
		list = append(list, k.Kernel)
	}
	return list
}

func accumulators[A, S any](table []accumulate.Kernel[A, S]) (list []cpu.Kernel) {
	for _, k := range table {
		list = append(list, k.Kernel)
	}
	return list
}

func scanTable() (list []cpu.Kernel) {
	for _, k := range hamming.ScanKernels() {
		list = append(list, k.Kernel)
	}
	return list
}

func splitTable() (list []cpu.Kernel) {
	for _, k := range hamming.SplitKernels() {
		list = append(list, k.Kernel)
	}
	return list
}

func planesTable() (list []cpu.Kernel) {
	for _, k := range hamming.PlanesKernels() {
		list = append(list, k.Kernel)
	}
	return list
}

func nearTable() (list []cpu.Kernel) {
	for _, k := range hamming.NearKernels() {
		list = append(list, k.Kernel)
	}
	return list
}

func readTable() (list []cpu.Kernel) {
	for _, k := range hamming.ReadKernels() {
		list = append(list, k.Kernel)
	}
	return list
}

// hashTable returns the kernels of a hash family, none if it has only its library.
func hashTable(family string) []cpu.Kernel {
	for _, h := range hashTables {
		if h.family == family {
			return h.kernels()
		}
	}
	return nil
}

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
