package conditions

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// ErrUnsupported says that this system does not let a program choose its processors, or that this
// package does not know how.
var ErrUnsupported = errors.New("conditions: binding runs to processors works on Linux only")

// window is how long processors are watched for the least busy one.
const window = 200 * time.Millisecond

// FormatList writes processors in order, as Linux does: 0,2-3.
func FormatList(list []int) string {
	var parts []string
	for i := 0; i < len(list); {
		j := i
		for j+1 < len(list) && list[j+1] == list[j]+1 {
			j++
		}
		if j == i {
			parts = append(parts, strconv.Itoa(list[i]))
		} else {
			parts = append(parts, fmt.Sprintf("%d-%d", list[i], list[j]))
		}
		i = j + 1
	}
	return strings.Join(parts, ",")
}

// LeastBusy watches the allowed processors for a moment and returns the n least busy, in order. It
// returns all of them if there are no more than n, or if nothing is known.
func LeastBusy(n int, allowed []int) []int {
	if len(allowed) <= n {
		return allowed
	}
	before, err := readStat()
	if err != nil {
		return allowed
	}
	time.Sleep(window)
	after, err := readStat()
	if err != nil {
		return allowed
	}
	return leastBusy(n, allowed, before, after)
}

func leastBusy(n int, allowed []int, before, after stat) []int {
	// Later ones first where equal: interrupts and other people's bindings go to the first.
	order := slices.Clone(allowed)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(after.of(a).less(before.of(a)).taken(), after.of(b).less(before.of(b)).taken()), cmp.Compare(b, a))
	})
	chosen := order[:n]
	slices.Sort(chosen)
	return chosen
}
