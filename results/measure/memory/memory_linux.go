package memory

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Peak returns the most memory of this process, in bytes, that has been in use at once since it
// began or ResetPeak was called: VmHWM, which counts what it has read of mapped files too.
func Peak() (int64, bool) { return PeakOf(os.Getpid()) }

// PeakOf returns the same of another process. The system's own figure at its end will not do: it
// counts what this process had in use when it began the other.
func PeakOf(pid int) (int64, bool) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, false
	}
	return field(status, "VmHWM")
}

// ResetPeak has Peak begin anew, with what is in use now.
func ResetPeak() error { return os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// Tree returns the memory that a process and all that it has started use now, in bytes: their own,
// without mapped files, and what several share counts once.
func Tree(root int) int64 {
	children := map[int][]int{}
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return 0
	}
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
		if err != nil {
			continue // it has ended
		}
		// The name, which may hold anything, ends at the last bracket; the state follows, and then
		// the parent.
		fields := strings.Fields(string(stat[strings.LastIndexByte(string(stat), ')')+1:]))
		if parent, err := strconv.Atoi(fields[1]); err == nil {
			children[parent] = append(children[parent], pid)
		}
	}
	sum := int64(0)
	for todo := []int{root}; len(todo) > 0; {
		pid := todo[0]
		todo = append(todo[1:], children[pid]...)
		if text, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid)); err == nil {
			bytes, _ := field(text, "Pss_Anon")
			sum += bytes
		}
	}
	return sum
}
