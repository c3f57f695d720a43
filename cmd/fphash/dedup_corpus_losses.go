package main

import (
	"fmt"
	"strings"

	"simhashkit/dedup/corpus"
	"simhashkit/internal/english"
)

// shownLosses is how many of the inputs that lose most are named.
const shownLosses = 5

// mostLosses names the inputs that lose most records; "" where there is one input, or none loses.
func mostLosses(r *corpus.Result) string {
	losses := r.Losses()
	if len(r.Inputs()) < 2 || len(losses) == 0 {
		return ""
	}
	shown := losses[:min(len(losses), shownLosses)]
	var list []string
	for _, l := range shown {
		list = append(list, fmt.Sprintf("%s %d of %d", l.Input.Name, l.Dropped, l.Records))
	}
	text := "Dropped by file: " + strings.Join(list, ", ")
	if others := losses[len(shown):]; len(others) > 0 {
		dropped := 0
		for _, l := range others {
			dropped += l.Dropped
		}
		text += fmt.Sprintf("; %d in %d other %s", dropped, len(others), english.Plural(len(others), "file", "files"))
	}
	return text + "."
}
