package main

import (
	"errors"
	"fmt"
	"strings"

	"simhashkit/dedup"
)

// options turns flags into options, as far as they go without the fingerprints.
func (f *dedupFlags) options() (o dedup.Options, err error) {
	if f.other == "" {
		f.verifySettings()
	}
	if err := f.check(); err != nil {
		return o, err
	}
	if f.list == "" && f.changed("format") {
		return o, fmt.Errorf("--format %s: expected --list %s with it", f.format, strings.Join(dedup.Lists(), "|"))
	}
	if f.other != "" && f.list == dedup.ListGroups {
		return o, errors.New("--list groups: expected pairs, keep or drop with --against, where there are no groups")
	}
	if f.other != "" && f.changed("by") && !f.update {
		return o, fmt.Errorf("--by %s: expected only without --against, where there are no groups, or with --update", f.by)
	}
	if f.shows() && f.other != "" {
		return o, errors.New("--show and --audit: expected only without --against, where no record is kept for another")
	}
	if f.update && f.changed("recall") {
		return o, errors.New("--recall: expected only without --update")
	}
	if f.update && f.verify != "" {
		return o, errors.New("--verify: expected only without --update")
	}
	if f.keep != keepFirst && f.other != "" {
		return o, fmt.Errorf("--keep %s: expected only without --against, where no record is kept for another", f.keep)
	}
	if f.update && !f.changed("by") { // as if the index had been there from the first record on
		f.by = dedup.First
	}
	return dedup.Options{K: f.k, By: f.by, Among: f.update, Recall: float64(f.recall), Workers: f.input.workers}, nil
}

// preference returns which record of a group is kept, nil for the first. It is called before FILE
// is read.
func (f *dedupFlags) preference(args []string) (*dedup.Preference, error) {
	p, err := parseKeep(f.keep)
	if err != nil || p.name == "" {
		return nil, err
	}
	var values dedup.Reread
	if f.input.texts.given() && len(args) > 0 {
		values, err = f.input.again(args[0], p.valuesAgain(&f.input, f.input.report))
	}
	if err == nil && values == nil {
		err = fmt.Errorf("--keep %s: expected FILE of documents, which is read again", f.keep)
	}
	return &dedup.Preference{Name: p.name, Values: values}, err
}
