// Package doctor examines a hash of the user's own, written in any language: how many ideal bits
// its bits are worth for simhash, pattern by pattern of indices, and one verdict over all of them.
// It measures as package quality does.
//
// # The protocol
//
// A [Command] is a program that reads keys from its standard input until the end, writes their
// codes to its standard output, in the same order, and exits with status 0:
//
//   - A key is the index of a feature: 8 bytes, little-endian. With [Options.Keys] it is a line of
//     text that ends with a line feed.
//   - A code has ceil(bits/64) words of 8 bytes, little-endian, word 0 first; bit j of the code is
//     bit j%64, least significant first, of word j/64. Bits above the width are zero.
//   - For n keys it writes exactly n codes, for none nothing, and nothing else: messages belong on
//     standard error, which is shown when something is wrong.
//
// So it can be tried by hand: PROGRAM <keys >codes. Keys come in batches, a run of the program for
// each, so it may read all keys before it writes, write before it has read all, and buffer as it
// likes. The same key must have the same code, whatever was asked before it and in whichever run.
//
// [PythonExample] and [GoExample] are such programs.
//
// # Go functions
//
// A hash that is a Go function needs no pipe: [Examine] takes a quality.Hash, such as
// quality.OfFunc makes of a function, or quality.OfFamily of a hash of this module, to compare
// with.
//
// # Stored fingerprints
//
// A [Collector] examines fingerprints without their hash: it finds constant bits, copies and
// correlated bits, and estimates the effective bits from the distances of random records.
package doctor

