// Command avo writes the assembly of the kernels and their Go declarations: run `go run .` in this
// folder.
//
// With -check it writes nothing and exits 1 if a file differs from what it would write.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// file is one generated assembly file: an op at a tier.
type file struct {
	folder string // below the root of the module; its last element is the name of the package
	op     string
	isa    string
	emit   func(*builder)
}

var files = []file{
	{"asm/accumulate", "f32", "avx2", emitF32AVX2},
	{"asm/accumulate", "f32", "avx512", emitF32AVX512},
	{"asm/accumulate", "f32", "avx512gfni", emitF32AVX512GFNI},
	{"asm/accumulate", "i32", "avx2", emitI32AVX2},
	{"asm/accumulate", "i32", "avx512", emitI32AVX512},
	{"asm/accumulate", "i32", "avx512gfni", emitI32AVX512GFNI},
	{"asm/accumulate", "i64", "avx2", emitI64AVX2},
	{"asm/accumulate", "i64", "avx512", emitI64AVX512},
	{"asm/accumulate", "i64", "avx512gfni", emitI64AVX512GFNI},
	{"asm/accumulate", "f64", "avx2", emitF64AVX2},
	{"asm/accumulate", "f64", "avx512", emitF64AVX512},
	{"asm/accumulate", "f64", "avx512gfni", emitF64AVX512GFNI},
	{"asm/accumulate", "unit", "avx2", emitUnitAVX2},
	{"asm/accumulate", "unit", "avx512", emitUnitAVX512},
	{"asm/accumulate", "unit", "avx512gfni", emitUnitAVX512GFNI},
	{"asm/hamming", "near", "avx2", emitNearAVX2},
	{"asm/hamming", "near", "avx512", emitNearAVX512},
	{"asm/hamming", "near", "avx512gfni", emitNearAVX512GFNI},
	{"asm/hamming", "planes", "avx2", emitPlanesAVX2},
	{"asm/hamming", "planes", "avx512", emitPlanesAVX512},
	{"asm/hamming", "read", "avx2", emitReadAVX2},
	{"asm/hamming", "read", "avx512", emitReadAVX512},
	{"asm/hamming", "scan", "avx2", emitScanAVX2},
	{"asm/hamming", "scan", "avx512", emitScanAVX512},
	{"asm/hamming", "scan", "avx512gfni", emitScanAVX512GFNI},
	{"asm/hamming", "split", "avx2", emitSplitAVX2},
	{"asm/hamming", "split", "avx512", emitSplitAVX512},
	{"asm/hamming", "split", "avx512gfni", emitSplitAVX512GFNI},
	{"asm/hashing", "crc32c", "avx2", emitCRC32CAVX2},
	{"asm/hashing", "fmix64", "avx2", emitFmix64AVX2},
	{"asm/hashing", "fmix64", "avx512", emitFmix64AVX512},
	{"asm/hashing", "fnv", "avx2", emitFNVAVX2},
	{"asm/hashing", "fnv", "avx512", emitFNVAVX512},
	{"asm/hashing", "highway", "avx2", emitHighwayAVX2},
	{"asm/hashing", "highway", "avx512", emitHighwayAVX512},
	{"asm/hashing", "lookup3", "avx2", emitLookup3AVX2},
	{"asm/hashing", "lookup3", "avx512", emitLookup3AVX512},
	{"asm/hashing", "md5", "avx2", emitMD5AVX2},
	{"asm/hashing", "md5", "avx512", emitMD5AVX512},
	{"asm/hashing", "murmur3", "avx2", emitMurmur3AVX2},
	{"asm/hashing", "murmur3", "avx512", emitMurmur3AVX512},
	{"asm/hashing", "rapidhash", "avx2", emitRapidHashAVX2},
	{"asm/hashing", "rapidhash", "avx512", emitRapidHashAVX512},
	{"asm/hashing", "sha1", "avx2", emitSHA1AVX2},
	{"asm/hashing", "sha1", "avx512", emitSHA1AVX512},
	{"asm/hashing", "sha256", "avx2", emitSHA256AVX2},
	{"asm/hashing", "sha256", "avx512", emitSHA256AVX512},
	{"asm/hashing", "siphash", "avx2", emitSipHashAVX2},
	{"asm/hashing", "siphash", "avx512", emitSipHashAVX512},
	{"asm/hashing", "splitmix64", "avx2", emitSplitMix64AVX2},
	{"asm/hashing", "splitmix64", "avx512", emitSplitMix64AVX512},
	{"asm/hashing", "wyhash", "avx2", emitWyHashAVX2},
	{"asm/hashing", "wyhash", "avx512", emitWyHashAVX512},
	{"asm/hashing", "xxh3", "avx2", emitXXH3AVX2},
	{"asm/hashing", "xxh3", "avx512", emitXXH3AVX512},
	{"asm/hashing", "xxh64", "avx2", emitXXH64AVX2},
	{"asm/hashing", "xxh64", "avx512", emitXXH64AVX512},
	{"asm/minhash", "minima", "avx2", emitMinHashAVX2},
	{"asm/minhash", "minima", "avx512", emitMinHashAVX512},
	{"asm/scatter", "write", "avx2", emitScatterAVX2},
}

func main() {
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	flag.Parse()
	if err := run("..", *check); err != nil {
		fmt.Fprintln(os.Stderr, "avo:", err)
		os.Exit(1)
	}
}

func run(root string, check bool) error {
	write := func(path string, data []byte) error {
		if !check {
			return os.WriteFile(path, data, 0o644)
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, data) {
			return fmt.Errorf("%s is not what the generator writes; run `go run .` in avo/", path)
		}
		return nil
	}
	stubs := map[string]*builder{} // by path: the declarations of all tiers of an op share a file
	var order []string
	for _, f := range files {
		b := newBuilder()
		f.emit(b)
		assembly, err := b.print(filepath.Base(f.folder), printer.NewGoAsm)
		if err != nil {
			return fmt.Errorf("%s %s: %w", f.op, f.isa, err)
		}
		if err := write(filepath.Join(root, f.folder, f.op+"_"+f.isa+"_amd64.s"), assembly); err != nil {
			return err
		}
		path := filepath.Join(root, f.folder, "zz_"+f.op+"_stubs_amd64.go")
		if stubs[path] == nil {
			stubs[path] = newBuilder()
			order = append(order, path)
		}
		clear(stubs[path].constants) // each file has its own
		f.emit(stubs[path])
	}
	for _, path := range order {
		declarations, err := stubs[path].print(filepath.Base(filepath.Dir(path)), printer.NewStubs)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if err := write(path, declarations); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) print(pkg string, form printer.Builder) ([]byte, error) {
	f, err := b.Result()
	if err != nil {
		if list, ok := err.(build.ErrorList); ok && len(list) > 0 {
			return nil, list[0]
		}
		return nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, err
	}
	for _, function := range f.Functions() {
		function.Nodes = slices.DeleteFunc(function.Nodes, movesToItself)
	}
	b.trim(f)
	text, err := form(printer.Config{Argv: []string{"go", "run", "."}, Pkg: pkg}).Print(f)
	return narrowed(text), err
}

// movesToItself says whether the instruction copies a whole register of 512 bits to where it is,
// once registers are allocated. Avo drops such copies of general registers alone.
func movesToItself(n ir.Node) bool {
	i, ok := n.(*ir.Instruction)
	if !ok || i.Opcode != "VMOVDQA64" || len(i.Operands) != 2 || i.Operands[0] != i.Operands[1] {
		return false
	}
	r, ok := i.Operands[0].(reg.Physical)
	return ok && r.Size() == 64
}
