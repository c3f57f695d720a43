package main

import (
	"strings"
	"testing"

	"simhashkit/asm/cpu"
	"simhashkit/bench"
)

func TestKernelsHere(t *testing.T) {
	former := cpu.Active()
	code, stdout, stderr := execute(t, "", "kernels", "--kernel", "generic")
	if code != exitSuccess || !strings.Contains(stdout, "active tier: generic (--kernel generic)") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
	if cpu.Active() != former {
		t.Errorf("the cap %v outlives the command", cpu.Active())
	}
	for _, op := range bench.Ops() {
		if !strings.Contains(stdout, op.Name) {
			t.Errorf("%s is not shown", op.Name)
		}
	}
}
