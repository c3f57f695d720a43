package conditions

import (
	"bytes"
	"fmt"
	"os/exec"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A child process of a bound goroutine runs only on the same processors. release restores the
// affinity.
func TestBind(t *testing.T) {
	before := allowed()
	if len(before) == 0 {
		t.Fatal("no processors")
	}
	last := before[len(before)-1:]
	release, err := bindTo(last)
	if err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command("grep", "Cpus_allowed_list", "/proc/self/status").Output()
	inside := allowed()
	release()
	if err != nil {
		t.Fatal(err)
	}
	if got := string(bytes.TrimSpace(bytes.TrimPrefix(text, []byte("Cpus_allowed_list:")))); got != strconv.Itoa(last[0]) || !slices.Equal(inside, last) {
		t.Errorf("a child may run on %q, this thread on %v; want %v", got, inside, last)
	}
	if after := allowed(); !slices.Equal(after, before) {
		t.Errorf("%v; want %v as before", after, before)
	}
	if _, err := bindTo([]int{1023}); err == nil {
		t.Error("bound to a processor that does not exist")
	}
}

// A monitor binds this goroutine to as many processors as wanted, until it is released.
func TestWatchBinds(t *testing.T) {
	before := allowed()
	m := Watch(1, true)
	inside, notes := allowed(), m.Notes()
	m.Release()
	if len(inside) != 1 || !strings.HasPrefix(notes[0], fmt.Sprintf("runs were bound to processor %d", inside[0])) {
		t.Errorf("bound to %v: %q", inside, notes)
	}
	if after := allowed(); !slices.Equal(after, before) {
		t.Errorf("%v; want %v as before", after, before)
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
