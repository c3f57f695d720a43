package conditions

import (
	"runtime"

	"golang.org/x/sys/unix"
)

// allowed returns the processors that the calling thread may run on; nil if unknown.
func allowed() (list []int) {
	var set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &set); err != nil {
		return nil
	}
	for n := range 8 * len(set) * unix.SizeofPtr {
		if set.IsSet(n) {
			list = append(list, n)
		}
	}
	return list
}

// bindTo locks the goroutine to its thread, and binds the thread and its child processes to the
// processors. release undoes both.
func bindTo(processors []int) (release func(), err error) {
	runtime.LockOSThread()
	var former, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &former); err != nil {
		runtime.UnlockOSThread()
		return nil, err
	}
	for _, n := range processors {
		set.Set(n)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		runtime.UnlockOSThread()
		return nil, err
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
