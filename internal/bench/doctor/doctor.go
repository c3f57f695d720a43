// Package doctor examines the user's own hash, written in any language. With package quality, it
// measures how many ideal bits the hash is worth for simhash on several patterns of indices, and
// combines the results into one verdict.
//
// A [Command] is a program that reads keys and writes their codes, as fphash help protocol says.
// The function [Examine] examines a quality.Hash without a pipe: quality.OfFunc makes one of your
// own function, and quality.OfFamily one of a hash of this module. A [Collector] examines stored
// fingerprints without their hash.
package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/quality"
	"simhashkit/internal/bench/advice"
	"simhashkit/internal/bench/terms"
	"simhashkit/internal/english"
	"simhashkit/internal/jsonout"
	"simhashkit/internal/texttable"
)

// Options are the options of an examination. Zero values mean the defaults.
type Options struct {
	Patterns []string            // patterns of indices; default: all if there is no Data
	Weights  []string            // kinds of weights, each with each pattern; default: unit
	Data     []*quality.Workload // additional workloads of the user's vectors
	// Keys are at least terms.LeastListedKeys different keys, such as words. They replace
	// Patterns. A command reads them as lines. In the function Examine, the hash gets the numbers
	// of keys, see quality.OfListedKeys.
	Keys     []string
	Sketch   string // what the hash is for, as in terms.Sketches; default: simhash
	Keyings  int    // default: 100; with fewer, no hash is good
	Seed     uint64 // selects vectors and indices
	Workers  int    // goroutines; default: one per processor
	Progress func(Progress)
}

// Progress describes how far an examination has come.
type Progress struct {
	Step     string // "preparing", "asking" or "measuring"
	Done     int    // number of workloads, or of keys while asking
	All      int
	Forecast time.Duration // remaining time of asking; 0 if unknown
}

// group holds workloads with the same indices, so that a command is asked once for all of them.
type group struct {
	workloads []*quality.Workload
	keys      []uint64
}

// Examine measures a hash on all patterns and kinds of weights. It fails if an option is invalid,
// if the hash fails, or if ctx is cancelled.
func Examine(ctx context.Context, hash quality.Hash, o Options) (*Examination, error) {
	groups, err := o.groups(ctx)
	if err != nil {
		return nil, err
	}
	return o.examine(ctx, groups, func(group) (quality.Hash, error) { return hash, nil })
}

