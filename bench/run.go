package bench

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"simhashkit/asm/cpu"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/fphash"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/gobench/benchname"
)

// RunOptions sets the number and length of samples, and a callback for progress.
type RunOptions struct {
	Samples    int           // samples per case; 0: as many as suit the suite
	SampleTime time.Duration // 0: as long as suits the suite
	OnlyTimes  bool          // leave out what is computed, which is the same in every run
	Progress   func(Progress)

	now func() time.Duration // clock of tests; nil: the real one
}

func (r RunOptions) report(p Progress) {
	if r.Progress != nil {
		r.Progress(p)
	}
}

// Progress describes how far a run has come.
type Progress struct {
	Step      string // "preparing", "calibrating", "round 3/8" or "quality"
	Case      int    // from 1 to Cases
	Cases     int
	Name      string
	Remaining time.Duration // estimate; 0 if unknown
}

// runCases checks the cases, times them interleaved, and returns one row per case.
func runCases(ctx context.Context, cases []timedCase, in *inputs, o RunOptions) ([]resultfile.Row, error) {
	rows := make([]resultfile.Row, len(cases))
	var trials []*trial
	var subjects []subject
	var places []int // index of each subject's row
	facts := make([][]fact, len(cases))
	for i, c := range cases {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		row := &rows[i]
		*row = resultfile.Row{Name: c.Name.String(), Unit: c.Unit}
		o.report(Progress{Step: "preparing", Case: i + 1, Cases: len(cases), Name: row.Name})
		t, err := c.ready(in)
		if err != nil {
			row.Err = err.Error()
			continue
		}
		facts[i] = t.facts
		if t.loop == nil {
			continue
		}
		trials, places = append(trials, t), append(places, i)
		subjects = append(subjects, subject{row.Name, t.loop, c.enter, t.parallel})
	}
	samples, err := timeInTurn(ctx, subjects, o)
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		row := &rows[place]
		for _, s := range samples[i] {
			row.Samples = append(row.Samples, resultfile.Sample{Iterations: s.iterations, Value: figure(row.Unit, trials[i].per, s.iterations, s.elapsed)})
		}
	}
	return withFacts(rows, facts), nil
}

// withFacts adds the facts of each case after its row, and removes rows without samples or errors.
func withFacts(rows []resultfile.Row, facts [][]fact) (all []resultfile.Row) {
	for i, row := range rows {
		if len(row.Samples) > 0 || row.Err != "" {
			all = append(all, row)
		}
		for _, f := range facts[i] {
			all = append(all, resultfile.Row{Name: row.Name, Unit: f.unit, Samples: []resultfile.Sample{{Iterations: 1, Value: f.value}}})
		}
	}
	return all
}

// figure converts the elapsed time of operations to the unit. per is the number of keys, features
// or bytes per operation.
func figure(unit string, per, operations int, elapsed time.Duration) float64 {
	handled := float64(per) * float64(operations)
	nanoseconds := float64(max(elapsed, 1)) // a coarse clock may measure 0
	if unit == terms.MegabytesPerSecond {
		return handled / nanoseconds * 1e3
	}
	return nanoseconds / handled
}

// timedCase is one benchmark.
type timedCase struct {
	Name benchname.Name
	Unit string

	tier    cpu.Tier // limits all kernels while the case runs
	prepare func(*inputs) (*trial, error)
}

type trial struct {
	family   *fphash.Family // if set, its verification code is checked
	loop     func(n int)    // performs n operations; nil if the case is too large to be timed
	per      int            // keys, features or bytes per operation
	verify   func() error   // compares the answers with the expected ones
	parallel bool           // loop starts goroutines
	facts    []fact         // set when verify returns
}

// fact is a value of a case that is not timed, such as its size.
type fact struct {
	unit  string
	value float64
}

// enter limits kernels to the tier of the case. leave restores the former limit.
func (c timedCase) enter() (leave func(), err error) {
	former, err := cpu.SetTier(c.tier)
	if err != nil {
		return nil, err
	}
	// This cannot fail: the former tier was active before.
	return func() { _, _ = cpu.SetTier(former) }, nil
}

func (c timedCase) ready(in *inputs) (*trial, error) {
	leave, err := c.enter()
	if err != nil {
		return nil, err
	}
	defer leave()
	t, err := c.prepare(in)
	if err != nil {
		return nil, err
	}
	if t.family != nil {
		if err := verifyFamily(*t.family); err != nil {
			return nil, err
		}
	}
	if t.verify == nil {
		return t, nil
	}
	return t, t.verify()
}

// sink receives the results of the loops, so that the compiler cannot remove them.
var sink uint64

// Machines are noisy, and may be slow for some time. So the subjects take turns (A B C A B C), and
// a slow period affects all of them. Statistics are computed from all samples.

// subject is a loop to time.
type subject struct {
	name     string
	loop     func(n int)                      // performs n operations, in time proportional to n
	enter    func() (leave func(), err error) // if set, called before loop; not timed
	parallel bool                             // loop starts goroutines, so it may run on any thread
}

// sample is one timed run of a loop.
type sample struct {
	iterations int
	elapsed    time.Duration
}

