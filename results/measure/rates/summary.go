package main

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	pretty "github.com/jedib0t/go-pretty/v6/table"
	"github.com/jedib0t/go-pretty/v6/text"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"simhashkit/bench/gobench/compare"
	"simhashkit/results/measure/comparisons"
)

// counted sums up records.
type counted struct {
	comparisons, alarms, unable int
	verdicts                    map[string]int
	// alarms of the naive gate, at any size, and beyond the threshold
	naive, naiveBeyond int
	seconds            []float64
}

func count(records []comparisons.Record) counted {
	c := counted{comparisons: len(records), verdicts: map[string]int{}}
	add := func(n *int, is bool) {
		if is {
			*n++
		}
	}
	for _, r := range records {
		add(&c.alarms, r.Alarm())
		add(&c.unable, r.Exit == 2)
		c.verdicts[r.Verdict]++
		add(&c.naive, r.NaiveAlarm(0))
		add(&c.naiveBeyond, r.NaiveAlarm(compare.DefaultThreshold))
		c.seconds = append(c.seconds, r.Seconds)
	}
	slices.Sort(c.seconds)
	return c
}

// verdictsInWords is "no change 9, unclear 1".
func (c counted) verdictsInWords() string {
	var words []string
	for _, v := range compare.Verdicts() {
		if n := c.verdicts[string(v)]; n > 0 {
			words = append(words, fmt.Sprintf("%s %d", v, n))
		}
	}
	return strings.Join(words, ", ")
}

// quantile is of the seconds.
func (c counted) quantile(p float64) string {
	return fmt.Sprintf("%.1f", stat.Quantile(p, stat.Empirical, c.seconds, nil))
}

// confidence of the intervals of shares.
const confidence = 0.95

// share is k of n in percent, with its interval by Clopper and Pearson (1934), which holds at least
// that often whatever the true share is.
func share(k, n int) string {
	low, high := interval(k, n)
	return fmt.Sprintf("%d: %.1f%% (%.1f-%.1f)", k, 100*float64(k)/float64(n), 100*low, 100*high)
}

func interval(k, n int) (low, high float64) {
	const tail = (1 - confidence) / 2
	high = 1
	if k > 0 {
		low = distuv.Beta{Alpha: float64(k), Beta: float64(n - k + 1)}.Quantile(tail)
	}
	if k < n {
		high = distuv.Beta{Alpha: float64(k + 1), Beta: float64(n - k)}.Quantile(1 - tail)
	}
	return low, high
}

// printSummary prints a table of what the files hold.
func printSummary(w io.Writer, paths []string) error {
	if len(paths) == 0 {
		return errors.New("-sum: expected files")
	}
	t := pretty.NewWriter()
	t.SetStyle(pretty.StyleLight)
	t.Style().Format.Header = text.FormatDefault
	t.AppendHeader(pretty.Row{"extra work", "benchmarks", "comparisons", "alarms of fphash ab", "verdicts", "could not", "seconds: median", "95%", "naive: p < 0.05", "and > 3%"})
	for _, path := range paths {
		f, err := comparisons.Read(path)
		if err != nil {
			return err
		}
		if len(f.Records) == 0 {
			return fmt.Errorf("%s: no comparisons", path)
		}
		of := map[string][]comparisons.Record{}
		for _, r := range f.Records {
			of[kindOf(r)] = append(of[kindOf(r)], r)
		}
		kinds := slices.Sorted(maps.Keys(of))
		of["all"] = f.Records
		for _, kind := range append([]string{"all"}, kinds...) {
			c := count(of[kind])
			n := c.comparisons
			t.AppendRow(pretty.Row{extraInWords(f), kind, n, share(c.alarms, n), c.verdictsInWords(), c.unable,
				c.quantile(0.5), c.quantile(0.95), share(c.naive, n), share(c.naiveBeyond, n)})
		}
		t.AppendSeparator()
	}
	_, err := fmt.Fprintf(w, "%s\nShares with their 95%% intervals (Clopper and Pearson). Without extra work every alarm is a false one; with it, all others are misses.\n", t.Render())
	return err
}

// extraInWords is "6%", or "6% in bursts".
func extraInWords(f comparisons.File) string {
	if f.Setting("kind") == kindBursts {
		return f.Setting("extra") + "% in bursts"
	}
	return f.Setting("extra") + "%"
}

// kindOf is what the benchmark is about: Hash, Sketch.
func kindOf(r comparisons.Record) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(r.Benchmark, "Benchmark"), "/")
	return kind
}
