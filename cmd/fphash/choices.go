package main

import (
	"fmt"
	"slices"
	"strings"
)

// joined lists the values that a flag may have, for help and messages.
func joined[S ~string](list []S) string {
	var names []string
	for _, s := range list {
		names = append(names, string(s))
	}
	return strings.Join(names, ", ")
}

// expectOneOf returns an error for a value that is none of the list; what names it.
func expectOneOf(what, value string, list []string) error {
	if slices.Contains(list, value) {
		return nil
	}
	return fmt.Errorf("unknown %s %q; expected %s", what, value, joined(list))
}