// Examine measures the hash that the command computes, and calls it name. It fails if Ask or the
// function Examine would fail, or if a key has two different codes. With default options, it asks
// about eight million keys.
func (c *Command) Examine(ctx context.Context, name string, o Options) (*Examination, error) {
	if i := slices.IndexFunc(o.Keys, func(key string) bool { return strings.ContainsRune(key, '\n') }); i >= 0 {
		return nil, fmt.Errorf("doctor: key %q has a line feed: a command reads keys as lines", o.Keys[i])
	}
	listed := *c
	listed.list = o.Keys
	a := &asker{command: &listed, progress: func(asked, all int, left time.Duration) { o.report(Progress{"asking", asked, all, left}) }}
	groups, err := o.groups(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.start(ctx); err != nil {
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
	e, err := o.examine(ctx, groups, func(g group) (quality.Hash, error) {
		codes, err := a.ask(ctx, g.keys)
		return answered(name, c.Bits, g.keys, codes), err
	})
	if err == nil {
		err = a.repeat(ctx)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// examine measures a hash on all workloads. hash returns the hash for those of a group.
func (o *Options) examine(ctx context.Context, groups []group, hash func(group) (quality.Hash, error)) (*Examination, error) {
	e := &Examination{}
	all := 0
	for _, g := range groups {
		all += len(g.workloads)
	}
	for i, g := range groups {
		h, err := hash(g)
		if err != nil {
			return nil, err
		}
		e.Encoding, e.Bits = h.Encoding, h.Bits
		for _, w := range g.workloads {
			if err := context.Cause(ctx); err != nil {
				return nil, err
			}
			o.report(Progress{Step: "measuring " + w.Pattern(), Done: len(e.Results), All: all})
			r, err := w.Measure(h, o.Workers)
			if err != nil {
				return nil, err
			}
			e.Results = append(e.Results, r)
		}
		groups[i] = group{} // free its keys
	}
	e.conclude()
	return e, nil
}

func (o *Options) groups(ctx context.Context) ([]group, error) {
	patterns, weights := o.Patterns, o.Weights
	switch {
	case len(o.Keys) > 0 && len(patterns)+len(o.Data) > 0:
		return nil, errors.New("doctor: listed keys cannot be combined with patterns or data")
	case len(o.Keys) > 0:
		patterns = []string{terms.ListedKeys}
	case len(patterns) == 0 && len(o.Data) == 0:
		patterns = quality.Patterns()
	}
	if len(weights) == 0 {
		weights = []string{terms.Unit}
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
			w, err := quality.Generate(quality.WorkloadOptions{Pattern: p, Weights: kind, Sketch: o.Sketch, Seed: o.Seed, Keyings: o.Keyings, ListedKeys: len(o.Keys)})
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
	Judgement terms.Judgement   // weak if one result is weak, good if all are good, else undecided
	Words     string            // the judgement, with the worst result as the reason
}

// conclude derives one verdict from all results.
func (e *Examination) conclude() {
	file := bench.File(nil, bench.ResultRows(e.Results))
	choice := advice.Choices(advice.NewSet([]advice.Source{{File: file}}).For(e.Results[0].Sketch), func(advice.Case) bool { return true })[0]
	e.Judgement, e.Words = choice.Verdict(), choice.Words()
}

const lineWidth = 80

func (e *Examination) text(what string) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n\n", strings.Join(texttable.Wrap(e.Words, lineWidth), "\n"))
	sketch, use := e.Results[0].Sketch, terms.UseOf(e.Results[0].Sketch)
	fmt.Fprintf(&out, "%s, %d bits", what, e.Bits)
	if sketch != terms.SimHash {
		fmt.Fprintf(&out, ", for %s of %d %s", sketch, e.Results[0].Bits, use.Size)
	}
	if e.Encoding != "" {
		fmt.Fprintf(&out, ", %s", e.Encoding)
	}
	fmt.Fprintf(&out, ", %s of each pattern\n\n", english.Count(e.Results[0].Keyings, "keying"))
	header := []string{"pattern", "weights", "effective " + use.Size, "95%", use.Band, "95%"}
	if sketch == terms.SimHash {
		header = append(header, "constant or copied")
	}
	t := texttable.Aligned([]int{0, 1, len(header)}, append(header, "verdict")...)
	for _, r := range e.Results {
		all, allInterval := effective(r.All)
		near, nearInterval := effective(r.Cos90)
		row := texttable.Row{r.Pattern, r.Weights, all, allInterval, near, nearInterval}
		if sketch == terms.SimHash {
			row = append(row, defects(r.Bit))
		}
		t.AppendRow(append(row, r.Verdict))
	}
	fmt.Fprintln(&out, t.Render())
	return out.String()
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
		list = append(list, "constant "+bitRanges(q.Constant))
	}
	if len(q.Copied) > 0 {
		list = append(list, "copied "+bitRanges(q.Copied))
	}
	if q.Codes > 0 {
		list = append(list, english.Count(q.Codes, "different code"))
	}
	return cmp.Or(strings.Join(list, "; "), "0")
}

// Write writes the examination as "text" or "json". what is the name of the hash.
func (e *Examination) Write(w io.Writer, what, format string) error {
	return write(w, format, e.text(what), e.json(what))
}

func write(w io.Writer, format, text string, object any) error {
	if format == "json" {
		return jsonout.Write(w, object)
	}
	_, err := io.WriteString(w, text)
	return err
}

// jsonExamination is the examination as a JSON object. Unknown values are omitted.
type jsonExamination struct {
	Hash     string          `json:"hash"`
	Encoding string          `json:"encoding,omitempty"`
	Bits     int             `json:"bits"`
	Sketch   string          `json:"sketch"`
	Verdict  terms.Judgement `json:"verdict"`
	Words    string          `json:"words"`
	Cases    []jsonCase      `json:"cases"`
}

type jsonCase struct {
	Pattern      string          `json:"pattern"`
	Weights      string          `json:"weights"`
	Keyings      int             `json:"keyings"`
	All          *jsonBand       `json:"all,omitempty"`
	Cos90        *jsonBand       `json:"cos90,omitempty"` // of simhash
	J80          *jsonBand       `json:"j80,omitempty"`   // of MinHash
	Norms        *jsonBand       `json:"norms,omitempty"` // of feature hashing
	ConstantBits []int           `json:"constantBits"`
	CopiedBits   int             `json:"copiedBits"`
	Codes        int             `json:"differentCodes,omitempty"` // if too few
	Verdict      terms.Judgement `json:"verdict"`
}

type jsonBand struct {
	Pairs            int     `json:"pairs"`
	EffectiveBits    float64 `json:"effectiveBits,omitempty"`
	EffectiveBuckets float64 `json:"effectiveBuckets,omitempty"` // of feature hashing
	Low              float64 `json:"low"`                        // 95% interval
	High             float64 `json:"high"`
	Bias             float64 `json:"bias"` // of the angle in radians, or of the estimate
	RMSE             float64 `json:"rmse"`
	VarianceRatio    float64 `json:"varianceRatio"`
}

func (e *Examination) json(what string) jsonExamination {
	j := jsonExamination{Hash: what, Encoding: e.Encoding, Bits: e.Bits, Sketch: e.Results[0].Sketch, Verdict: e.Judgement, Words: e.Words}
	for _, r := range e.Results {
		c := jsonCase{
			Pattern: r.Pattern, Weights: r.Weights, Keyings: r.Keyings, All: jsonBandOf(r.All, r.Sketch),
			ConstantBits: append([]int{}, r.Bit.Constant...), CopiedBits: len(r.Bit.Copied), Codes: r.Bit.Codes,
			Verdict: r.Verdict,
		}
		next := map[string]**jsonBand{terms.SimHash: &c.Cos90, terms.MinHash: &c.J80, terms.Hashing: &c.Norms}
		*next[r.Sketch] = jsonBandOf(r.Cos90, r.Sketch)
		j.Cases = append(j.Cases, c)
	}
	return j
}

func jsonBandOf(b quality.Band, sketch string) *jsonBand {
	if !b.Defined {
		return nil
	}
	j := &jsonBand{Pairs: b.Pairs, EffectiveBits: b.Effective.Value, Low: b.Effective.Low, High: b.Effective.High, Bias: b.Hash.Bias, RMSE: b.Hash.RMSE, VarianceRatio: b.VarianceRatio}
	if sketch == terms.Hashing {
		j.EffectiveBits, j.EffectiveBuckets = 0, b.Effective.Value
	}
	return j
}

// bitRanges formats ascending bits, with a range for three or more in a row: "3, 5, 6, 32–63".
func bitRanges(bits []int) string {
	const shown = 6
	var list []string
	for len(bits) > 0 {
		if len(list) == shown {
			return strings.Join(list, ", ") + " ..."
		}
		n := 1
		for n < len(bits) && bits[n] == bits[0]+n {
			n++
		}
		if n < 3 {
			list, bits = append(list, fmt.Sprint(bits[0])), bits[1:]
			continue
		}
		list, bits = append(list, fmt.Sprintf("%d–%d", bits[0], bits[n-1])), bits[n:]
	}
	return strings.Join(list, ", ")
}
