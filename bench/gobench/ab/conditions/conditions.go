// Package conditions binds a measurement to processors, and reports under which conditions it was
// made: what else ran there, and what the hypervisor took.
//
// No verdict depends on it, since verdicts rest on the order of runs alone (package ab). It tells
// people why a comparison is unclear, and what to do about it.
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
)

const (
	minStolen      = 0.01                   // of the time, for a note
	minOthers      = 0.05                   // of the time, for a note
	window         = 200 * time.Millisecond // to watch processors for the least busy one
	ticksPerSecond = 100                    // Linux's USER_HZ, the same on every machine
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

// usage reports what others took of the processors; own is the seconds of the runs themselves.
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

// ErrUnsupported says that runs cannot be bound to processors here.
var ErrUnsupported = errors.New("conditions: binding runs to processors works on Linux only")

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

// LeastBusy watches the allowed processors for a moment and returns the n least busy, if known.
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
		return cmp.Or(cmp.Compare(after.since(before, a).taken(), after.since(before, b).taken()), cmp.Compare(b, a))
	})
	chosen := order[:n]
	slices.Sort(chosen)
	return chosen
}

// ticks is what a processor did since the system has started.
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

// since sums up what processors did since another stat.
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

// governor returns the processor's frequency governor, "" if unknown.
func governor(n int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", n))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
