package store

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// machineKeys are the lines in which results must agree to be comparable.
var machineKeys = []string{"goos", "goarch", "cpu"}

// ErrNoBaseline says that a store has nothing to compare results with.
var ErrNoBaseline = errors.New("store: no baseline")

// Nearest returns the entry that the results in a file are best compared with. It is of the same
// system and processor and not newer than the file. Of such entries it has the most benchmarks in
// common, where numbers within a tenth of the largest count as equal; then the same version of Go,
// if there is one; then the latest date. It is never the file itself, a copy, or a file that shares
// process runs with it.
func (s *Store) Nearest(path string) (Entry, error) {
	results, err := ReadFile(path)
	if err != nil {
		return Entry{}, err
	}
	entries, err := s.List()
	if err != nil {
		return Entry{}, err
	}
	date := day(results)
	var candidates []Entry
	largest := 0 // number of benchmarks in common
	others := map[string]bool{}
	for _, e := range entries {
		switch {
		case same(path, e.Path) || overlap(results.Text, e.Text):
			continue
		case !sameMachine(results, e.Results):
			others[e.CPU] = true
			continue
		case !date.IsZero() && e.Date > date.UTC().Format("2006-01-02"):
			continue
		case !date.IsZero() && day(e.Results).After(date):
			continue
		}
		if n := common(results, e.Results); n > 0 {
			candidates = append(candidates, e)
			largest = max(largest, n)
		}
	}
	candidates = slices.DeleteFunc(candidates, func(e Entry) bool { return 10*common(results, e.Results) < 9*largest })
	if len(candidates) == 0 {
		return Entry{}, noBaseline(s.root, path, results, others)
	}
	return slices.MaxFunc(candidates, func(a, b Entry) int {
		if sameA, sameB := sameGo(results, a), sameGo(results, b); sameA != sameB {
			if sameA {
				return 1
			}
			return -1
		}
		// bench.txt before bench-2.txt, if nothing else decides
		return cmp.Or(strings.Compare(a.Date, b.Date), day(a.Results).Compare(day(b.Results)), strings.Compare(b.Name, a.Name))
	}), nil
}

// overlap reports whether results are part of others: files of several process runs may have been
// put together from files that are in the store, or have come apart.
func overlap(a, b []byte) bool {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	return bytes.Contains(a, b) || bytes.Contains(b, a)
}

func noBaseline(root, path string, r Results, others map[string]bool) error {
	cpu := cmp.Or(r.Config["cpu"], "an unnamed processor")
	elsewhere := ""
	if len(others) > 0 {
		elsewhere = "; it has results of " + strings.Join(slices.Sorted(maps.Keys(others)), ", ")
	}
	return fmt.Errorf("%w: %s has no results of %s/%s on %s that share a benchmark with %s and are not newer%s", ErrNoBaseline, root, r.Config["goos"], r.Config["goarch"], cpu, path, elsewhere)
}

func same(a, b string) bool {
	absoluteA, errA := filepath.Abs(a)
	absoluteB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absoluteA == absoluteB
}

func sameMachine(a, b Results) bool {
	return !slices.ContainsFunc(machineKeys, func(key string) bool { return a.Config[key] != b.Config[key] })
}

func sameGo(r Results, e Entry) bool { return r.Head["go"] == e.Head["go"] }

// common is the number of benchmarks that both have.
func common(a, b Results) int {
	n := 0
	for name := range a.Benchmarks {
		if _, ok := b.Benchmarks[name]; ok {
			n++
		}
	}
	return n
}
