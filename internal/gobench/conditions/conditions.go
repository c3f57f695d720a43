// Package conditions binds a measurement to processors, and reports its conditions: the load of
// other programs on these processors, and the time that the hypervisor took.
//
// Verdicts do not depend on these reports, since they rest only on the order of runs (package ab).
// The reports help users to understand why a comparison is unclear.
package conditions

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"time"

	"simhashkit/internal/english"
)

const (
	minStolen      = 0.01                   // share of stolen time that is reported
	minOthers      = 0.05                   // share of other programs that is reported
	window         = 200 * time.Millisecond // time in which leastBusyNow measures the load
	ticksPerSecond = 100                    // Linux's USER_HZ, the same on every machine
)

// Monitor watches a measurement. It is not safe for concurrent use.
type Monitor struct {
	Release func() // ends the binding to processors

	processors []int // of the runs, in ascending order; nil if unknown
	bound      bool  // the runs are bound to processors
	allowed    int   // number of processors that this program may use; 0 if unknown
	wanted     int   // number of threads of the runs

	before stat    // nil if unknown
	own    float64 // processor time at the start, in seconds
	start  time.Time
}

// Watch starts to monitor runs with this number of threads. If bind is true and the system allows
// it, Watch binds the calling goroutine and its child processes to the least busy processors, until
// Release. Systems other than Linux provide little information.
func Watch(threads int, bind bool) *Monitor {
	all := allowed()
	m := &Monitor{processors: all, allowed: len(all), wanted: threads, Release: func() {}}
	if bind && len(all) > 0 {
		chosen := leastBusyNow(threads, all)
		if release, err := bindTo(chosen); err == nil {
			m.processors, m.bound, m.Release = chosen, true, release
		}
	}
	m.own, m.start, m.before = ownSeconds(), time.Now(), readStat()
	return m
}

// Notes describes what may have disturbed the measurement so far.
func (m *Monitor) Notes() []string {
	notes := m.binding()
	if after := readStat(); m.before != nil && after != nil {
		notes = append(notes, m.usage(after.since(m.before, m.processors...), ownSeconds()-m.own, time.Since(m.start).Seconds())...)
	}
	return notes
}

func (m *Monitor) names() string {
	return english.Plural(len(m.processors), "processor ", "processors ") + strings.Trim(fmt.Sprint(m.processors), "[]")
}

func (m *Monitor) binding() []string {
	notes := []string{"runs were not bound to processors"}
	if m.bound {
		notes[0] = "runs were bound to " + m.names()
	}
	switch {
	case m.allowed == 1:
		notes = append(notes, "there is only one processor: other programs take time from the runs")
	case m.allowed > 0 && m.wanted > m.allowed:
		notes = append(notes, fmt.Sprintf("the runs need %d processors, but there are only %d", m.wanted, m.allowed))
	}
	return notes
}

// usage reports how much time others took on the processors. own is the time of the runs in
// seconds.
func (m *Monitor) usage(t ticks, own, elapsed float64) (notes []string) {
	if s := t.share(t.stolen); s > minStolen {
		notes = append(notes, fmt.Sprintf("the hypervisor took %.0f%% of the time of %s for others (steal time)", math.Max(1, 100*s), m.names()))
	}
	if !m.bound || elapsed <= 0 {
		return notes
	}
	others := (t.busy/ticksPerSecond - own) / (elapsed * float64(len(m.processors)))
	if others > minOthers {
		notes = append(notes, fmt.Sprintf("other programs took %.0f%% of the time of %s while the runs were made", 100*math.Min(1, others), m.names()))
	}
	return notes
}

// leastBusyNow measures the load of the allowed processors for a moment, and returns the n least
// busy ones.
func leastBusyNow(n int, allowed []int) []int {
	if len(allowed) <= n {
		return allowed
	}
	before := readStat()
	time.Sleep(window)
	return leastBusy(n, allowed, before, readStat())
}

func leastBusy(n int, allowed []int, before, after stat) []int {
	// Among equal ones, prefer later processors: interrupts and other bindings often use the first.
	order := slices.Clone(allowed)
	idle := func(n int) float64 { t := after.since(before, n); return t.share(t.idle) }
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(idle(b), idle(a)), cmp.Compare(b, a)) })
	chosen := order[:n]
	slices.Sort(chosen)
	return chosen
}

// ticks counts the clock ticks of a processor by state, since the system started.
type ticks struct{ busy, idle, stolen float64 }

// share returns a part of the time as a share of all; 0 if no time passed.
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

// readStat returns nil if the system has no /proc/stat.
func readStat() stat {
	text, err := os.ReadFile("/proc/stat")
	if err != nil {
		return nil
	}
	return parseStat(string(text))
}

// parseStat reads proc_stat(5): "cpu0 user nice system idle iowait irq softirq steal guest".
func parseStat(text string) stat {
	s := stat{}
	for line := range strings.Lines(text) {
		var n int
		var user, nice, system, idle, iowait, irq, softirq, steal float64
		_, err := fmt.Sscanf(line, "cpu%d %f %f %f %f %f %f %f %f", &n, &user, &nice, &system, &idle, &iowait, &irq, &softirq, &steal)
		if err == nil && !strings.HasPrefix(line, "cpu ") { // the sum
			s[n] = ticks{busy: user + nice + system + irq + softirq, idle: idle + iowait, stolen: steal}
		}
	}
	return s
}
