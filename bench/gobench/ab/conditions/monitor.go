package conditions

import (
	"fmt"
	"math"
	"slices"
	"time"
)

// What is worth a note.
const (
	minStolen = 0.01 // of the time
	minOthers = 0.05
	minDrift  = 0.02 // of the probe's median, from the first third of a run to the last
	minSpread = 0.05 // of the probe's median, from its lower to its upper tenth
	minProbes = 30
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
	probes []float64 // seconds
	shield uint64
}

// Watch starts to watch the processors. On systems other than Linux it sees little.
func Watch(b Binding) *Monitor {
	m := &Monitor{Binding: b, own: ownSeconds(), start: time.Now()}
	if s, err := readStat(); err == nil {
		m.before = s
	}
	return m
}

// steps of the probe: at three cycles each, about a millisecond.
const steps = 1 << 20

// Probe times a fixed computation of about a millisecond, which only the clock frequency and
// interruptions can slow down. Call it before every run.
func (m *Monitor) Probe() {
	start := time.Now()
	x := m.shield | 1
	for range steps {
		x *= 0x9e3779b97f4a7c15 // each multiplication has to wait for the one before
	}
	m.probes = append(m.probes, time.Since(start).Seconds())
	m.shield = x
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
	notes = append(notes, clockNotes(m.probes)...)
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
// seconds of the runs and probes themselves.
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

// clockNotes reports drift and spread of the fixed computation.
func clockNotes(probes []float64) (notes []string) {
	n := len(probes)
	if n < minProbes {
		return nil
	}
	median := func(v []float64) float64 { return quantile(v, 0.5) }
	all := median(probes)
	if drift := median(probes[n-n/3:])/median(probes[:n/3]) - 1; math.Abs(drift) > minDrift {
		word := "slower"
		if drift < 0 {
			word = "faster"
		}
		notes = append(notes, fmt.Sprintf("the processor has become %.1f%% %s from the first third of the runs to the last, by a fixed computation: its clock has drifted, or neighbours have come or gone; both sides were hit alike",
			100*math.Abs(drift), word))
	}
	if spread := (quantile(probes, 0.9) - quantile(probes, 0.1)) / all; spread > minSpread {
		notes = append(notes, fmt.Sprintf("a fixed computation before each run varied by %.0f%% of its time (middle 80%%): the clock is unsteady, or something else wants the processor", 100*spread))
	}
	return notes
}

func quantile(v []float64, p float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[int(p*float64(len(s)-1)+0.5)]
}
