// Package store keeps benchmark results as baselines: results/<cpu>/<date>/NAME.txt.
package store

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"golang.org/x/perf/benchfmt"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/decompress"
	"simhashkit/internal/wholefile"
)

// DefaultRoot is where results lie in this repository.
const DefaultRoot = "results"

var (
	// ErrNoBaseline says that a store has nothing to compare results with.
	ErrNoBaseline = errors.New("store: no baseline")
	// ErrNoResults says that a file holds no benchmark results.
	ErrNoResults = errors.New("no benchmark results")

	dateFolder    = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)
	nameOfResults = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._-]*$`)
	noPartOfSlug  = regexp.MustCompile(`[^a-z0-9]+`)
)

// Store is a folder of results. It need not exist before something is added.
type Store struct{ root string }

// Open returns the store in that folder.
func Open(root string) *Store { return &Store{root} }

// Entry is a result file in the store.
type Entry struct {
	CPU  string // the folder's name, which comes from the processor's
	Date string // 2006-01-02
	Name string // without .txt
	Path string
	Results
}

// List returns the files with results, by processor, date and name; none of a missing store.
func (s *Store) List() ([]Entry, error) {
	paths, err := fs.Glob(os.DirFS(s.root), "*/*/*.txt")
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	var entries []Entry
	for _, p := range paths {
		part := strings.Split(p, "/")
		if !dateFolder.MatchString(part[1]) {
			continue
		}
		e := Entry{CPU: part[0], Date: part[1], Name: strings.TrimSuffix(part[2], ".txt"), Path: filepath.Join(s.root, filepath.FromSlash(p))}
		e.Results, err = ReadFile(e.Path)
		if errors.Is(err, ErrNoResults) || errors.Is(err, resultfile.ErrUTF16) {
			continue
		}
		if err != nil {
			return nil, err
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	return entries, nil
}

func slug(cpu string) string {
	return strings.Trim(noPartOfSlug.ReplaceAllString(strings.ToLower(cpu), "-"), "-")
}

// day returns the date on which results were measured, or the zero time if they do not say it.
func day(r Results) time.Time {
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, r.Head["date"]); err == nil {
			return t
		}
	}
	return time.Time{}
}

// Add files the results in a file under the processor and the date that they name, or now. name is
// that of the new file, "" for the old one's; a number is appended if it is taken: bench-2. If the
// same bytes are filed already, added is false.
func (s *Store) Add(path, name string, now time.Time) (filed string, added bool, err error) {
	results, err := ReadFile(path)
	if err != nil {
		return "", false, err
	}
	name = cmp.Or(name, plainName(path))
	if !nameOfResults.MatchString(name) {
		return "", false, fmt.Errorf("store: %q is no name for results; expected letters, digits, dots and dashes", name)
	}
	cpu := slug(results.Config["cpu"])
	if cpu == "" {
		return "", false, fmt.Errorf("store: %s does not say its processor; expected a line: cpu: NAME", path)
	}
	date := day(results)
	if date.IsZero() {
		date = now
	}
	folder := filepath.Join(s.root, cpu, date.UTC().Format(time.DateOnly))
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return "", false, fmt.Errorf("store: %w", err)
	}
	for number := 1; ; number++ {
		filed = filepath.Join(folder, name+".txt")
		if number > 1 {
			filed = filepath.Join(folder, fmt.Sprintf("%s-%d.txt", name, number))
		}
		switch text, err := os.ReadFile(filed); {
		case err == nil && bytes.Equal(text, results.Text):
			return filed, false, nil
		case err == nil:
			continue
		case !errors.Is(err, fs.ErrNotExist):
			return "", false, fmt.Errorf("store: %w", err)
		}
		break
	}
	if err := wholefile.WriteBytes(filed, results.Text); err != nil {
		return "", false, fmt.Errorf("store: %w", err)
	}
	return filed, true, nil
}

// plainName is the file's name without its folder and without .txt, .gz and the like.
func plainName(path string) string {
	name := filepath.Base(path)
	for _, ending := range []string{".gz", ".zst", ".bz2", ".txt"} {
		name = strings.TrimSuffix(name, ending)
	}
	return name
}

// Nearest returns the entry to compare the results in a file with. It is of the same system and
// processor, not newer, and shares no process run with the file. Of such entries it has the most
// benchmarks in common, within a tenth; then the same version of Go; then the latest date.
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
		case !date.IsZero() && (e.Date > date.UTC().Format(time.DateOnly) || day(e.Results).After(date)):
			continue
		}
		if n := common(results, e.Results); n > 0 {
			candidates = append(candidates, e)
			largest = max(largest, n)
		}
	}
	candidates = slices.DeleteFunc(candidates, func(e Entry) bool { return 10*common(results, e.Results) < 9*largest })
	if len(candidates) == 0 {
		elsewhere := ""
		if len(others) > 0 {
			elsewhere = "; it has results of " + strings.Join(slices.Sorted(maps.Keys(others)), ", ")
		}
		return Entry{}, fmt.Errorf("%w: %s has no results of %s/%s on %s that share a benchmark with %s and are not newer%s", ErrNoBaseline,
			s.root, results.Config["goos"], results.Config["goarch"], cmp.Or(results.Config["cpu"], "an unnamed processor"), path, elsewhere)
	}
	sameGo := func(e Entry) int {
		if results.Head["go"] == e.Head["go"] {
			return 1
		}
		return 0
	}
	return slices.MaxFunc(candidates, func(a, b Entry) int {
		// bench.txt before bench-2.txt, if nothing else decides
		return cmp.Or(sameGo(a)-sameGo(b), strings.Compare(a.Date, b.Date), day(a.Results).Compare(day(b.Results)), strings.Compare(b.Name, a.Name))
	}), nil
}

// overlap reports whether results are part of others, as of files of several process runs.
func overlap(a, b []byte) bool {
	a, b = bytes.TrimSpace(a), bytes.TrimSpace(b)
	return bytes.Contains(a, b) || bytes.Contains(b, a)
}

func same(a, b string) bool {
	absoluteA, errA := filepath.Abs(a)
	absoluteB, errB := filepath.Abs(b)
	return errA == nil && errB == nil && absoluteA == absoluteB
}

func sameMachine(a, b Results) bool {
	return !slices.ContainsFunc([]string{"goos", "goarch", "cpu"}, func(key string) bool { return a.Config[key] != b.Config[key] })
}

func common(a, b Results) int {
	n := 0
	for name := range a.Benchmarks {
		if _, ok := b.Benchmarks[name]; ok {
			n++
		}
	}
	return n
}

// Results is what a store has to know about a result file.
type Results struct {
	Head       map[string]string // lines "# name: value" above the results: date, go, commit ...
	Config     map[string]string // lines "key: value" at the first result
	Benchmarks map[string]int    // samples by name
	Text       []byte            // the file, unpacked
}

// Samples is the number of all samples.
func (r Results) Samples() int {
	n := 0
	for _, samples := range r.Benchmarks {
		n += samples
	}
	return n
}

// ReadFile reads a result file, plain or compressed. It returns ErrNoResults if there are none.
func ReadFile(path string) (Results, error) {
	file, err := decompress.Open(context.Background(), path)
	if err != nil {
		return Results{}, fmt.Errorf("store: %w", err)
	}
	defer file.Close()
	d, err := resultfile.ReadDocument(file, path)
	if err != nil {
		return Results{}, fmt.Errorf("store: %w", err)
	}
	r := Results{Head: map[string]string{}, Config: map[string]string{}, Benchmarks: map[string]int{}, Text: d.Text}
	var reader resultfile.Reader
	for record, err := range reader.Records(d) {
		if err != nil {
			return Results{}, fmt.Errorf("store: %w", err)
		}
		if result, ok := record.(*benchfmt.Result); ok {
			r.add(d, result)
		}
	}
	if len(r.Benchmarks) == 0 {
		return Results{}, fmt.Errorf("store: %s: %w", path, ErrNoResults)
	}
	return r, nil
}

// add counts a result; the first one has the head above it.
func (r *Results) add(d *resultfile.Document, result *benchfmt.Result) {
	if len(r.Benchmarks) == 0 {
		for _, c := range result.Config {
			r.Config[c.Key] = string(c.Value)
		}
		_, first := result.Pos()
		for _, h := range d.Head {
			if h.Line < first && r.Head[h.Name] == "" {
				r.Head[h.Name] = h.Value
			}
		}
	}
	r.Benchmarks[string(result.Name)]++
}
