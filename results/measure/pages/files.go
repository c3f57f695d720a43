package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// filed holds the figures of one or more result files, and the head of the first.
type filed struct {
	name   string
	head   []resultfile.Field
	all    []resultfile.Summary
	byUnit map[string][]resultfile.Summary
	least  map[string]float64 // the lowest sample, by name and unit
}

func read(root string, files []string) (*filed, error) {
	f := newFiled()
	f.name = files[0]
	for i, name := range files {
		file, err := os.Open(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			return nil, err
		}
		results, err := resultfile.Read(file, name)
		file.Close()
		if err != nil {
			return nil, err
		}
		if i == 0 {
			f.head = append(results.Head, results.Config...)
		}
		f.add(results.Rows)
	}
	return f, nil
}

func newFiled() *filed {
	return &filed{byUnit: map[string][]resultfile.Summary{}, least: map[string]float64{}}
}

// add adds those figures of a file that the earlier files do not have.
func (f *filed) add(rows []resultfile.Row) {
	known := map[string]bool{}
	for _, s := range f.all {
		known[s.Name.String()+" "+s.Unit] = true
	}
	for _, r := range rows {
		id := r.Name + " " + r.Unit
		for _, s := range r.Samples {
			if least, seen := f.least[id]; !known[id] && (!seen || s.Value < least) {
				f.least[id] = s.Value
			}
		}
	}
	for _, s := range resultfile.Summarize(rows) {
		if !known[s.Name.String()+" "+s.Unit] && s.Err == "" {
			f.all = append(f.all, s)
			f.byUnit[s.Unit] = append(f.byUnit[s.Unit], s)
		}
	}
}

// source describes how the figures of the first file were measured.
func (f *filed) source() (string, error) {
	var missing []error
	value := func(name string) string {
		i := slices.IndexFunc(f.head, func(f resultfile.Field) bool { return f.Name == name })
		if i < 0 {
			missing = append(missing, fmt.Errorf("%s does not say its %s", f.name, name))
			return ""
		}
		return f.head[i].Value
	}
	date, _, _ := strings.Cut(value("date"), "T")
	command, _, _ := strings.Cut(value("command"), " --out")
	return fmt.Sprintf("Medians on one core of %s, %s, %s, by `%s` ([raw samples](%s)).\n\n",
		value("cpu"), value("go"), date, command, f.name), errors.Join(missing...)
}

// keys selects rows by the keys of their names, by "base", which is the first part of the name, and
// by "unit". The value "a+b" selects both a and b. The value "a|b" selects a, or b if there is no
// row with a. The value "" selects rows whose name does not have the key.
type keys map[string]string

// parse parses words with "=", and one word without, which is the base.
func parse(text string) keys {
	k := keys{}
	for _, word := range strings.Fields(text) {
		if key, value, ok := strings.Cut(word, "="); ok {
			k[key] = value
		} else {
			k["base"] = word
		}
	}
	return k
}

// with returns k and more combined. If both have a key, the value in more counts.
func (k keys) with(more keys) keys {
	all := maps.Clone(k)
	maps.Copy(all, more)
	return all
}

func (k keys) match(s resultfile.Summary) bool {
	for key, value := range k {
		got := s.Name.Get(key)
		switch key {
		case "base":
			got = s.Name.Base
		case "unit":
			got = s.Unit
		}
		if got != value && !(strings.Contains(value, "+") && slices.Contains(strings.Split(value, "+"), got)) {
			return false
		}
	}
	return true
}

// find returns the rows that the keys select.
func (f *filed) find(k keys) (list []resultfile.Summary) {
	for key, value := range k {
		if !strings.Contains(value, "|") {
			continue
		}
		for first := range strings.SplitSeq(value, "|") {
			if list = f.find(k.with(keys{key: first})); len(list) > 0 {
				break
			}
		}
		return list
	}
	from := f.all
	if unit, ok := k["unit"]; ok && !strings.Contains(unit, "+") {
		from = f.byUnit[unit]
	}
	for _, s := range from {
		if k.match(s) {
			list = append(list, s)
		}
	}
	return list
}
