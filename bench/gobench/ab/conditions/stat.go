package conditions

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// ticksPerSecond is Linux's USER_HZ, the same on every machine.
const ticksPerSecond = 100

// ticks is what a processor did since the system has started.
type ticks struct{ busy, idle, stolen float64 }

func (t ticks) less(u ticks) ticks {
	return ticks{t.busy - u.busy, t.idle - u.idle, t.stolen - u.stolen}
}

func (t ticks) plus(u ticks) ticks {
	return ticks{t.busy + u.busy, t.idle + u.idle, t.stolen + u.stolen}
}

// taken is the share of the time that was not idle; 0 if no time passed.
func (t ticks) taken() float64 { return share(t.busy+t.stolen, t) }

func share(part float64, t ticks) float64 {
	if all := t.busy + t.idle + t.stolen; all > 0 {
		return part / all
	}
	return 0
}

// stat is /proc/stat: ticks by processor.
type stat map[int]ticks

func (s stat) of(n int) ticks { return s[n] }

// sum adds up the ticks of processors.
func (s stat) sum(processors []int) ticks {
	var all ticks
	for _, n := range processors {
		all = all.plus(s[n])
	}
	return all
}

func readStat() (stat, error) {
	file, err := os.Open("/proc/stat")
	if err != nil {
		return nil, fmt.Errorf("conditions: %w", err)
	}
	defer file.Close()
	return parseStat(file)
}

// parseStat reads lines like "cpu0 user nice system idle iowait irq softirq steal guest
// guest_nice"; see proc_stat(5). Guests' time is part of user time.
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

// governor returns the name of the processor's frequency governor, "" if that is not known, as in a
// virtual machine.
func governor(n int) string {
	text, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/cpufreq/scaling_governor", n))
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