import (
	"cmp"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchunit"
	"simhashkit/bench"
	"simhashkit/bench/advice"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/quality"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// PythonExample is a program that answers keys with the first 8 bytes of BLAKE2b of them.
//
//go:embed testdata/examples/hash.py
var PythonExample string

// GoExample is a program that answers keys with FNV-1a of them; go run takes it as it is.
//
//go:embed testdata/examples/hash.go
var GoExample string

// Options are the options of an examination. Zero values mean the defaults.
type Options struct {
	Patterns []quality.Pattern   // of indices; all
	Weights  []quality.Weights   // kinds of weights, each with each pattern; unit
	Data     []*quality.Workload // further workloads of the user's vectors
	// different keys to draw from, such as words, at least quality.LeastListedKeys; a command reads
	// them as lines. They replace Patterns. For Examine, the hash must be one of their numbers, as
	// quality.OfListedKeys returns it.
	Keys     []string
	Keyings  int           // quality.DefaultKeyings; with fewer there is no verdict
	Seed     uint64        // another seed, other vectors and indices
	Workers  int           // goroutines; one for each processor
	Budget   time.Duration // of asking a command; any
	Progress func(Progress)
}

// Progress says how far an examination has come.
type Progress struct {
	Step     string // "preparing", "asking" or "measuring"
	Done     int    // of All: workloads, or keys while asking
	All      int
	Forecast time.Duration // of what remains to be asked; 0 where nothing is known
}

// group is the workloads that share their indices, so that a command is asked once for all of them.
type group struct {
	workloads []*quality.Workload
	keys      []uint64
}

// Examine measures a hash on all patterns and kinds of weights. It fails where an option is out of
// range, where the hash fails, and where the context is done.
func Examine(ctx context.Context, hash quality.Hash, o Options) (*Examination, error) {
	groups, err := o.groups(ctx)
	if err != nil {
		return nil, err
	}
	e := &Examination{Encoding: hash.Encoding, Bits: hash.Bits}
	for _, g := range groups {
		if err := e.measure(ctx, g, hash, o); err != nil {
			return nil, err
		}
	}
	e.conclude()
	return e, nil
}

// Examine measures the hash that the command computes, under a name of one's choice. It fails as
// Ask and the function Examine do, where codes of the same key differ, and where asking would take
// longer than the budget. At the defaults it asks about eight million keys.
func (c *Command) Examine(ctx context.Context, name string, o Options) (*Examination, error) {
	if i := slices.IndexFunc(o.Keys, func(key string) bool { return strings.ContainsRune(key, '\n') }); i >= 0 {
		return nil, fmt.Errorf("doctor: key %q has a line feed: a command reads keys as lines", o.Keys[i])
	}
	listed := *c
	listed.list = o.Keys
	a := &asker{command: &listed, progress: func(asked, all int, left time.Duration) { o.report(Progress{"asking", asked, all, left}) }}
	if err := a.start(ctx); err != nil {
		return nil, err
	}
	groups, err := o.groups(ctx)
	if err != nil {
		return nil, err
	}
	for i := range groups {
		if err := context.Cause(ctx); err != nil {
			return nil, err
		}
		if groups[i].keys, err = wanted(groups[i].workloads, c.Bits, o.Workers); err != nil {
			return nil, err
		}
		a.all += len(groups[i].keys)
	}
	if err := a.estimate(ctx, groups[0].keys, o.Budget); err != nil {
		return nil, err
	}
	e := &Examination{Encoding: quality.OwnEncoding, Bits: c.Bits}
	var codes []uint64
	for i, g := range groups {
		if codes, err = a.ask(ctx, g.keys); err != nil {
			return nil, err
		}
		if err := e.measure(ctx, g, answered(name, c.Bits, g.keys, codes), o); err != nil {
			return nil, err
		}
		groups[i] = group{} // its keys are needed no more
	}
	if err := a.repeat(ctx); err != nil {
		return nil, err
	}
	e.Cost = &a.cost
	e.conclude()
	return e, nil
}

func (o *Options) groups(ctx context.Context) ([]group, error) {
	patterns, weights := o.Patterns, o.Weights
	switch {
	case len(o.Keys) > 0 && len(patterns)+len(o.Data) > 0:
		return nil, errors.New("doctor: listed keys cannot be combined with patterns or data")
	case len(o.Keys) > 0:
		patterns = []quality.Pattern{quality.ListedKeys}
	case len(patterns) == 0 && len(o.Data) == 0:
		patterns = quality.Patterns()
	}
	if len(weights) == 0 {
		weights = []quality.Weights{quality.Unit}
	}
	groups := make([]group, len(patterns))
	for i, p := range patterns {
		if slices.Contains(patterns[:i], p) {
			return nil, fmt.Errorf("doctor: pattern %s is named twice", p)
		}
		for _, kind := range weights {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			o.report(Progress{Step: "preparing", Done: i, All: len(patterns)})
			w, err := quality.Generate(quality.WorkloadOptions{Pattern: p, Weights: kind, Seed: o.Seed, Keyings: o.Keyings, ListedKeys: len(o.Keys)})
			if err != nil {
				return nil, err
			}
			groups[i].workloads = append(groups[i].workloads, w)
		}
	}
	for _, w := range o.Data {
		groups = append(groups, group{workloads: []*quality.Workload{w}})
	}
	return groups, nil
}

func (e *Examination) measure(ctx context.Context, g group, hash quality.Hash, o Options) error {
	for _, w := range g.workloads {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		o.report(Progress{Step: "measuring " + string(w.Pattern()), Done: len(e.Results)})
		r, err := w.Measure(hash, o.Workers)
		if err != nil {
			return err
		}
		e.Results = append(e.Results, r)
	}
	return nil
}

func (o *Options) report(p Progress) {
	if o.Progress != nil {
		o.Progress(p)
	}
}

// Examination is the result of examining a hash.
type Examination struct {
	Encoding  string // "" if the hash is a function of the index
	Bits      int
	Results   []*quality.Result // one for each pattern and kind of weights
	Judgement quality.Judgement // weak if one result is, good if all are, else undecided
	Words     string            // the judgement explained by the worst result
	Cost      *Cost             // of asking a command; nil for a function
}

// conclude draws one verdict from all results, and says what to do about empty bits.
func (e *Examination) conclude() {
	rows, _ := bench.ResultRows(e.Results)
	choice := advice.Choices(advice.NewSet([]advice.Source{{File: resultfile.File{Rows: rows}}}), func(advice.Case) bool { return true })[0]
	e.Judgement, e.Words = choice.Verdict(), choice.Words()+e.advice()
}

// advice is to drop bits that carry nothing in any result: several patterns, or the user's vectors.
func (e *Examination) advice() string {
	patterns := map[string]bool{}
	empty := e.Results[0].Bit.EmptyBits()
	for _, r := range e.Results {
		patterns[r.Pattern] = true
		also := r.Bit.EmptyBits()
		empty = slices.DeleteFunc(empty, func(j int) bool { return !slices.Contains(also, j) })
	}
	n := len(empty)
	if n == 0 || n == e.Bits || len(patterns) == 1 && !patterns[string(quality.Data)] {
		return ""
	}
	where := "on these vectors"
	if len(e.Results) > 1 {
		where = fmt.Sprintf("in any of the %d cases", len(e.Results))
	}
	return fmt.Sprintf("; %s %s %s nothing %s: drop %s and examine the other %d", english.Plural(n, "bit", "bits"), quality.BitRanges(empty), english.Plural(n, "carries", "carry"), where,
		english.Plural(n, "it", "them"), e.Bits-n)
}

const lineWidth = 80

func (e *Examination) text(what string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", strings.Join(texttable.Wrap(e.Words, lineWidth), "\n"))
	fmt.Fprintf(&out, "%s, %d bits", what, e.Bits)
	if e.Encoding != "" {
		fmt.Fprintf(&out, ", %s", e.Encoding)
	}
	fmt.Fprintf(&out, ", %s of each pattern\n\n", english.Count(e.Results[0].Keyings, "keying"))
	t := texttable.Aligned([]int{0, 1, 7}, "pattern", "weights", "effective bits", "95%", "cosine ≥ 0.9", "95%", "constant or copied", "verdict")
	for _, r := range e.Results {
		all, allInterval := effective(r.All)
		near, nearInterval := effective(r.Cos90)
		t.AppendRow(texttable.Row{r.Pattern, r.Weights, all, allInterval, near, nearInterval, defects(r.Bit), r.Verdict})
	}
	fmt.Fprintln(&out, t.Render())
	if c := e.Cost; c != nil {
		fmt.Fprintf(&out, "\n%s per key for %d keys, which includes the pipe and starting the\ncommand %s (%v each)\n", duration(c.PerKey()), c.Keys, english.Count(c.Runs, "time"), c.Start.Round(100*time.Microsecond))
	}
	return out.String()
}

// duration shows nanoseconds in the unit that they fill: 969.7µs.
func duration(nanoseconds float64) string {
	return benchunit.Scale(nanoseconds*1e-9, benchunit.Decimal) + "s"
}

func effective(b quality.Band) (value, interval string) {
	if !b.Defined {
		return "–", ""
	}
	return fmt.Sprintf("%.1f", b.Effective.Value), fmt.Sprintf("%.1f – %.1f", b.Effective.Low, b.Effective.High)
}

func defects(q quality.BitQuality) string {
	if !q.Tested {
		return "–"
	}
	var list []string
	if len(q.Constant) > 0 {
		list = append(list, "constant "+quality.BitRanges(q.Constant))
	}
	if len(q.Copied) > 0 {
		list = append(list, "copied "+quality.BitRanges(q.Copied))
	}
	return cmp.Or(strings.Join(list, "; "), "0")
}

// Formats lists the formats of Write.
func Formats() []string { return []string{"text", "json"} }

// Write writes the examination of what is named: as text, or as a JSON object.
func (e *Examination) Write(w io.Writer, what, format string) error {
	return write(w, format, func() string { return e.text(what) }, func() any { return e.json(what) })
}

func write(w io.Writer, format string, text func() string, object func() any) error {
	switch format {
	case "text":
		_, err := io.WriteString(w, text())
		return err
	case "json":
		return jsonout.Write(w, object())
	}
	return fmt.Errorf("doctor: unknown format %q; expected %s", format, strings.Join(Formats(), ", "))
}

// jsonExamination is the examination as a JSON object. What is not known is left out.
type jsonExamination struct {
	Hash     string     `json:"hash"`
	Encoding string     `json:"encoding,omitempty"`
	Bits     int        `json:"bits"`
	Verdict  string     `json:"verdict"` // good, weak, undecided
	Words    string     `json:"words"`
	Cases    []jsonCase `json:"cases"`
	Asked    *jsonAsked `json:"asked,omitempty"`
}

type jsonCase struct {
	Pattern      string    `json:"pattern"`
	Weights      string    `json:"weights"`
	Keyings      int       `json:"keyings"`
	All          *jsonBand `json:"all,omitempty"`
	Cos90        *jsonBand `json:"cos90,omitempty"`
	ConstantBits []int     `json:"constantBits"`
	CopiedBits   int       `json:"copiedBits"`
	Verdict      string    `json:"verdict"`
}

type jsonBand struct {
	Pairs         int     `json:"pairs"`
	EffectiveBits float64 `json:"effectiveBits"`
	Low           float64 `json:"low"` // of the 95% interval
	High          float64 `json:"high"`
	Bias          float64 `json:"bias"` // of the angle, radians
	RMSE          float64 `json:"rmse"`
	VarianceRatio float64 `json:"varianceRatio"`
}

type jsonAsked struct {
	Keys                 int     `json:"keys"`
	Runs                 int     `json:"runs"`
	NanosecondsPerKey    float64 `json:"nsPerKeyWithPipe"`
	NanosecondsForAStart int64   `json:"nsPerStart"`
}

func (e *Examination) json(what string) jsonExamination {
	j := jsonExamination{Hash: what, Encoding: e.Encoding, Bits: e.Bits, Verdict: e.Judgement.String(), Words: e.Words}
	for _, r := range e.Results {
		j.Cases = append(j.Cases, jsonCase{
			Pattern: r.Pattern, Weights: r.Weights, Keyings: r.Keyings, All: jsonBandOf(r.All), Cos90: jsonBandOf(r.Cos90),
			ConstantBits: append([]int{}, r.Bit.Constant...), CopiedBits: len(r.Bit.Copied),
			Verdict: r.Verdict.String(),
		})
	}
	if c := e.Cost; c != nil {
		j.Asked = &jsonAsked{c.Keys, c.Runs, c.PerKey(), int64(c.Start)}
	}
	return j
}

func jsonBandOf(b quality.Band) *jsonBand {
	if !b.Defined {
		return nil
	}
	return &jsonBand{b.Pairs, b.Effective.Value, b.Effective.Low, b.Effective.High, b.Hash.Bias, b.Hash.RMSE, b.VarianceRatio}
}
