// Package conditions binds a measurement to processors, and reports its conditions: the load of
// other programs on these processors, and the time that the hypervisor took.
//
// Verdicts do not depend on these reports, since they rest only on the order of runs (package ab).
// The reports help users to understand why a comparison is unclear.
package conditions

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"simhashkit/internal/english"
)

const (
	minStolen      = 0.01                   // share of stolen time that is reported
	minOthers      = 0.05                   // share of other programs that is reported
	window         = 200 * time.Millisecond // time in which LeastBusy measures the load
	ticksPerSecond = 100                    // Linux's USER_HZ, the same on every machine
)

// Binding describes the processors of the runs.
type Binding struct {
	Processors []int // in ascending order; nil if unknown
	Bound      bool  // the runs are bound to Processors
	Allowed    int   // number of processors that this program may use; 0 if unknown
	Wanted     int   // number of threads of the runs
}

// Monitor watches a measurement. It is not safe for concurrent use.
type Monitor struct {
	Binding
	before stat    // nil if unknown
	own    float64 // processor time at the start, in seconds
	start  time.Time
}

// Watch starts to monitor the processors. Systems other than Linux provide little information.
func Watch(b Binding) *Monitor {
	m := &Monitor{Binding: b, own: ownSeconds(), start: time.Now()}
	if s, err := readStat(); err == nil {
		m.before = s
	}
	return m
}

// Notes describes what may have disturbed the measurement so far.
func (m *Monitor) Notes() []string {
	notes := m.binding()
	if m.before != nil {
		if after, err := readStat(); err == nil {
			notes = append(notes, m.usage(after.since(m.before, m.Processors...), ownSeconds()-m.own, time.Since(m.start).Seconds())...)
		}
	}
	if len(m.Processors) > 0 {
		if g := governor(m.Processors[0]); g != "" && g != "performance" {
			notes = append(notes, fmt.Sprintf("the clock frequency follows the governor %q; performance gives steadier times", g))
		}
	}
	return notes
}

func (m *Monitor) names() string {
	return english.Plural(len(m.Processors), "processor ", "processors ") + strings.Trim(fmt.Sprint(m.Processors), "[]")
}

func (m *Monitor) binding() []string {
	notes := []string{"runs were not bound to processors"}
	if m.Bound {
		notes[0] = "runs were bound to " + m.names()
	}
	switch {
	case m.Allowed == 1:
		notes = append(notes, "there is only one processor: other programs take time from the runs")
	case m.Allowed > 0 && m.Wanted > m.Allowed:
		notes = append(notes, fmt.Sprintf("the runs need %d processors, but there are only %d", m.Wanted, m.Allowed))
	}
	return notes
}

// usage reports how much time others took on the processors. own is the time of the runs in
// seconds.
func (m *Monitor) usage(t ticks, own, elapsed float64) (notes []string) {
	if s := t.share(t.stolen); s > minStolen {
		notes = append(notes, fmt.Sprintf("the hypervisor took %.0f%% of the time of %s for others (steal time)", math.Max(1, 100*s), m.names()))
	}
	if !m.Bound || elapsed <= 0 {
		return notes
	}
	others := (t.busy/ticksPerSecond - own) / (elapsed * float64(len(m.Processors)))
	if others > minOthers {
		notes = append(notes, fmt.Sprintf("other programs took %.0f%% of the time of %s while the runs were made", 100*math.Min(1, others), m.names()))
	}
	return notes
}

// LeastBusy measures the load of the allowed processors for a moment, and returns the n least busy
// ones. If it cannot measure, it returns all.
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
	// Among equal ones, prefer later processors: interrupts and other bindings often use the first.
	order := slices.Clone(allowed)
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(after.since(before, a).taken(), after.since(before, b).taken()), cmp.Compare(b, a))
	})
	chosen := order[:n]
	slices.Sort(chosen)
	return chosen
}

// ticks counts the clock ticks of a processor by state, since the system started.
type ticks struct{ busy, idle, stolen float64 }

// taken is the share of the time that was not idle; 0 if no time passed.
func (t ticks) taken() float64 { return t.share(t.busy + t.stolen) }

func (t ticks) share(part float64) float64 {
	if all := t.busy + t.idle + t.stolen; all > 0 {
		return part / all
	}
	return 0
}

// stat is /proc/stat: ticks by processor.
type stat map[int]ticks

// since returns the sum of the ticks of the processors since another stat.
func (s stat) since(before stat, processors ...int) (sum ticks) {
	for _, n := range processors {
		sum.busy += s[n].busy - before[n].busy
		sum.idle += s[n].idle - before[n].idle
		sum.stolen += s[n].stolen - before[n].stolen
	}
	return sum
}

func readStat() (stat, error) {
	file, err := os.Open("/proc/stat")
	if err != nil {
		return nil, fmt.Errorf("conditions: %w", err)
	}
	defer file.Close()
	return parseStat(file)
}

// parseStat reads proc_stat(5): "cpu0 user nice system idle iowait irq softirq steal guest".
func parseStat(r io.Reader) (stat, error) {
	s := stat{}
	scanner := bufio.NewScanner(r)
	scanner.Buffer(nil, 1<<20) // the line of interrupts is long
	for scanner.Scan() {
		fields := strings.Fields(scanner.Text())
		if len(fields) < 5 || !strings.HasPrefix(fields[0], "cpu") || fields[0] == "cpu" {
			continue
		}
		n, err := strconv.ParseUint(strings.TrimPrefix(fields[0], "cpu"), 10, 31)
		if err != nil {
			return nil, fmt.Errorf("conditions: /proc/stat: %q: expected cpu and a number", fields[0])
		}
		var v [8]float64
		for i := range min(len(fields)-1, len(v)) {
			number, err := strconv.ParseUint(fields[i+1], 10, 64)
			if err != nil {
				return nil, fmt.Errorf("conditions: /proc/stat: %s: expected a number, got %q", fields[0], fields[i+1])
			}
			v[i] = float64(number)
		}
		s[int(n)] = ticks{busy: v[0] + v[1] + v[2] + v[5] + v[6], idle: v[3] + v[4], stolen: v[7]}
	}
	if err := scanner.Err(); err != nil {
		return nil, fmt.Errorf("conditions: /proc/stat: %w", err)
	}
	if len(s) == 0 {
		return nil, errors.New("conditions: /proc/stat has no processors")
	}
	return s, nil
}

// governor returns the processor's frequency governor, or "" if it is unknown.
func governor(n int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", n))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
