package main

import (
	"fmt"
	"strconv"
	"strings"
)

// most bounds how many names one pattern may stand for.
const most = 10_000

// expand returns all texts that a text with alternatives in braces stands for, those of the last
// braces following each other.
func expand(text string) ([]string, error) {
	before, rest, found := strings.Cut(text, "{")
	if !found {
		if strings.Contains(text, "}") {
			return nil, fmt.Errorf("expected { before }")
		}
		return []string{text}, nil
	}
	inside, after, closed := strings.Cut(rest, "}")
	if !closed || strings.Contains(inside, "{") || strings.Contains(before, "}") {
		return nil, fmt.Errorf("expected every { to be followed by one }")
	}
	choices, err := alternatives(inside)
	if err != nil {
		return nil, err
	}
	tails, err := expand(after)
	if err != nil {
		return nil, err
	}
	if len(choices)*len(tails) > most {
		return nil, fmt.Errorf("expected at most %d names, got %d", most, len(choices)*len(tails))
	}
	var all []string
	for _, choice := range choices {
		for _, tail := range tails {
			all = append(all, before+choice+tail)
		}
	}
	return all, nil
}

// alternatives reads what stands between braces.
func alternatives(inside string) ([]string, error) {
	first, last, isRange := strings.Cut(inside, "..")
	if !isRange {
		return strings.Split(inside, ","), nil
	}
	from, errFrom := strconv.Atoi(first)
	to, errTo := strconv.Atoi(last)
	if errFrom != nil || errTo != nil || from > to || to-from >= most {
		return nil, fmt.Errorf("expected {FROM..TO} with two ascending whole numbers, got {%s}", inside)
	}
	var list []string
	for n := from; n <= to; n++ {
		list = append(list, strconv.Itoa(n))
	}
	return list, nil
}
