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

// maxProcessor is the largest number of a processor in a list.
const maxProcessor = 1 << 16

// ParseList reads a list of processors as Linux writes it: 0,2-3.
func ParseList(text string) ([]int, error) {
	var in [maxProcessor + 1]bool
	for part := range strings.SplitSeq(text, ",") {
		from, to, isRange := strings.Cut(strings.TrimSpace(part), "-")
		if !isRange {
			to = from
		}
		first, err := strconv.Atoi(from)
		last, err2 := strconv.Atoi(to)
		if err != nil || err2 != nil || first < 0 || last < first || last > maxProcessor {
			return nil, fmt.Errorf("conditions: list of processors %q: expected numbers and ranges, as in 0,2-3", text)
		}
		for n := first; n <= last; n++ {
			in[n] = true
		}
	}
	var list []int
	for n := range in {
		if in[n] {
			list = append(list, n)
		}
	}
	return list, nil
}

// FormatList writes processors in order as ParseList reads them.
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
