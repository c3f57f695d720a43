package conditions

import (
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// Allowed returns the processors that the calling thread may run on.
func Allowed() ([]int, error) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil, fmt.Errorf("conditions: %w", err)
	}
	var list []int
	for n := range 8 * len(set) * unix.SizeofPtr {
		if set.IsSet(n) {
			list = append(list, n)
		}
	}
	return list, nil
}

// Bind locks the goroutine to its thread, and binds the thread and its child processes to the
// processors. release undoes both.
func Bind(processors []int) (release func(), err error) {
	runtime.LockOSThread()
	var former, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &former); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("conditions: %w", err)
	}
	for _, n := range processors {
		set.Set(n)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		runtime.UnlockOSThread()
		return nil, fmt.Errorf("conditions: bind to processors %v: %w", processors, err)
	}
	return func() {
		if err := unix.SchedSetaffinity(0, &former); err != nil {
			return // the thread stays locked, and ends with the goroutine
		}
		runtime.UnlockOSThread()
	}, nil
}

// ownSeconds returns the processor time of ended child processes and of the calling thread.
func ownSeconds() float64 {
	sum := 0.0
	for _, who := range []int{unix.RUSAGE_CHILDREN, unix.RUSAGE_THREAD} {
		var usage unix.Rusage
		if err := unix.Getrusage(who, &usage); err != nil {
			return 0
		}
		for _, t := range []unix.Timeval{usage.Utime, usage.Stime} {
			sum += float64(t.Sec) + float64(t.Usec)*1e-6
		}
	}
	return sum
}
