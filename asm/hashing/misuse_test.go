package hashing

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"simhashkit/asm/internal/kernels"
)

// TestLengthsThatDiffer checks that every kernel panics if dst has the wrong length.
func TestLengthsThatDiffer(t *testing.T) {
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		for _, keys := range []int{0, 1, 8, 100} {
			for _, more := range []int{-1, 1} {
				if keys == 0 && more < 0 {
					continue
				}
				dst := make([]uint64, o.words*keys+more)
				value := kernels.PanicOf(func() { hash(dst, make([]uint64, keys), new([4]uint64)) })
				if value == nil || !strings.Contains(fmt.Sprint(value), fmt.Sprintf("hashing: room for %d ", len(dst))) {
					t.Errorf("%d words for %d keys: panic %v", len(dst), keys, value)
				}
			}
		}
	})
}

func TestNoAllocation(t *testing.T) {
	onImplementations(t, func(t *testing.T, o op, hash func(dst, keys []uint64, secret *[4]uint64)) {
		for _, n := range []int{1, 5, 13, 100} {
			keys, dst, secret := make([]uint64, n), make([]uint64, o.words*n), new([4]uint64)
			if allocations := testing.AllocsPerRun(5, func() { hash(dst, keys, secret) }); allocations != 0 {
				t.Errorf("n=%d: %v allocations", n, allocations)
			}
		}
	})
}

// TestArgumentsDoNotEscape checks that the arguments of public functions do not escape to the heap,
// according to the compiler, which reports an escaping parameter as leaking.
func TestArgumentsDoNotEscape(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("there is no go command: ", err)
	}
	said, err := exec.Command("go", "build", "-gcflags=-m", ".").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	calls := 0
	for line := range strings.Lines(string(said)) {
		if strings.Contains(line, "dst does not escape") {
			calls++
		}
		// table in hashing.go keeps its arguments; a parameter that is returned need not escape
		if strings.Contains(line, "leaking param") && !strings.Contains(line, "hashing.go") && !strings.Contains(line, " to result ") {
			t.Error(strings.TrimSpace(line))
		}
	}
	if calls < len(ops) {
		t.Errorf("the compiler reports %d functions, want at least %d:\n%s", calls, len(ops), said)
	}
}
