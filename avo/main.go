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
	"strings"

	"github.com/mmcloughlin/avo/build"
	"github.com/mmcloughlin/avo/ir"
	"github.com/mmcloughlin/avo/pass"
	"github.com/mmcloughlin/avo/printer"
	"github.com/mmcloughlin/avo/reg"
)

// kernelFile describes the assembly files of an op, or of several ops that share them: one file for
// each tier. listHashes lists the files of hashes.
type kernelFile struct {
	folder             string // relative to the root of the module; its last element is the package's name
	name               string // prefix of the names of the files
	avx2, avx512, gfni func(vectors)
	neon               bool // there is also a file for arm64, written by hand
	ops                []op // ops whose dispatch is generated
}

// tier is a level of instruction-set extensions, with its name in package cpu.
type tier struct {
	name  string
	bytes int // of a register
	emit  func(vectors)
}

// tiers returns the tiers of amd64 that have kernels, slowest first.
func (f kernelFile) tiers() []tier {
	return slices.DeleteFunc([]tier{{"AVX2", 32, f.avx2}, {"AVX512", 64, f.avx512}, {"AVX512GFNI", 64, f.gfni}}, func(t tier) bool { return t.emit == nil })
}

// ofWeights checks the lengths of codes and weights.
const ofWeights = "sameLength(len(codes), len(weights))"

// inUnitLimit checks that there is at least one code, and no more than a kernel can count. Short
// vectors need only the first comparison.
const inUnitLimit = "if n := uint(len(codes)) - 1; n >= leastUnitLimit && n >= uint(unitLimit(tier)) {\nreturn sketchUnitInPieces(tier, codes)\n}"

var kernelFiles = []kernelFile{
	{"asm/accumulate", "f32", emitF32AVX2, emitF32AVX512, emitF32AVX512, true, []op{
		{name: "addF32", generic: "addGrouped", check: ofWeights},
		{name: "sketchF32", generic: "sketchGrouped[float32]", check: ofWeights},
	}},
	{"asm/accumulate", "i32", emitI32AVX2, emitI32AVX512, emitI32AVX512, true, []op{
		{name: "addI32", generic: "addGrouped", check: ofWeights, params: "lanes *[64]int64, codes []uint64, weights []int32", byHand: "amd64"},
		{name: "sketchI32", generic: "sketchGrouped[int64]", check: ofWeights, params: "codes []uint64, weights []int32", result: "Signs", byHand: "amd64"},
	}},
	{"asm/accumulate", "i64", emitI64AVX2, emitI64AVX512, emitI64AVX512, true, []op{
		{name: "addI64", generic: "addGrouped", check: ofWeights},
		{name: "sketchI64", generic: "sketchGrouped[int64]", check: ofWeights},
	}},
	{"asm/accumulate", "f64", emitF64AVX2, emitF64AVX512, emitF64AVX512, true, []op{
		{name: "addF64", generic: "addGrouped", check: ofWeights},
		{name: "sketchF64", generic: "sketchGrouped[float64]", check: ofWeights},
	}},
	{"asm/accumulate", "unit", emitUnitAVX2, emitUnitAVX512, emitUnitAVX512GFNI, true, []op{
		{name: "sketchUnit", check: inUnitLimit},
		{name: "countUnit"},
		{name: "countLanes", alone: true, noNEON: true},
	}},
	{"asm/accumulate", "int32", emitInt32AVX2, nil, nil, false, []op{{name: "int32"}}},
	{"asm/wordscan", "lower", emitLowerAVX2, nil, nil, false, []op{{name: "lower"}}},
	{"asm/wordscan", "masks", vectors.masks, vectors.masks, nil, false, []op{
		{name: "masks", params: "dst [][4]uint64, text []byte, table *Table", args: "dst, text, &table.nibbles"},
	}},
	{"asm/hamming", "near", emitNear, emitNear, emitNear, false, []op{
		{name: "screenPairs", alone: true},
		{name: "screenRows", alone: true},
		{name: "nearColumns", alone: true},
	}},
	{"asm/hamming", "read", vectors.read, vectors.read, nil, false, []op{{name: "read"}}},
	{"asm/hamming", "scan", emitScan, emitScan, emitScan, true, []op{
		{name: "near", alone: true},
		{name: "nearPeriodic", alone: true},
	}},
	{"asm/minhash", "minima", emitMinHash, emitMinHash, nil, true, []op{
		{name: "fill", noNEON: true},
		{name: "scan"},
		{name: "collect", noNEON: true},
		{name: "lower", noNEON: true},
		{name: "bits"},
	}},
	{"asm/scatter", "write", emitScatterAVX2, nil, nil, false, []op{
		{name: "write", params: "words *[entries]uint64, numbers *[entries]uint32, line *Line", args: "words, numbers, &line.Words, &line.Numbers",
			where: "aligned(words, numbers)"},
		{name: "fence"},
	}},
	{"asm/wordscan", "xxh64", nil, emitWordHashAVX512, nil, false, []op{{name: "xxh64"}}},
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
		path = filepath.Join(root, path)
		if !check {
			return os.WriteFile(path, data, 0o644)
		}
		old, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if !bytes.Equal(old, data) {
			return fmt.Errorf("%s is not up to date: run `go run .` in avo/", path)
		}
		return nil
	}
	var packages []*pkg // one for each folder
	for _, f := range slices.Concat(kernelFiles, listHashes()) {
		i := slices.IndexFunc(packages, func(p *pkg) bool { return p.folder == f.folder })
		if i < 0 {
			i = len(packages)
			packages = append(packages, newPkg(f.folder))
		}
		p := packages[i]
		p.files = append(p.files, f)
		for _, tier := range f.tiers() {
			b := newBuilder()
			tier.emit(vectors{b, tier.name, tier.bytes})
			assembly, err := b.print(filepath.Base(f.folder), printer.NewGoAsm)
			if err != nil {
				return fmt.Errorf("%s %s: %w", f.name, tier.name, err)
			}
			if err := write(filepath.Join(f.folder, f.name+"_"+strings.ToLower(tier.name)+"_amd64.s"), assembly); err != nil {
				return err
			}
			clear(p.stubs.constants) // constants belong to one file
			tier.emit(vectors{p.stubs, tier.name, tier.bytes})
		}
	}
	for _, p := range packages {
		sources, err := p.sources()
		if err != nil {
			return fmt.Errorf("%s: %w", p.folder, err)
		}
		for name, text := range sources {
			if err := write(filepath.Join(p.folder, name), text); err != nil {
				return err
			}
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

// movesToItself reports whether the instruction copies a 512-bit register to itself, after
// registers have been allocated. Avo removes such copies only for general registers.
func movesToItself(n ir.Node) bool {
	i, ok := n.(*ir.Instruction)
	if !ok || i.Opcode != "VMOVDQA64" || len(i.Operands) != 2 || i.Operands[0] != i.Operands[1] {
		return false
	}
	r, ok := i.Operands[0].(reg.Physical)
	return ok && r.Size() == 64
}
