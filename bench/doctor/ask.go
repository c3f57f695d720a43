package doctor

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	sampleKeys = 1 << 12     // that are timed before all others are asked
	mostBytes  = 64 << 20    // of keys and codes in a run
	firstRuns  = time.Minute // how long a run may take that asks for hardly a key
)

// Cost is the time of asking a command.
type Cost struct {
	Keys  int           // different keys that were asked; the checks' own not included
	Runs  int           // of the command for them
	Time  time.Duration // of those runs, with the pipe and the start of the command
	Start time.Duration // of one run without keys, within which most is starting the command
}

// PerKey returns the mean time for a key in nanoseconds, the pipe and starting the command
// included.
func (c Cost) PerKey() float64 { return float64(c.Time) / float64(max(c.Keys, 1)) }

// asker asks a command for many codes.
type asker struct {
	command  *Command
	all      int // keys that are to be asked
	cost     Cost
	forecast time.Duration // of all runs
	probed   []uint64      // the probe's codes
	progress func(asked, all int, left time.Duration)
}

// probe is a set of keys of many kinds: small ones, powers of two, and large ones; of listed keys,
// some from all over the list.
func (c *Command) probe() []uint64 {
	var keys []uint64
	for i := range uint64(64) {
		if c.list != nil {
			keys = append(keys, i*uint64(len(c.list))/64)
		} else {
			keys = append(keys, i, 1<<i, i*0x9E3779B97F4A7C15)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// start times the command without keys, and asks the probe's keys twice.
func (a *asker) start(ctx context.Context) (err error) {
	command := *a.command
	command.Timeout = min(command.timeout(), firstRuns)
	began := time.Now()
	if _, err = command.Ask(ctx, nil); err != nil {
		return err
	}
	a.cost.Start = time.Since(began)
	if a.probed, err = command.Ask(ctx, command.probe()); err != nil {
		return err
	}
	return a.repeat(ctx)
}

// repeat asks the keys of the probe again, in reverse order: a hash gives the same codes.
func (a *asker) repeat(ctx context.Context) error {
	keys := a.command.probe()
	slices.Reverse(keys)
	again, err := a.command.Ask(ctx, keys)
	if err != nil {
		return err
	}
	words := a.command.words()
	for i, key := range keys {
		j := len(keys) - 1 - i
		was, is := a.probed[j*words:(j+1)*words], again[i*words:(i+1)*words]
		if !slices.Equal(was, is) {
			return fmt.Errorf("doctor: command %q gave two different codes for the same key: key %s had the code %x and, asked again in another order, %x: expected the same one in every run and whatever is asked before it",
				a.command, a.command.describe(key), was, is)
		}
	}
	return nil
}

// estimate forecasts by some of the keys how long all of them will take, and refuses what would
// take longer than the budget; 0 is any. The least of three runs counts, since under load a start
// may take many times as long as the one that was timed.
func (a *asker) estimate(ctx context.Context, keys []uint64, budget time.Duration) error {
	keys = keys[:min(sampleKeys, len(keys))]
	var perKey time.Duration
	for i := range 3 {
		began := time.Now()
		if _, err := a.command.Ask(ctx, keys); err != nil {
			return err
		}
		took := max(0, time.Since(began)-a.cost.Start) / time.Duration(max(1, len(keys)))
		if i == 0 || took < perKey {
			perKey = took
		}
		runs := 1 + a.all/a.mostKeys()
		a.forecast = time.Duration(a.all)*perKey + time.Duration(runs)*a.cost.Start
		if budget == 0 || a.forecast <= budget {
			return nil
		}
	}
	return fmt.Errorf("doctor: command %q takes %.3g µs a key, so %d keys would take about %v: more than the budget of %v",
		a.command, float64(perKey)/1e3, a.all, a.forecast.Round(time.Second), budget)
}

// mostKeys is how many keys memory allows for a run.
func (a *asker) mostKeys() int { return mostBytes / (8 * (a.command.words() + 1)) }

// ask returns the codes of keys.
func (a *asker) ask(ctx context.Context, keys []uint64) ([]uint64, error) {
	codes := make([]uint64, 0, len(keys)*a.command.words())
	for some := range slices.Chunk(keys, a.mostKeys()) {
		left := time.Duration(float64(a.forecast) * float64(a.all-a.cost.Keys) / float64(max(1, a.all)))
		a.progress(a.cost.Keys, a.all, left)
		began := time.Now()
		answer, err := a.command.Ask(ctx, some)
		if err != nil {
			return nil, err
		}
		codes = append(codes, answer...)
		a.cost.Keys += len(some)
		a.cost.Runs++
		a.cost.Time += time.Since(began)
	}
	return codes, nil
}
