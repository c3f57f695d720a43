// Package store keeps benchmark results as baselines, in folders by processor and date:
// results/<cpu>/<date>/NAME.txt. Files hold the raw samples, and say where they were measured.
package store

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"simhashkit/bench/gobench/resultfile"
)

// DefaultRoot is where results lie in this repository.
const DefaultRoot = "results"

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

var dateFolder = regexp.MustCompile(`^\d{4}-\d\d-\d\d$`)

// List returns all result files, by processor, date and name. Files that hold no results (tables,
// machines) are not among them. A store that does not exist is empty.
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

var noPartOfSlug = regexp.MustCompile(`[^a-z0-9]+`)

// slug makes a folder's name of a processor's.
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
