package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sourceARM64 has a kernel that uses macros of its own file and of a header.
const sourceARM64 = `//go:build !purego

#include "textflag.h"
#include "steps_arm64.h"

// The signs of two numbers.
DATA signs<>+0(SB)/8, $0x8000000000000000
DATA signs<>+8(SB)/8, $0x0000000000000000
GLOBL signs<>(SB), RODATA|NOPTR, $16

#define BOTH(op, at) \
	STEP(op, V2, at); \ // the first
	STEP(op, V3, at+64)

// func sum(codes []uint64) uint64
// Requires: ASIMD
TEXT ·sum(SB), NOSPLIT, $184-32
	MOVD codes_base+0(FP), R0
	MOVD $signs<>(SB), R14
	BOTH(FADD_S4, 8*2)
	SUBS $1, R3 // one less
	BHI done

done:
	RET
`

const stepsARM64 = `// What the assembler has no names for.
#define FADD_S4(m, n, d) WORD $(0x4E20D400 | (m)<<16 | (n)<<5 | (d))
#define FSUB_S4(m, n, d) WORD $(0x4EA0D400 | (m)<<16 | (n)<<5 | (d))
#define UMINV_B16(n, d) WORD $(0x6E31A800 | (n)<<5 | (d))

// STEP is shared.
#define STEP(op, a, at) \
	FMOVQ at(R0), F0; \
	op(0, 1, 2); \
	VADDP a.B16, V1.B16, V1.B16
`

