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
	"simhashkit/internal/bench/measure"
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

// Progress describes how far a run has come.
type Progress struct {
	Step      string // "preparing", "calibrating", or "round 3/8"
	Case      int    // from 1 to Cases
	Cases     int
	Name      string
	Remaining time.Duration // estimate; 0 if unknown
}

// runCases checks the cases, times them interleaved, and returns one row per case.
func runCases(ctx context.Context, cases []timedCase, in *inputs, o RunOptions) ([]resultfile.Row, error) {
	rows := make([]resultfile.Row, len(cases))
	var trials []*trial
	var subjects []measure.Subject
	var places []int // index of each subject's row
	facts := make([][]fact, len(cases))
	for i, c := range cases {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		row := &rows[i]
		*row = resultfile.Row{Name: c.Name.String(), Unit: c.Unit}
		o.Progress(Progress{Step: "preparing", Case: i + 1, Cases: len(cases), Name: row.Name})
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
		subjects = append(subjects, measure.Subject{Loop: t.loop, Enter: c.enter, Parallel: t.parallel})
	}
	samples, err := measure.Run(ctx, subjects, measure.Options{Samples: o.Samples, SampleTime: o.SampleTime, Now: o.now, Progress: func(p measure.Progress) {
		step := "calibrating"
		if p.Round > 0 {
			step = fmt.Sprintf("round %d/%d", p.Round, p.Rounds)
		}
		o.Progress(Progress{step, p.Subject + 1, len(subjects), rows[places[p.Subject]].Name, p.Remaining})
	}})
	if err != nil {
		return nil, err
	}
	for i, place := range places {
		row := &rows[place]
		for _, s := range samples[i] {
			row.Samples = append(row.Samples, resultfile.Sample{Iterations: s.Iterations, Value: figure(row.Unit, trials[i].per, s.Iterations, s.Elapsed)})
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
