package main

import (
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
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
	for _, m := range f.kernels[1].mutants() {
		if m.kind == "constant" {
			t.Errorf("%s: the constant belongs to the first kernel that reads it", m.id(f.kernels[1]))
		}
	}
}

func TestSampleIsSeeded(t *testing.T) {
	k := readSource(t).kernels[0]
	few := func(seed uint64) []mutant { return (&options{every: 1, sample: 5, seed: seed}).choose(k) }
	if a, b := few(1), few(1); len(a) != 5 || !slices.Equal(a, b) {
		t.Errorf("%v, and again %v", a, b)
	}
	if slices.Equal(few(1), few(2)) {
		t.Error("two seeds draw the same")
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
				break // what follows has moved up
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

func TestReviewed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "reviewed.txt")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("# about the list\n\n# one\n# reason\na: .*\n\n# another\nb: x\n")
	list, err := readReviewed(path)
	if err != nil || len(list) != 2 || list[0].reason != "one reason" {
		t.Fatalf("%v %v", list, err)
	}
	for id, want := range map[string]bool{"a: anything": true, "b: x": true, "b: xy": false, "ab: x": false} {
		if isReviewed(list, id) != want {
			t.Errorf("%q: %v", id, !want)
		}
	}
	for text, want := range map[string]string{"a: .*\n": ":1: a pattern without a reason", "# r\n(\n": ":2: error parsing"} {
		write(text)
		if _, err := readReviewed(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func TestResume(t *testing.T) {
	path := filepath.Join(t.TempDir(), "out.txt")
	l, err := newLog(path, false)
	if err != nil {
		t.Fatal(err)
	}
	l.add("a", killed)
	l.add("b", survived)
	l.add("c", endless)
	l.add("d", notAssembled)
	if _, err := l.f.WriteString("kil"); err != nil { // interrupted
		t.Fatal(err)
	}
	if err := l.close(); err != nil {
		t.Fatal(err)
	}
	again, err := newLog(path, true)
	if err != nil {
		t.Fatal(err)
	}
	again.add("e", killed)
	if err := again.close(); err != nil {
		t.Fatal(err)
	}
	done, err := readOutcomes(path)
	if err != nil || len(done) != 4 || done["a"] != killed || done["c"] != endless || done["d"] != notAssembled || done["e"] != killed {
		t.Errorf("%v %v", done, err)
	}
	if none, err := readOutcomes(path + ".none"); err != nil || len(none) != 0 {
		t.Errorf("%v %v", none, err)
	}
}

func TestReportCountsSurvivorsThatNobodyReviewed(t *testing.T) {
	var out strings.Builder
	list := []review{{regexp.MustCompile("^k: swap.*$"), "symmetric"}}
	fresh := report(&out, outcomes{"k: delete: x #1 -> nothing": killed}, outcomes{"k: swap: y #1 -> z": survived, "k: delete: y #1 -> nothing": survived, "k: delete: z #1 -> nothing": endless}, list)
	if fresh != 1 || !strings.Contains(out.String(), "SURVIVED k: delete: y #1 -> nothing") || strings.Contains(out.String(), "SURVIVED k: swap") {
		t.Errorf("%d\n%s", fresh, out.String())
	}
}

// The tool works on the module it stands in: a few mutants of a real kernel, of which some must be killed.
func TestMutateARealKernel(t *testing.T) {
	if testing.Short() {
		t.Skip("builds a test binary")
	}
	if _, err := os.Stat("../../../go.mod"); err != nil {
		t.Skip("the root of the module is not where it was")
	}
	t.Chdir("../../..")
	out := filepath.Join(t.TempDir(), "out.txt")
	var stdout strings.Builder
	err := run([]string{"-every", "0", "-sample", "8", "-j", "1", "-budget", "2m", "-out", out, "asm/accumulate/f32_avx2_amd64.s"}, &stdout, io.Discard)
	if strings.Contains(stdout.String(), "not run, this processor lacks") {
		t.Skip("this processor has no AVX2")
	}
	done, readErr := readOutcomes(out)
	if readErr != nil || len(done) < 8 {
		t.Errorf("%v; %v; %v\n%s", err, readErr, done, stdout.String())
	}
}