func readARM64(t *testing.T) *file {
	t.Helper()
	folder := t.TempDir()
	for name, text := range map[string]string{"sum_neon_arm64.s": sourceARM64, "steps_arm64.h": stepsARM64} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f, err := readFile(filepath.Join(folder, "sum_neon_arm64.s"))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestMacros checks that macros are expanded, including their arguments and sums, except for macros
// that encode an instruction.
func TestMacros(t *testing.T) {
	f := readARM64(t)
	want := []string{
		"\tMOVD codes_base+0(FP), R0", "\tMOVD $signs<>(SB), R14",
		"\tFMOVQ 16(R0), F0", "\tFADD_S4(0, 1, 2)", "\tVADDP V2.B16, V1.B16, V1.B16",
		"\tFMOVQ 80(R0), F0", "\tFADD_S4(0, 1, 2)", "\tVADDP V3.B16, V1.B16, V1.B16",
		"\tSUBS $1, R3", "\tBHI done", "done:", "\tRET",
	}
	if got := f.kernels[0].body; !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if want := []string{"//go:build !purego", "", `#include "textflag.h"`, `#include "steps_arm64.h"`}; !slices.Equal(f.head, want) {
		t.Errorf("%q", f.head)
	}
	if len(f.data["signs"]) != 3 {
		t.Errorf("%q", f.data)
	}
	for _, wrong := range []string{"STEP(FADD_S4, V2)", "BOTH"} {
		if _, err := expand(wrong, f.macros); err == nil || !strings.Contains(err.Error(), "arguments") {
			t.Errorf("%s: %v", wrong, err)
		}
	}
}

func TestChangesARM64(t *testing.T) {
	f := readARM64(t)
	for before, want := range map[string]string{
		"SUBS $1, R3":       "opcode ADDS $1, R3; immediate SUBS $0x0, R3; register SUBS $1, R4",
		"BHI done":          "condition BLS done; condition BHS done",
		"B done":            "",
		"CBZ R15, done":     "condition CBNZ R15, done; register CBZ R0, done",
		"TBZ $0, R3, rest":  "condition TBNZ $0, R3, rest; immediate TBZ $0x1, R3, rest",
		"FADD_S4(0, 1, 31)": "opcode FSUB_S4(0, 1, 31); register FADD_S4(1, 1, 31); register FADD_S4(0, 1, 0)",
		"FSUB_S4(0, 1, 2)":  "opcode FADD_S4(0, 1, 2); swap FSUB_S4(1, 0, 2); register FSUB_S4(1, 1, 2); register FSUB_S4(0, 1, 3)",
		"UMINV_B16(20, 3)":  "opcode WORD $(0x6E30A800 | (20)<<5 | (3)); register UMINV_B16(21, 3); register UMINV_B16(20, 4)",
		"EOR R5<<16, R6, R9": "opcode ORR R5<<16, R6, R9; shift EOR R5<<17, R6, R9; register EOR R6<<16, R6, R9; " +
			"register EOR R5<<16, R6, R10",
		"VDUP V2.S[3], V1.S4":    "lane VDUP V2.S[2], V1.S4; register VDUP V3.S[3], V1.S4; register VDUP V2.S[3], V2.S4",
		"LDP.P 32(R1), (R5, R6)": "displacement LDP.P 40(R1), (R5, R6); increment LDP (R1), (R5, R6); swap LDP.P 32(R1), (R6, R5); register LDP.P 32(R1), (R5, R7)",
		"FSTPQ (F2, F3), (R11)":  "swap FSTPQ (F3, F2), (R11); displacement FSTPQ (F2, F3), 16(R11); register FSTPQ (F2, F4), (R11)",
		"VLD1.P 64(R1), [V30.D2, V31.D2]": "displacement VLD1.P 72(R1), [V30.D2, V31.D2]; increment VLD1 (R1), [V30.D2, V31.D2]; " +
			"register VLD1.P 64(R1), [V31.D2, V0.D2]",
		"VZIP1 V3.H8, V2.H8, V4.H8": "opcode VZIP2 V3.H8, V2.H8, V4.H8; swap VZIP1 V2.H8, V3.H8, V4.H8; register VZIP1 V4.H8, V2.H8, V4.H8; " +
			"register VZIP1 V3.H8, V2.H8, V5.H8",
		"FMOVD (R11)(R12<<3), F0":   "register FMOVD (R11)(R12<<3), F1",
		"MOVD $signs<>(SB), R14":    "register MOVD $signs<>(SB), R15",
		"STP (ZR, ZR), 8(R2)":       "displacement STP (ZR, ZR), 16(R2)",
		"MOVD codes_base+0(FP), R0": "register MOVD codes_base+0(FP), R1",
	} {
		var got []string
		for _, c := range changesARM64(f, before) {
			got = append(got, c.kind+" "+c.after)
		}
		if got := strings.Join(got, "; "); got != want {
			t.Errorf("%s: %s\nwant %s", before, got, want)
		}
	}
}

// TestFrameOfMutants checks that the function that selects the mutant has no frame, so that the
// mutant returns to its caller.
func TestFrameOfMutants(t *testing.T) {
	f := readARM64(t)
	k := f.kernels[0]
	lines, _ := f.batches(k, k.mutants(), outcomes{})[0].assembly()
	text := strings.Join(lines, "\n")
	for _, want := range []string{"TEXT ·sum(SB), NOSPLIT|NOFRAME, $0-32", "TEXT ·sum__0(SB), NOSPLIT, $184-32", "VDUP R15, V31.D2", "JMP (R17)"} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
	if got := withoutFrame("TEXT ·a(SB), NOSPLIT, $0-8"); got != "TEXT ·a(SB), NOSPLIT, $0-8" {
		t.Error(got)
	}
}

func TestArchitectureOf(t *testing.T) {
	for path, want := range map[string]string{"a/accumulate/f32_avx2_amd64.s": "accumulate.txt", "a/accumulate/f32_neon_arm64.s": "accumulate_arm64.txt"} {
		if a, err := architectureOf(path); err != nil || a.reviews(path) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
	if _, err := architectureOf("f32_s390x.s"); err == nil {
		t.Error("no error for another architecture")
	}
}

// TestSkipped checks that tests of ops without a kernel for the architecture are skipped.
func TestSkipped(t *testing.T) {
	for path, want := range map[string]string{
		"../../asm/hamming/scan_neon_arm64.s":    "^Test(Near|Read)|^TestFrozen/./^(near|read)",
		"../../asm/hamming/scan_avx2_amd64.s":    "",
		"../../asm/accumulate/f32_neon_arm64.s":  "",
		"../../asm/accumulate/unit_avx2_amd64.s": "",
	} {
		f, err := readFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := f.kernels[0].skipped(); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

// TestMutateARealKernelForARM64 does the same as TestMutateARealKernel, with the emulator.
func TestMutateARealKernelForARM64(t *testing.T) {
	if _, err := arm64.emulator(); err != nil {
		t.Skip(err)
	}
	out := filepath.Join(t.TempDir(), "out.txt")
	err := run([]string{"-every", "0", "-sample", "4", "-j", "1", "-budget", "8m", "-out", out, "-reviewed", "reviewed", "../../asm/accumulate/unit_neon_arm64.s"}, io.Discard, io.Discard)
	done, readErr := readOutcomes(out)
	if readErr != nil || len(done) < 4 {
		t.Errorf("%v; %v; %v", err, readErr, done)
	}
}
