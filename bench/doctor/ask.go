package doctor

import (
	"context"
	"fmt"
	"slices"
	"time"
)

const (
	batchTime = 2 * time.Second // what a run is to take
	first     = 1 << 12         // keys of the first batch
	growth    = 8               // of a batch over the last one, at most
	mostBytes = 64 << 20        // of keys and codes in a batch
	reliable  = 200 * time.Millisecond
	// a batch takes at least this many times as long as starting the command, if keys and bytes
	// allow
	startPart = 10
)

// Cost is what asking a command took.
type Cost struct {
	Keys  int           // different keys that were asked; the checks' own not included
	Runs  int           // of the command for them
	Time  time.Duration // of those runs, with the pipe and the start of the command
	Start time.Duration // of one run without keys, within which most is starting the command
}

// PerKey returns the mean time for a key in nanoseconds, the pipe and starting the command
// included.
func (c Cost) PerKey() float64 { return float64(c.Time) / float64(max(c.Keys, 1)) }

// asker asks a command for many codes, in batches that grow until a run takes long enough.
type asker struct {
	command   *Command
	budget    time.Duration // 0: any
	remaining int           // keys that will be asked in all
	cost      Cost
	batch     int
	forecast  time.Duration // of what remains; 0: not known
	over      bool          // the last run's forecast was beyond the budget
	began     time.Time
	probed    []uint64 // the probe's codes
	progress  func(asked, remaining int, forecast time.Duration)
}

// probe is a set of keys of many kinds: small ones, powers of two, and large ones.
func probe() []uint64 {
	var keys []uint64
	for i := range uint64(64) {
		keys = append(keys, i, 1<<i, i*0x9E3779B97F4A7C15)
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// start times the command without keys, and asks the probe's keys twice.
func (a *asker) start(ctx context.Context) (err error) {
	a.began = time.Now()
	if _, err = a.command.Ask(ctx, nil); err != nil {
		return err
	}
	a.cost.Start = time.Since(a.began)
	if a.probed, err = a.command.Ask(ctx, probe()); err != nil {
		return err
	}
	return a.repeat(ctx)
}

// repeat asks the probe's keys again, from the last to the first: a hash gives the same codes.
func (a *asker) repeat(ctx context.Context) error {
	keys := probe()
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
			return fmt.Errorf("doctor: command %q gave two different codes for the same key: key %d had the code %x and, asked again in another order, %x: expected the same one in every run and whatever is asked before it",
				a.command, key, was, is)
		}
	}
	return nil
}

// ask returns the codes of keys, in batches.
func (a *asker) ask(ctx context.Context, keys []uint64) ([]uint64, error) {
	codes := make([]uint64, 0, len(keys)*a.command.words())
	for len(keys) > 0 {
		if a.batch == 0 {
			a.batch = first
		}
		n := min(a.batch, len(keys))
		began := time.Now()
		answer, err := a.command.Ask(ctx, keys[:n])
		if err != nil {
			return nil, err
		}
		codes, keys = append(codes, answer...), keys[n:]
		if err := a.account(n, time.Since(began)); err != nil {
			return nil, err
		}
	}
	return codes, nil
}

// account notes a run, chooses the size of the next, and ends the work where the forecasts of two
// runs in a row are beyond the budget. One is not enough: under load a start may take many times as
// long as the one that was timed, and looks like slow work. The next run is cut to about two
// seconds and tells.
func (a *asker) account(n int, took time.Duration) error {
	a.cost.Keys += n
	a.cost.Runs++
	a.cost.Time += took
	a.remaining -= n
	working := max(took-a.cost.Start, took/growth) // starting takes longer at times
	a.batch = nextBatch(n, a.command.words(), working, a.cost.Start)
	perKey := float64(working) / float64(n)
	runs := float64(a.remaining)/float64(a.batch) + 1
	a.forecast = 0
	if took >= reliable && took >= 2*a.cost.Start { // else it is mostly the start that was timed
		a.forecast = time.Duration(float64(a.remaining)*perKey + runs*float64(a.cost.Start))
	}
	all, confirmed := time.Since(a.began)+a.forecast, a.over
	a.over = a.budget > 0 && a.forecast > 0 && a.remaining > 0 && all > a.budget
	switch {
	case a.over && confirmed:
		return fmt.Errorf("doctor: command %q takes %.3g µs a key, so %d keys would take about %v: more than the budget of %v",
			a.command, perKey/1e3, a.cost.Keys+a.remaining, all.Round(time.Second), a.budget)
	case a.over:
		a.forecast = 0 // not shown before it is confirmed
	}
	if a.progress != nil {
		a.progress(a.cost.Keys, a.remaining, a.forecast)
	}
	return nil
}

// nextBatch returns how many keys to ask in the next run, after n keys with that many words a code
// took so long beyond the start of the command.
func nextBatch(n, words int, took, start time.Duration) int {
	wanted := max(batchTime, startPart*start)
	next := float64(n) * min(growth, float64(wanted)/float64(max(took, 1)))
	return max(1, min(int(next), mostBytes/(8*(words+1))))
}
