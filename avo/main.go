// Command avo writes the assembly of the kernels in asm/ and their Go declarations: run `go run .` in this folder.
//
// With -check it writes nothing and exits 1 if a file differs from what it would write.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
)

// file is one generated assembly file: an op at a tier.
type file struct {
	folder string // below asm/, also the package's name
	op     string
	isa    string
	emit   func(*builder)
}

var files = []file{
	{"accumulate", "f32", "avx2", emitF32AVX2},
	{"accumulate", "f32", "avx512", emitF32AVX512},
	{"accumulate", "f32", "avx512gfni", emitF32AVX512GFNI},
	{"accumulate", "i32", "avx2", emitI32AVX2},
	{"accumulate", "i32", "avx512", emitI32AVX512},
	{"accumulate", "i32", "avx512gfni", emitI32AVX512GFNI},
	{"accumulate", "i64", "avx2", emitI64AVX2},
	{"accumulate", "i64", "avx512", emitI64AVX512},
	{"accumulate", "i64", "avx512gfni", emitI64AVX512GFNI},
	{"accumulate", "f64", "avx2", emitF64AVX2},
	{"accumulate", "f64", "avx512", emitF64AVX512},
	{"accumulate", "f64", "avx512gfni", emitF64AVX512GFNI},
	{"accumulate", "f32_sequential", "avx512", emitF32SequentialAVX512},
	{"accumulate", "f32_sequential", "avx512gfni", emitF32SequentialAVX512GFNI},
	{"accumulate", "f64_sequential", "avx512", emitF64SequentialAVX512},
	{"accumulate", "f64_sequential", "avx512gfni", emitF64SequentialAVX512GFNI},
	{"accumulate", "unit", "avx2", emitUnitAVX2},
	{"accumulate", "unit", "avx512", emitUnitAVX512},
	{"accumulate", "unit", "avx512gfni", emitUnitAVX512GFNI},
	{"hamming", "read", "avx2", emitReadAVX2},
	{"hamming", "read", "avx512", emitReadAVX512},
	{"hamming", "scan", "avx2", emitScanAVX2},
	{"hamming", "scan", "avx512", emitScanAVX512},
	{"hamming", "scan", "avx512gfni", emitScanAVX512GFNI},
	{"hamming", "split", "avx2", emitSplitAVX2},
	{"hamming", "split", "avx512", emitSplitAVX512},
	{"hamming", "split", "avx512gfni", emitSplitAVX512GFNI},
	{"hashing", "fnv", "avx2", emitFNVAVX2},
	{"hashing", "fnv", "avx512", emitFNVAVX512},
	{"hashing", "highway", "avx2", emitHighwayAVX2},
	{"hashing", "highway", "avx512", emitHighwayAVX512},
	{"hashing", "md5", "avx2", emitMD5AVX2},
	{"hashing", "md5", "avx512", emitMD5AVX512},
	{"hashing", "splitmix64", "avx2", emitSplitMix64AVX2},
	{"hashing", "splitmix64", "avx512", emitSplitMix64AVX512},
	{"hashing", "xxh64", "avx2", emitXXH64AVX2},
	{"hashing", "xxh64", "avx512", emitXXH64AVX512},
}

func main() {
	check := flag.Bool("check", false, "compare with the files instead of writing them")
	flag.Parse()
	if err := run("../asm", *check); err != nil {
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
		assembly, err := b.print(f.folder, printer.NewGoAsm)
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
	return form(printer.Config{Argv: []string{"go", "run", "."}, Pkg: pkg}).Print(f)
}
