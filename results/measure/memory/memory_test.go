package memory

import (
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
)

const megabyte = 1 << 20

// touched returns memory that is in use.
func touched(n int) []byte {
	block := make([]byte, n)
	for i := 0; i < n; i += 4096 {
		block[i] = 1
	}
	return block
}

func TestPeak(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the system does not tell")
	}
	block := touched(200 * megabyte)
	peak, ok := Peak()
	if !ok || peak < 200*megabyte {
		t.Errorf("the peak is %d bytes, %v; 200 MB are in use", peak, ok)
	}
	if own := Tree(os.Getpid()); own < 200*megabyte || own > peak {
		t.Errorf("%d bytes are in use, expected 200 MB and no more than the peak of %d", own, peak)
	}
	runtime.KeepAlive(block)
}

// What other processes have started counts, and ends with them.
func TestTree(t *testing.T) {
	sleep, err := exec.LookPath("sleep")
	if err != nil || runtime.GOOS != "linux" {
		t.Skip("no sleep, or the system does not tell")
	}
	shell := exec.Command("sh", "-c", sleep+" 1000 & trap 'kill $!' TERM; wait")
	before := Tree(os.Getpid())
	if err := shell.Start(); err != nil {
		t.Fatal(err)
	}
	with := Tree(shell.Process.Pid)
	if with <= 0 || with > before {
		t.Errorf("%d bytes with a shell, this process has %d", with, before)
	}
	if peak, ok := PeakOf(shell.Process.Pid); !ok || peak <= 0 || peak > 100*megabyte {
		t.Errorf("the peak of the shell is %d bytes, %v", peak, ok)
	}
	_ = shell.Process.Signal(syscall.SIGTERM) // the shell ends what it has started
	_ = shell.Wait()
	if after := Tree(shell.Process.Pid); after != 0 {
		t.Errorf("%d bytes of a process that has ended", after)
	}
}
