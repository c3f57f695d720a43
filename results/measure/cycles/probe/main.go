// Command probe calls one kernel once, for command cycles to follow it.
//
//	probe OP KERNEL N
//
// The op is a type of weights, whose features are summed and signed, or minhash, scan or split, or
// a hash. Features, fingerprints and keys are random, the same in every run; no fingerprint is near
// the query.
package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"simhashkit/asm/accumulate"
	"simhashkit/asm/hamming"
	"simhashkit/asm/minhash"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "probe:", err)
		os.Exit(2)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("%q, expected an op, a kernel and a number", args)
	}
	op, kernel := args[0], args[1]
	n, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	growStack(n)
	r := rand.New(rand.NewPCG(1, 2))
	codes := make([]uint64, n)
	for i := range codes {
		codes[i] = r.Uint64()
	}
	switch op {
	case "unit":
		for _, k := range accumulate.UnitKernels() {
			if k.Name == kernel {
				k.Sketch(codes)
				return nil
			}
		}
	case "f32":
		return sketch(accumulate.F32Kernels(), kernel, codes, func() float32 { return r.Float32() })
	case "f64":
		return sketch(accumulate.F64Kernels(), kernel, codes, r.Float64)
	case "i32":
		return sketch(accumulate.I32Kernels(), kernel, codes, func() int32 { return 1 + r.Int32N(100) })
	case "i64":
		return sketch(accumulate.I64Kernels(), kernel, codes, func() int64 { return 1 + r.Int64N(100) })
	case "minhash":
		for _, k := range minhash.Kernels() {
			if k.Name == kernel {
				var minima [64]uint32
				k.Add(&minima, 0, codes)
				k.Bits(&minima)
				return nil
			}
		}
	case "scan":
		for _, k := range hamming.ScanKernels() {
			if k.Name == kernel {
				k.AppendWithin(nil, codes, []uint64{r.Uint64()}, 3)
				return nil
			}
		}
	case "split":
		var s hamming.Split
		s.Append(codes...)
		for _, k := range hamming.SplitKernels() {
			if k.Name == kernel {
				k.AppendWithin(nil, &s, r.Uint64(), 3)
				return nil
			}
		}
	default:
		if hash(op, kernel, codes, r) {
			return nil
		}
	}
	return fmt.Errorf("there is no op %s with a kernel %s", op, kernel)
}

// growStack makes room for what kernels have on the stack, which is copied when it grows.
//
//go:noinline
func growStack(n int) byte {
	var room [32 << 10]byte
	return room[n%len(room)]
}

func sketch[A, W any](table []accumulate.Kernel[A, func([]uint64, []W) accumulate.Signs], kernel string, codes []uint64, weight func() W) error {
	weights := make([]W, len(codes))
	for i := range weights {
		weights[i] = weight()
	}
	for _, k := range table {
		if k.Name == kernel {
			k.Sketch(codes, weights)
			return nil
		}
	}
	return fmt.Errorf("there is no kernel %s", kernel)
}
