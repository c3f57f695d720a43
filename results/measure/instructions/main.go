// Command instructions counts the instructions that the kernels of hashes take for a key, and
// writes results/instructions.txt:
//
//	go -C results run ./measure/instructions
package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
)

// kernels are those that METHODOLOGY's table of hashes has the times of.
var kernels = []struct{ hash, tier, function string }{
	{"splitmix64", "avx512", "splitMix64AVX512"}, {"fmix64", "avx512", "fmix64AVX512"}, {"xxh3", "avx512", "xxh3AVX512"},
	{"lookup3", "avx512", "lookup3AVX512"}, {"xxh64", "avx512", "xxh64AVX512"}, {"crc32c", "avx2", "crc32cAVX2"},
	{"fnv1-64", "avx512", "fnv1AVX512"}, {"fnv1a64", "avx512", "fnv1aAVX512"}, {"murmur3-128", "avx512", "murmur3AVX512"},
	{"rapidhash", "avx512", "rapidHashAVX512"}, {"wyhash", "avx512", "wyHashAVX512"}, {"siphash", "avx512", "sipHashAVX512"},
	{"md5", "avx512", "md5AVX512"}, {"sha1", "avx512", "sha1AVX512"}, {"sha256", "avx512", "sha256AVX512"},
	{"highway64", "avx512", "highway64AVX512"}, {"highway128", "avx512", "highway128AVX512"}, {"highway256", "avx512", "highway256AVX512"},
}

func main() {
	rows, err := counted("..")
	if err != nil {
		fmt.Fprintln(os.Stderr, "instructions:", err)
		os.Exit(1)
	}
	head := []resultfile.Field{{Name: "command", Value: "go -C results run ./measure/instructions"}}
	err = wholefile.Write("instructions.txt", func(w io.Writer) error { return resultfile.Write(w, resultfile.File{Head: head, Rows: rows}) })
	if err != nil {
		fmt.Fprintln(os.Stderr, "instructions:", err)
		os.Exit(1)
	}
}

// counted returns the rows of the kernels in the assembly below root.
func counted(root string) (rows []resultfile.Row, err error) {
	loops, err := loopsIn(filepath.Join(root, "asm", "hashing"))
	if err != nil {
		return nil, err
	}
	for _, k := range kernels {
		l, ok := loops[k.function]
		if !ok {
			return nil, fmt.Errorf("there is no loop of %s", k.function)
		}
		name := benchname.New(evidence.Instructions, "hash", k.hash, "kernel", k.tier).String()
		for unit, value := range map[string]float64{
			evidence.InstructionsPerKey:    float64(l.instructions) / float64(l.keys),
			evidence.MultiplicationsPerKey: float64(l.multiplications) / float64(l.keys),
			evidence.Keys:                  float64(l.keys),
		} {
			rows = append(rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
		}
	}
	slices.SortFunc(rows, func(a, b resultfile.Row) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Unit, b.Unit)) })
	return rows, nil
}
