package conditions

import (
	"bytes"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"testing"
)

// A child process of a bound goroutine runs only on the same processors. release restores the
// affinity.
func TestBind(t *testing.T) {
	allowed, err := Allowed()
	if err != nil || len(allowed) == 0 {
		t.Fatalf("%v, %v", allowed, err)
	}
	last := allowed[len(allowed)-1:]
	release, err := Bind(last)
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("grep", "Cpus_allowed_list", "/proc/self/status").Output()
	inside, insideErr := Allowed()
	release()
	if err != nil || insideErr != nil {
		t.Fatal(err, insideErr)
	}
	if got := string(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("Cpus_allowed_list:")))); got != strconv.Itoa(last[0]) || !slices.Equal(inside, last) {
		t.Errorf("a child may run on %q, this thread on %v; want %v", got, inside, last)
	}
	if after, err := Allowed(); err != nil || !slices.Equal(after, allowed) {
		t.Errorf("%v, %v; want %v as before", after, err, allowed)
	}
	if _, err := Bind([]int{1023}); err == nil {
		t.Error("bound to a processor that does not exist")
	}
}

// The time of this thread does not count as time of other programs.
func TestOwnSeconds(t *testing.T) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	before, sink := ownSeconds(), uint64(1)
	for i := range uint64(1 << 26) {
		sink = sink*0x9e3779b97f4a7c15 + i
	}
	if after := ownSeconds(); after <= before || sink == 0 {
		t.Errorf("%v seconds of processor time before, %v after", before, after)
	}
}