// timeInTurn calibrates all subjects and then takes samples in rounds, one per subject and round.
// Element i of the result has the samples of subject i. It stays on one OS thread, except for
// parallel subjects. It fails if ctx is cancelled, if an enter fails, or if an option is not
// positive.
func timeInTurn(ctx context.Context, subjects []subject, o RunOptions) ([][]sample, error) {
	if o.Samples < 1 || o.SampleTime <= 0 {
		return nil, fmt.Errorf("bench: %d samples of %v: expected positive numbers", o.Samples, o.SampleTime)
	}
	r := runner{RunOptions: o, subjects: subjects, iterations: make([]int, len(subjects)), expected: make([]time.Duration, len(subjects))}
	if r.now == nil {
		start := time.Now()
		r.now = func() time.Duration { return time.Since(start) }
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	runtime.GC() // or the first subject would collect the garbage of the preparation

	for i := range subjects {
		r.report("calibrating", i, 0)
		if err := r.turn(ctx, i, r.calibrate); err != nil {
			return nil, err
		}
	}
	samples := make([][]sample, len(subjects))
	var remaining time.Duration
	for i := range samples {
		samples[i] = make([]sample, 0, r.Samples)
		remaining += r.expected[i] * time.Duration(r.Samples)
	}
	for round := 1; round <= r.Samples; round++ {
		for i := range subjects {
			r.report(fmt.Sprintf("round %d/%d", round, r.Samples), i, remaining)
			err := r.turn(ctx, i, func(i int) { samples[i] = append(samples[i], r.sample(i)) })
			if err != nil {
				return nil, err
			}
			remaining -= r.expected[i]
		}
	}
	return samples, nil
}

type runner struct {
	RunOptions
	subjects   []subject
	iterations []int           // operations per sample
	expected   []time.Duration // time of a sample, including its warm-up
}

// turn runs step for subject i between enter and leave.
func (r *runner) turn(ctx context.Context, i int, step func(int)) error {
	if err := context.Cause(ctx); err != nil {
		return err
	}
	if enter := r.subjects[i].enter; enter != nil {
		leave, err := enter()
		if err != nil {
			return err
		}
		defer leave()
	}
	if r.subjects[i].parallel {
		runtime.UnlockOSThread()
		defer runtime.LockOSThread()
	}
	step(i)
	return nil
}

func (r *runner) time(i, n int) time.Duration {
	start := r.now()
	r.subjects[i].loop(n)
	return r.now() - start
}

// calibrate finds the number of operations per sample in steps, because the first run is slow.
func (r *runner) calibrate(i int) {
	const most = 1 << 30
	n := 1
	for {
		elapsed := r.time(i, n)
		if elapsed >= r.SampleTime/4 || n >= most {
			perOperation := float64(max(elapsed, 1)) / float64(n)
			n = int(min(max(float64(r.SampleTime)/perOperation, 1), most))
			r.iterations[i] = n
			r.expected[i] = time.Duration(perOperation * float64(n+r.warmUp(i)))
			return
		}
		// Aim at half a sample, but grow by a factor of at most 100 at a time.
		goal := float64(n) * float64(r.SampleTime) / 2 / float64(max(elapsed, 1))
		n = int(min(max(goal, float64(2*n)), 100*float64(n), most))
	}
}

// warmUp returns the number of untimed operations before a sample. They refill the caches, which
// the other subjects used.
func (r *runner) warmUp(i int) int { return r.iterations[i] / 16 }

func (r *runner) sample(i int) sample {
	if w := r.warmUp(i); w > 0 {
		r.subjects[i].loop(w)
	}
	n := r.iterations[i]
	return sample{n, r.time(i, n)}
}

func (r *runner) report(step string, i int, remaining time.Duration) {
	r.RunOptions.report(Progress{step, i + 1, len(r.subjects), r.subjects[i].name, max(remaining, 0)})
}

// File returns a result file with the rows. The units of cells and of counted facts are exact.
func File(head []resultfile.Field, rows []resultfile.Row) resultfile.File {
	f := resultfile.File{Head: head, Config: config(), Rows: rows}
	for _, r := range rows {
		u := resultfile.Unit{Name: r.Unit, Exact: exactUnit(r.Name, r.Unit), Better: terms.Better(r.Unit)}
		if len(r.Samples) > 0 && !slices.Contains(f.Units, u) {
			f.Units = append(f.Units, u)
		}
	}
	return f
}

// config returns the fields that must be equal in two runs that are compared.
func config() []resultfile.Field {
	fields := []resultfile.Field{{Name: "goos", Value: runtime.GOOS}, {Name: "goarch", Value: runtime.GOARCH}, {Name: "pkg", Value: "simhashkit/bench"}}
	if brand := strings.TrimSpace(cpuid.CPU.BrandName); brand != "" {
		fields = append(fields, resultfile.Field{Name: "cpu", Value: brand})
	}
	return fields
}

// Head returns the fields that describe this run. data may be nil.
func Head(now time.Time, command string, data *Data) []resultfile.Field {
	fields := []resultfile.Field{
		{Name: "date", Value: now.UTC().Format(time.RFC3339)},
		{Name: "command", Value: command},
		{Name: "go", Value: runtime.Version()},
	}
	if commit := commit(); commit != "" {
		fields = append(fields, resultfile.Field{Name: "commit", Value: commit})
	}
	fields = append(fields,
		resultfile.Field{Name: "kernels", Value: strings.Join(namesOf(cpu.Supported(), cpu.Tier.String), " ")},
		resultfile.Field{Name: "tier", Value: cpu.Active().String()},
	)
	if data != nil {
		fields = append(fields, resultfile.Field{Name: "data", Value: data.Name + ": " + data.Description})
	}
	return fields
}

// commit returns the commit that the program was built from, or "" if the go command did not record
// it.
func commit() string {
	settings := map[string]string{}
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			settings[s.Key] = s.Value
		}
	}
	revision := settings["vcs.revision"]
	if revision != "" && settings["vcs.modified"] == "true" {
		revision += " (modified)"
	}
	return revision
}
