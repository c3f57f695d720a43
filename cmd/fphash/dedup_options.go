package main

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/tabular"
)

// options turns flags into options, as far as they go without the fingerprints.
func (f *dedupFlags) options() (o dedup.Options, err error) {
	if err := f.check(tabular.Formats()); err != nil {
		return o, err
	}
	switch {
	case f.list != "":
		if err := expectOneOf("--list", f.list, dedup.Lists()); err != nil {
			return o, err
		}
	case f.changed("format"):
		return o, fmt.Errorf("--format %s: expected --list %s with it", f.format, strings.Join(dedup.Lists(), "|"))
	}
	if f.other != "" && f.list == dedup.ListGroups {
		return o, errors.New("--list groups: expected pairs, keep or drop with --against, where there are no groups")
	}
	if f.other != "" && f.changed("by") && !f.update {
		return o, fmt.Errorf("--by %s: expected only without --against, where there are no groups, or with --update", f.by)
	}
	if f.show > 0 && f.other != "" {
		return o, errors.New("--show: expected only without --against, where no record is kept for another")
	}
	if f.keep != keepFirst && f.other != "" {
		return o, fmt.Errorf("--keep %s: expected only without --against, where no record is kept for another", f.keep)
	}
	if f.update && !f.changed("by") { // as if the index had been there from the first record on
		f.by = dedup.First
	}
	o = dedup.Options{K: f.k, By: f.by, Among: f.update, Workers: f.input.workers}
	o.Cosine, err = parseVerify(f.verify)
	return o, err
}

// preference returns which record of a group is kept, nil for the first.
func (f *dedupFlags) preference(args []string, records *dedup.Records) (*dedup.Preference, error) {
	p, err := parseKeep(f.keep)
	if err != nil || p.name == "" {
		return nil, err
	}
	if !f.input.rereads(args) {
		return nil, fmt.Errorf("--keep %s: expected FILE of documents, which is read again", f.keep)
	}
	values := func(ctx context.Context, list []int) ([]float64, error) {
		return p.values(ctx, args[0], records.Len(), list, &f.input.texts)
	}
	return &dedup.Preference{Name: p.name, Values: values}, nil
}

// parseVerify returns the least cosine of what is verified, 0 if nothing is.
func parseVerify(text string) (float64, error) {
	if text == "" {
		return 0, nil
	}
	var cosine fraction
	number, ok := strings.CutPrefix(text, "cosine:")
	if !ok || cosine.Set(number) != nil || !(cosine > 0 && cosine <= 1) {
		return 0, fmt.Errorf("--verify %q: expected cosine: and a number above 0 and at most 1, as in cosine:0.95", text)
	}
	return float64(cosine), nil
}
