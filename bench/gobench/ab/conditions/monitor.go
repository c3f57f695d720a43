package conditions

import (
	"fmt"
	"math"
	"time"
)

// What is worth a note.
const (
	minStolen = 0.01 // of the time
	minOthers = 0.05
)

// Binding says where runs may run.
type Binding struct {
	Processors []int // in order; nil: not known
	Bound      bool  // the runs are bound to them
	Allowed    int   // how many this program may use at all; 0: not known
	Wanted     int   // how many threads the runs want
}

// Monitor watches a measurement. It is not safe for concurrent use.
type Monitor struct {
	Binding
	before stat    // nil: not known
	own    float64 // seconds of processor time before
	start  time.Time
}

// Watch starts to watch the processors. On systems other than Linux it sees little.
func Watch(b Binding) *Monitor {
	m := &Monitor{Binding: b, own: ownSeconds(), start: time.Now()}
	if s, err := readStat(); err == nil {
		m.before = s
	}
	return m
}

// Notes says in words what may have disturbed the measurement up to now.
func (m *Monitor) Notes() []string {
	notes := m.binding()
	if m.before != nil {
		if after, err := readStat(); err == nil {
			used := after.sum(m.Processors).less(m.before.sum(m.Processors))
			notes = append(notes, m.usage(used, ownSeconds()-m.own, time.Since(m.start).Seconds())...)
		}
	}
	if len(m.Processors) > 0 {
		if g := governor(m.Processors[0]); g != "" && g != "performance" {
			notes = append(notes, fmt.Sprintf("the clock frequency follows the governor %q; performance gives steadier times", g))
		}
	}
	return notes
}

// names is "processor 1" or "processors 0-1".
func (m *Monitor) names() string {
	if len(m.Processors) == 1 {
		return "processor " + FormatList(m.Processors)
	}
	return "processors " + FormatList(m.Processors)
}

func (m *Monitor) binding() []string {
	notes := []string{"runs were not bound to processors"}
	if m.Bound {
		notes[0] = "runs were bound to " + m.names()
	}
	switch {
	case m.Allowed == 1:
		notes = append(notes, "there is one processor only: whatever else runs takes its time from the runs")
	case m.Allowed > 0 && m.Wanted > m.Allowed:
		notes = append(notes, fmt.Sprintf("the runs want %d processors, and there are %d", m.Wanted, m.Allowed))
	}
	return notes
}

// usage reports what the hypervisor and other programs have taken of the processors. own is the
// seconds of the runs themselves.
func (m *Monitor) usage(t ticks, own, elapsed float64) (notes []string) {
	if s := share(t.stolen, t); s > minStolen {
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
