package steps

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

func begin() {
	runtime.LockOSThread()
	// what follows has a slice of time of its own, which does not end while the thread that would
	// see to that is stopped
	runtime.Gosched()
	runtime.Breakpoint()
}

func end() {
	runtime.Breakpoint()
	runtime.UnlockOSThread()
}

// own are functions that lead to and from a breakpoint.
var own = []string{"runtime.breakpoint", "runtime.Breakpoint", "simhashkit/bench/internal/steps.begin", "simhashkit/bench/internal/steps.end", "simhashkit/bench/internal/steps.Begin", "simhashkit/bench/internal/steps.End"}

// The runtime is kept from what would be counted and is not the program's own: preemption by
// signals, and collections of garbage.
var quiet = []string{"GODEBUG=asyncpreemptoff=1", "GOGC=off"}

func count(args, settings []string) (counts map[string]int, err error) {
	runtime.LockOSThread() // a process is traced by a thread
	defer runtime.UnlockOSThread()
	out, err := os.CreateTemp("", "fphash-steps-")
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	defer func() { err = errors.Join(err, out.Close(), os.Remove(out.Name())) }()
	pid, err := syscall.ForkExec("/proc/self/exe", append([]string{os.Args[0]}, args...), &syscall.ProcAttr{
		Env: append(append(os.Environ(), quiet...), settings...), Files: []uintptr{0, out.Fd(), out.Fd()}, Sys: &syscall.SysProcAttr{Ptrace: true},
	})
	if err != nil {
		return nil, fmt.Errorf("steps: %w", err)
	}
	defer time.AfterFunc(longest, func() { _ = unix.Kill(pid, unix.SIGKILL) }).Stop()
	counts, err = child{pid}.count()
	if err != nil {
		_ = unix.Kill(pid, unix.SIGKILL)
		for _, _, gone := wait(); gone == nil; {
			_, _, gone = wait()
		}
		text, _ := os.ReadFile(out.Name())
		return nil, fmt.Errorf("steps: %w\n%s", err, bytes.TrimSpace(text))
	}
	return counts, nil
}

// wait waits for any thread of the child: a first thread that was killed is not reported before all
// others have been. Children of other threads of this process are not touched.
func wait() (thread int, status unix.WaitStatus, err error) {
	for {
		thread, err = unix.Wait4(-1, &status, unix.WALL|unix.WNOTHREAD, nil)
		if !errors.Is(err, unix.EINTR) {
			return thread, status, err
		}
	}
}

// child is the process that is stepped.
type child struct{ pid int }

func (c child) count() (map[string]int, error) {
	var status unix.WaitStatus
	if _, err := unix.Wait4(c.pid, &status, 0, nil); err != nil {
		return nil, err
	}
	if !status.Stopped() {
		return nil, errors.New("the program ended before its first instruction")
	}
	if err := unix.PtraceSetOptions(c.pid, unix.PTRACE_O_TRACECLONE|unix.PTRACE_O_EXITKILL); err != nil {
		return nil, fmt.Errorf("tracing threads: %w", err)
	}
	if err := unix.PtraceCont(c.pid, 0); err != nil {
		return nil, err
	}
	thread, err := c.run()
	if err != nil {
		return nil, err
	}
	others, err := c.stopOthers(thread)
	if err != nil {
		return nil, err
	}
	counts, err := step(thread)
	if err != nil {
		return nil, err
	}
	for _, t := range append(others, thread) {
		if err := unix.PtraceCont(t, 0); err != nil && !errors.Is(err, unix.ESRCH) {
			return nil, err
		}
	}
	if _, err = c.run(); !errors.Is(err, errExited) {
		return nil, errors.Join(errors.New("it came to Begin once more"), err)
	}
	return counts, nil
}

// stopOthers stops all threads but one: while it is stepped, nothing shall ask it to make room.
func (c child) stopOthers(thread int) (stopped []int, err error) {
	entries, err := os.ReadDir(fmt.Sprintf("/proc/%d/task", c.pid))
	if err != nil {
		return nil, err
	}
	for _, entry := range entries {
		t, err := strconv.Atoi(entry.Name())
		if err != nil || t == thread {
			continue
		}
		if err := unix.Tgkill(c.pid, t, unix.SIGSTOP); err != nil {
			continue // it has ended
		}
		if _, err := unix.Wait4(t, nil, unix.WALL, nil); err == nil {
			stopped = append(stopped, t)
		}
	}
	return stopped, nil
}

var errExited = errors.New("the program came to its end without Begin")

// run lets all threads run until one of them stops at a breakpoint, and returns that. Other signals
// are passed on.
func (c child) run() (thread int, err error) {
	for {
		tid, status, err := wait()
		switch {
		case err != nil:
			return 0, err
		case status.Exited() && tid == c.pid:
			if status.ExitStatus() != 0 {
				return 0, fmt.Errorf("exit code %d", status.ExitStatus())
			}
			return 0, errExited
		case status.Signaled() && tid == c.pid:
			return 0, fmt.Errorf("ended by signal %v", status.Signal())
		case !status.Stopped():
			continue // another thread has ended
		case status.StopSignal() == unix.SIGTRAP && atBreakpoint(tid):
			return tid, nil
		}
		signal := status.StopSignal()
		if signal == unix.SIGTRAP || signal == unix.SIGSTOP { // events of tracing
			signal = 0
		}
		if err := unix.PtraceCont(tid, int(signal)); err != nil && !errors.Is(err, unix.ESRCH) {
			return 0, err
		}
	}
}

// step steps the thread to the next breakpoint.
func step(thread int) (map[string]int, error) {
	places := map[uint64]int{}
	for {
		if err := unix.PtraceSingleStep(thread); err != nil {
			return nil, err
		}
		_, status, err := wait() // all others are stopped
		switch {
		case err != nil:
			return nil, err
		case !status.Stopped():
			return nil, errors.New("the program ended between Begin and End, or takes too long")
		case status.StopSignal() == unix.SIGURG:
			// the runtime's wish to preempt, which may be lost; no instruction was executed
			continue
		case status.StopSignal() != unix.SIGTRAP:
			return nil, fmt.Errorf("signal %v between Begin and End", status.StopSignal())
		}
		place, err := placeOf(thread)
		if err != nil {
			return nil, err
		}
		if afterBreakpoint(place) {
			return byFunction(places), nil
		}
		places[place]++
	}
}

func byFunction(places map[uint64]int) map[string]int {
	counts := map[string]int{}
	for place, n := range places {
		if name := functionAt(place); !slices.Contains(own, name) {
			counts[name] += n
		}
	}
	return counts
}

func atBreakpoint(thread int) bool {
	place, err := placeOf(thread)
	return err == nil && afterBreakpoint(place)
}

// afterBreakpoint reports whether the instruction before is the breakpoint, which is the first of
// its function and one byte long.
func afterBreakpoint(place uint64) bool {
	f := runtime.FuncForPC(uintptr(place))
	return f != nil && f.Name() == own[0] && uintptr(place) == f.Entry()+1
}

// placeOf returns the address of the instruction that the thread will execute next.
func placeOf(thread int) (uint64, error) {
	var registers unix.PtraceRegsAmd64
	err := unix.PtraceGetRegsAmd64(thread, &registers)
	return registers.Rip, err
}

// functionAt returns the function of this program, and so of the child, that an address is in.
func functionAt(place uint64) string {
	if f := runtime.FuncForPC(uintptr(place)); f != nil {
		return f.Name()
	}
	return "?"
}
