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

// file is one generated assembly file: an op at a tier. Those of hashes are listed by listHashes.
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
	{"asm/classes", "lower", "avx2", emitLowerAVX2},
	{"asm/classes", "masks", "avx2", emitMasksAVX2},
	{"asm/classes", "masks", "avx512", emitMasksAVX512},
	{"asm/hamming", "near", "avx2", emitNearAVX2},
	{"asm/hamming", "near", "avx512", emitNearAVX512},
	{"asm/hamming", "near", "avx512gfni", emitNearAVX512GFNI},
	{"asm/hamming", "read", "avx2", emitReadAVX2},
	{"asm/hamming", "read", "avx512", emitReadAVX512},
	{"asm/hamming", "scan", "avx2", emitScanAVX2},
	{"asm/hamming", "scan", "avx512", emitScanAVX512},
	{"asm/hamming", "scan", "avx512gfni", emitScanAVX512GFNI},
	{"asm/hamming", "split", "avx2", emitSplitAVX2},
	{"asm/hamming", "split", "avx512", emitSplitAVX512},
	{"asm/hamming", "split", "avx512gfni", emitSplitAVX512GFNI},
	{"asm/minhash", "minima", "avx2", emitMinHashAVX2},
	{"asm/minhash", "minima", "avx512", emitMinHashAVX512},
	{"asm/narrow", "int32", "avx2", emitInt32AVX2},
	{"asm/scatter", "write", "avx2", emitScatterAVX2},
	{"asm/wordhash", "xxh64", "avx512", emitWordHashAVX512},
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
	stubs := map[string]*builder{} // by folder: the declarations of all ops share a file
	needs := map[string]string{}   // of hashes, by op and tier
	var order []string
	for _, f := range slices.Concat(files, listHashes()) {
		b := newBuilder()
		f.emit(b)
		assembly, functions, err := b.print(filepath.Base(f.folder), printer.NewGoAsm)
		if err != nil {
			return fmt.Errorf("%s %s: %w", f.op, f.isa, err)
		}
		if f.folder == hashFolder {
			needs[f.op+" "+f.isa] = requirements(functions)
		}
		if err := write(filepath.Join(root, f.folder, f.op+"_"+f.isa+"_amd64.s"), assembly); err != nil {
			return err
		}
		if stubs[f.folder] == nil {
			stubs[f.folder] = newBuilder()
			order = append(order, f.folder)
		}
		clear(stubs[f.folder].constants) // each file has its own
		f.emit(stubs[f.folder])
	}
	for _, folder := range order {
		declarations, _, err := stubs[folder].print(filepath.Base(folder), printer.NewStubs)
		if err == nil && folder == hashFolder {
			declarations, err = hashDispatch(declarations, needs)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", folder, err)
		}
		if err := write(filepath.Join(root, folder, "zz_amd64.go"), declarations); err != nil {
			return err
		}
	}
	for name, neon := range map[string]bool{"zz_noasm.go": false, "zz_neon_noasm.go": true} {
		text, err := withoutAssembly(neon)
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if err := write(filepath.Join(root, hashFolder, name), text); err != nil {
			return err
		}
	}
	return nil
}

func (b *builder) print(pkg string, form printer.Builder) ([]byte, []*ir.Function, error) {
	f, err := b.Result()
	if err != nil {
		if list, ok := err.(build.ErrorList); ok && len(list) > 0 {
			return nil, nil, list[0]
		}
		return nil, nil, err
	}
	if err := pass.Compile.Execute(f); err != nil {
		return nil, nil, err
	}
	for _, function := range f.Functions() {
		function.Nodes = slices.DeleteFunc(function.Nodes, movesToItself)
	}
	b.trim(f)
	text, err := form(printer.Config{Argv: []string{"go", "run", "."}, Pkg: pkg}).Print(f)
	return narrowed(text), f.Functions(), err
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
