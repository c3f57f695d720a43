package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/klauspost/cpuid/v2"
)

// source has one kernel that adds a bounded number of codes up, and one that only returns.
const source = `// Code generated. DO NOT EDIT.

//go:build amd64 && !purego

#include "textflag.h"

// func sum(codes []uint64) uint64
// Requires: AVX, AVX2
TEXT ·sum(SB), NOSPLIT, $0-32
	MOVQ   codes_base+0(FP), AX
	CMPQ   CX, $0x08
	JL     done
	VPSUBQ Y1, Y2, Y3
	VPADDQ 8(AX), Y3, Y3
	VPAND  mask<>+0(SB), Y3, Y3

done:
	VZEROUPPER
	RET

DATA mask<>+0(SB)/4, $0x00000004
DATA mask<>+4(SB)/4, $0x00000000
GLOBL mask<>(SB), RODATA|NOPTR, $8

// func other()
TEXT ·other(SB), NOSPLIT, $0-0
	VPAND mask<>+0(SB), X1, X1
	RET
`

func readSource(t *testing.T) *file {
	t.Helper()
	path := filepath.Join(t.TempDir(), "sum_avx2_amd64.s")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := readFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestMutants(t *testing.T) {
	f := readSource(t)
	k := f.kernels[0]
	if len(f.kernels) != 2 || k.instructions() != 8 {
		t.Fatalf("%d kernels, the first of %d instructions", len(f.kernels), k.instructions())
	}
	var got []string
	for _, m := range k.mutants() {
		got = append(got, m.id(k))
	}
	want := strings.Split(strings.TrimSpace(`
sum: delete: MOVQ codes_base+0(FP), AX #1 -> nothing
sum: register: MOVQ codes_base+0(FP), AX #1 -> MOVQ codes_base+0(FP), BX
sum: delete: CMPQ CX, $0x08 #1 -> nothing
sum: immediate: CMPQ CX, $0x08 #1 -> CMPQ CX, $0x9
sum: immediate: CMPQ CX, $0x08 #1 -> CMPQ CX, $0x0
sum: register: CMPQ CX, $0x08 #1 -> CMPQ DX, $0x08
sum: delete: JL done #1 -> nothing
sum: condition: JL done #1 -> JGE done
sum: condition: JL done #1 -> JLE done
sum: delete: VPSUBQ Y1, Y2, Y3 #1 -> nothing
sum: swap: VPSUBQ Y1, Y2, Y3 #1 -> VPSUBQ Y2, Y1, Y3
sum: register: VPSUBQ Y1, Y2, Y3 #1 -> VPSUBQ Y2, Y2, Y3
sum: register: VPSUBQ Y1, Y2, Y3 #1 -> VPSUBQ Y1, Y2, Y4
sum: delete: VPADDQ 8(AX), Y3, Y3 #1 -> nothing
sum: displacement: VPADDQ 8(AX), Y3, Y3 #1 -> VPADDQ 16(AX), Y3, Y3
sum: register: VPADDQ 8(AX), Y3, Y3 #1 -> VPADDQ 8(AX), Y3, Y4
sum: delete: VPAND mask<>+0(SB), Y3, Y3 #1 -> nothing
sum: register: VPAND mask<>+0(SB), Y3, Y3 #1 -> VPAND mask<>+0(SB), Y3, Y4
sum: delete: VZEROUPPER #1 -> nothing
sum: constant: DATA mask<>+0(SB)/4, $0x00000004 #1 -> DATA mask<>+0(SB)/4, $0x5
sum: constant: DATA mask<>+4(SB)/4, $0x00000000 #1 -> DATA mask<>+4(SB)/4, $0x1`), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := len(f.kernels[1].constants()); n != 2 {
		t.Errorf("%d mutants of the constant for the second kernel that reads it, want 2", n)
	}
}

func TestRequires(t *testing.T) {
	f := readSource(t)
	if got, none := f.kernels[0].requires, f.kernels[1].requires; !slices.Equal(got, []string{"AVX", "AVX2"}) || none != nil {
		t.Errorf("%q, and %q of the second kernel", got, none)
	}
	for want, requires := range map[string][]string{"": {"CMOV", "MMX+", "SSE", "SSE2"}, "this processor lacks AVX1024, ABC": {"SSE2", "AVX1024", "ABC"}} {
		if got := (&kernel{file: f, requires: requires}).missing(); got != want && runtime.GOARCH == "amd64" {
			t.Errorf("of %q are missing: %q, want %q", requires, got, want)
		}
	}
	if cpuid.CPU.Supports(cpuid.BMI1, cpuid.BMI2) != ((&kernel{file: f, requires: []string{"BMI", "BMI2"}}).missing() == "") {
		t.Error("BMI and BMI2 are not what the processor says")
	}
}

func TestCommutative(t *testing.T) {
	for text, want := range map[string]bool{
		"VPADDD Y1, Y2, Y3": true, "VPAND Y1, Y2, Y3": true, "VPANDQ Z1, Z2, Z3": true, "VANDPS Y1, Y2, Y3": true, "VPTERNLOGQ $0x96, Z1, Z2, Z3": true, "VCMPPD $0x00, Z1, Z2, K1": true,
		"VPANDN Y1, Y2, Y3": false, "VPANDNQ Z1, Z2, Z3": false, "VANDNPS Y1, Y2, Y3": false, "VPSUBD Y1, Y2, Y3": false, "VPTERNLOGQ $0xd8, Z1, Z2, Z3": false, "VCMPPD $0x1e, Z1, Z2, K1": false,
		"VPMADDUBSW Y1, Y2, Y3": false, "VPERMD Z1, Z2, Z3": false,
	} {
		if commutativeAMD64.MatchString(text) != want {
			t.Errorf("%s: %v", text, !want)
		}
	}
}

func TestMaskTablesAreInverted(t *testing.T) {
	lines := []string{"DATA end<>+0(SB)/8, $0xffffffffffffffff", "DATA end<>+8(SB)/8, $0x0000000000000000", "GLOBL end<>(SB), RODATA|NOPTR, $16"}
	k := &kernel{name: "k", body: []string{"\tVMOVDQU end<>+0(SB), Y0"}}
	k.file = &file{kernels: []*kernel{k}, data: map[string][]string{"end": lines}, order: []string{"end"}}
	var after []string
	for _, m := range k.constants() {
		after = append(after, m.after)
	}
	if want := []string{"DATA end<>+0(SB)/8, $0x0000000000000000", "DATA end<>+8(SB)/8, $0xffffffffffffffff"}; !slices.Equal(after, want) {
		t.Errorf("%q, want %q", after, want)
	}
}

func TestZerosOfByteShufflesBecomeBytes(t *testing.T) {
	k := &kernel{name: "k", body: []string{"\tVPSHUFB shuffle<>+0(SB), Y0, Y0"}}
	lines := []string{"DATA shuffle<>+0(SB)/1, $0x03", "DATA shuffle<>+1(SB)/1, $0x80", "GLOBL shuffle<>(SB), RODATA|NOPTR, $2"}
	k.file = &file{kernels: []*kernel{k}, data: map[string][]string{"shuffle": lines}, order: []string{"shuffle"}}
	var after []string
	for _, m := range k.constants() {
		after = append(after, m.after)
	}
	if want := []string{"DATA shuffle<>+0(SB)/1, $0x2", "DATA shuffle<>+1(SB)/1, $0x0"}; !slices.Equal(after, want) {
		t.Errorf("%q, want %q", after, want)
	}
}

func TestSampleIsTheSameAgain(t *testing.T) {
	k := readSource(t).kernels[0]
	few := func() []mutant { return (&options{every: 1, sample: 5}).choose(k) }
	if a, b := few(), few(); len(a) != 5 || !slices.Equal(a, b) {
		t.Errorf("%v, and again %v", a, b)
	}
	if all := (&options{every: 8, sample: 5}).choose(k); len(all) != len(k.mutants()) {
		t.Errorf("%d mutants of a short kernel", len(all))
	}
}

func TestVariantsKeepTheRest(t *testing.T) {
	f := readSource(t)
	k := f.kernels[0]
	for _, m := range k.mutants() {
		lines := k.variant("sum__1", m)
		if !strings.HasPrefix(lines[0], "TEXT ·sum__1(SB), NOSPLIT, $0-32") {
			t.Fatalf("%s: %q", m.id(k), lines[0])
		}
		changed := 0
		for i, line := range k.body {
			if m.kind == "delete" && i >= m.line {
				break // the following lines have moved up
			}
			if lines[i+1] != line {
				changed++
			}
		}
		want := 1 // for a constant: the instruction that reads it
		if m.kind == "delete" {
			want = 0
			if len(lines) != len(k.body) {
				t.Errorf("%s: %d lines", m.id(k), len(lines))
			}
		}
		if changed != want {
			t.Errorf("%s: %d lines changed, want %d", m.id(k), changed, want)
		}
	}
}

func TestBatchLinesHaveOwners(t *testing.T) {
	f := readSource(t)
	k := f.kernels[0]
	b := f.batches(k, k.mutants(), outcomes{})[0]
	lines, owner := b.assembly()
	if len(lines) != len(owner) {
		t.Fatal(len(lines), len(owner))
	}
	texts := 0
	for i, line := range lines {
		if m := regexp.MustCompile(`^TEXT ·sum__(\d+)\(`).FindStringSubmatch(line); m != nil {
			texts++
			if (m[1] == "0") != (owner[i] == -1) {
				t.Errorf("%s belongs to %d", line, owner[i])
			}
		}
	}
	if texts != len(b.mutants)+1 {
		t.Errorf("%d variants of %d mutants", texts, len(b.mutants))
	}
	done := outcomes{b.mutants[0].id(k): killed}
	if rest := f.batches(k, b.mutants, done)[0]; len(rest.mutants) != len(b.mutants)-1 {
		t.Errorf("%d mutants left of %d", len(rest.mutants), len(b.mutants))
	}
}

// TestMutateARealKernel runs a few mutants of a kernel of this repository. Some must be killed.
func TestMutateARealKernel(t *testing.T) {
	out := filepath.Join(t.TempDir(), "out.txt")
	var stdout strings.Builder
	err := run([]string{"-every", "0", "-sample", "8", "-j", "1", "-budget", "2m", "-out", out, "-reviewed", "reviewed", "../../asm/accumulate/f32_avx2_amd64.s"}, &stdout, io.Discard)
	if strings.Contains(stdout.String(), "not run, this processor lacks") {
		t.Skip("this processor has no AVX2")
	}
	done, readErr := readOutcomes(out)
	if readErr != nil || len(done) < 8 {
		t.Errorf("%v; %v; %v\n%s", err, readErr, done, stdout.String())
	}
}
