package main

import (
	"maps"
	"slices"
	"testing"
)

// What llvm-objdump prints is read instruction by instruction, without addresses of branches.
func TestInstructions(t *testing.T) {
	got, err := instructions([]byte("\nprobe:\tfile format elf64-littleaarch64\n\n" +
		"000000000001b000 <a.b[go.shape.int64,go.shape.int32]>:\n" +
		"   1b000:      \tldr\tx16, [x28, #0x10]\n" +
		"   1b004:      \tb.ls\t0x1b88bc <a.b[go.shape.int64]+0x10>\n" +
		"   1b008:      \tmovi\tv0.16b, #0xff // =255\n"))
	want := map[uint64]string{0x1b000: "ldr\tx16, [x28, #0x10]", 0x1b004: "b.ls\t.", 0x1b008: "movi\tv0.16b, #0xff"}
	if err != nil || !maps.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// The emulator's log gives the instructions in the order in which they were executed; an address
// without an instruction is an error, and so is a log of nothing. What libraries do counts between
// instructions of kernels, by the same thread.
func TestExecuted(t *testing.T) {
	p := &program{text: map[uint64]string{0x10: "nop", 0x14: "ret", 0x20: "eor"}, own: [][2]uint64{{0x10, 0x18}}}
	const begin = "Trace 0: 0x7f148443a000 [0000000001009b31/"
	got, err := p.executed([]byte(begin + "0000000000000010/00000001/00080201] a\nother\n" + begin + "0000000000000014/00000001/00080201] a\n" + begin + "0000000000000010/00000001/00080201] a\n"))
	if want := []string{"nop", "ret", "nop"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	library := "0000000000000020/00000001/00080201] a\n"
	got, err = p.executed([]byte(begin + library + begin + "0000000000000010/00000001/00080201] a\n" + begin + library + "Trace 1" + begin[len("Trace 0"):] + library + begin + "0000000000000014/00000001/00080201] a\n" + begin + library))
	if want := []string{"nop", "eor", "ret"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, log := range []string{"", begin + "0000000000000018/00000001/00080201] a\n"} {
		if _, err := p.executed([]byte(log)); err == nil {
			t.Errorf("no error for %q", log)
		}
	}
}
