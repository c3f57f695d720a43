package main

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/english"
)

// table shows the precision of each command on each collection, as Markdown.
func table(samples []sample) string {
	out := "| texts | | `fphash dedup` | drops | labelled | the same | of all that is dropped |\n| --- | ---: | --- | ---: | ---: | ---: | ---: |\n"
	for len(samples) > 0 {
		n := slices.IndexFunc(samples, func(s sample) bool {
			return s.Collection != samples[0].Collection || s.Command != samples[0].Command
		})
		if n < 0 {
			n = len(samples)
		}
		out += row(samples[:n])
		samples = samples[n:]
	}
	return out
}

// row is the line of one command.
func row(samples []sample) string {
	byDistance := map[int]*dedup.Stratum{}
	same, dropped := 0, 0
	for _, s := range samples {
		stratum := byDistance[s.Distance]
		if stratum == nil {
			stratum = &dedup.Stratum{Distance: s.Distance, Dropped: s.DroppedAtDistance}
			byDistance[s.Distance] = stratum
			dropped += s.DroppedAtDistance
		}
		stratum.Labelled++
		if s.Same {
			stratum.Same++
			same++
		}
	}
	var strata []dedup.Stratum
	for _, s := range byDistance {
		strata = append(strata, *s)
	}
	slices.SortFunc(strata, func(a, b dedup.Stratum) int { return a.Distance - b.Distance })
	precision, _ := dedup.PrecisionOf(strata...)
	flags := "as it comes"
	if _, advised, ok := strings.Cut(samples[0].Command, " --id id "); ok {
		flags = "`" + advised + "`"
	}
	return fmt.Sprintf("| %s | %d | %s | %d | %d | %s%% | %v |\n", samples[0].Collection, samples[0].Documents, flags, dropped, len(samples), english.Hundred(float64(same)/float64(len(samples))), precision)
}

// writeTable writes the table of a file, by its columns.
func writeTable(w io.Writer, path string) error {
	rows, err := readRows(path)
	if err != nil {
		return err
	}
	var out string
	if slices.Equal(rows[0], columns) {
		var samples []sample
		samples, err = readSamples(rows)
		out = table(samples)
	} else {
		var outcomes []outcome
		outcomes, err = readOutcomes(rows)
		out = recallTable(outcomes)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	_, err = io.WriteString(w, out)
	return err
}
