package store

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/gobench/resultfile"
)

// History is the results of one machine over time.
type History struct {
	Machine   string     // processor, system and architecture
	Occasions []Occasion // the oldest first
	Courses   []Course   // in order of appearance, those of the newest results first
	Others    int        // result files of other machines, which are left out
	Broken    []string   // files that do not parse, and why
}

// Occasion is the results of one day by one version of Go at one commit.
type Occasion struct {
	Date       string // 2006-01-02
	Go, Commit string // "" where results do not say it
	Files      []string

	entries []Entry
}

// Course is one benchmark in one unit over time.
type Course struct {
	Name   string // without the word Benchmark
	Unit   string
	Main   bool // the unit is the first one of the benchmark
	Exact  bool // the figures have no noise
	Points []Point
}

// Point is the samples of one occasion. If several of its files have some, the files count whose
// name is common to most occasions, since what else a run measures influences it. Files such as
// bench and bench-2 have one name and are taken together; so are all files if none has that name.
type Point struct {
	Occasion int // counted from 0
	Files    []string
	resultfile.Figure
}

// History returns the history of one machine: that of the newest of the files, or without files
// that of the newest results in the store. The files need not be filed, and are part of the
// history; those without a date are of now. It reads all of the store, and fails if there are no
// results at all.
func (s *Store) History(files []string, now time.Time) (*History, error) {
	entries, err := s.List()
	if err != nil {
		return nil, err
	}
	var named []Entry
	for _, path := range files {
		results, err := ReadFile(path)
		if err != nil {
			return nil, err
		}
		e := Entry{Name: plainName(path), Path: path, Results: results, Date: day(results).UTC().Format(time.DateOnly)}
		if day(results).IsZero() {
			e.Date = now.UTC().Format(time.DateOnly)
		}
		named = append(named, e)
		if !slices.ContainsFunc(entries, func(f Entry) bool { return same(f.Path, path) || bytes.Equal(f.Text, results.Text) }) {
			entries = append(entries, e)
		}
	}
	if len(named) == 0 {
		named = entries
	}
	if len(named) == 0 {
		return nil, fmt.Errorf("store: no results in %s; fphash results add files some", s.root)
	}
	newest := slices.MaxFunc(named, byTime)
	h := &History{Machine: machineOf(newest.Results)}
	all := len(entries)
	entries = slices.DeleteFunc(entries, func(e Entry) bool { return !sameMachine(e.Results, newest.Results) })
	h.Others = all - len(entries)
	h.group(entries)
	h.follow()
	return h, nil
}

func machineOf(r Results) string {
	return fmt.Sprintf("%s, %s/%s", cmp.Or(r.Config["cpu"], "an unnamed processor"), r.Config["goos"], r.Config["goarch"])
}

func byTime(a, b Entry) int {
	return cmp.Or(strings.Compare(a.Date, b.Date), day(a.Results).Compare(day(b.Results)), strings.Compare(a.Path, b.Path))
}

// group sorts results by occasion.
func (h *History) group(entries []Entry) {
	slices.SortFunc(entries, byTime)
	for _, e := range entries {
		o := Occasion{Date: e.Date, Go: e.Head["go"], Commit: e.Head["commit"]}
		i := slices.IndexFunc(h.Occasions, func(p Occasion) bool { return p.Date == o.Date && p.Go == o.Go && p.Commit == o.Commit })
		if i < 0 {
			i = len(h.Occasions)
			h.Occasions = append(h.Occasions, o)
		}
		h.Occasions[i].Files = append(h.Occasions[i].Files, e.Path)
		h.Occasions[i].entries = append(h.Occasions[i].entries, e)
	}
}
