package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// review is a class of mutants that may survive, and why.
type review struct {
	mutant *regexp.Regexp // of the whole id
	reason string
}

// readReviews reads the lists of the packages whose files are mutated: one for each package and
// architecture.
func (o *options) readReviews() (all []review, err error) {
	var names []string
	for _, path := range o.files {
		a, err := architectureOf(path)
		if err != nil {
			return nil, err
		}
		names = append(names, a.reviews(path))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list, err := readReviewed(filepath.Join(o.reviewed, name))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// readReviewed reads the list: blocks of lines, the reason behind "# ", then one regular expression
// a line for the ids that it explains.
func readReviewed(path string) (list []review, err error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reason := ""
	afterReason := false
	for i, line := range strings.Split(string(source), "\n") {
		line = strings.TrimRight(line, " \r")
		comment, isComment := strings.CutPrefix(line, "#")
		switch {
		case line == "":
			reason = ""
		case isComment && afterReason:
			reason += comment
		case isComment:
			reason = strings.TrimSpace(comment)
		case reason == "":
			return nil, fmt.Errorf("%s:%d: a pattern without a reason above it", path, i+1)
		default:
			pattern, err := regexp.Compile("^(?:" + line + ")$")
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
			}
			list = append(list, review{pattern, reason})
		}
		afterReason = isComment
	}
	return list, nil
}

func isReviewed(list []review, id string) bool {
	for _, r := range list {
		if r.mutant.MatchString(id) {
			return true
		}
	}
	return false
}
