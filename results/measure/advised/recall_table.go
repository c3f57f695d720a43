package main

import (
	"fmt"
	"slices"
	"strings"

	"simhashkit/internal/english"
)

// recallTable shows what each program finds on each collection, and below at what cost, as
// Markdown.
func recallTable(outcomes []outcome) string {
	var collections, programs []string
	advised := map[string]string{}
	cells := map[[2]string][]outcome{}
	for _, o := range outcomes {
		program := o.Program + ", " + o.Setting
		if !slices.Contains(collections, o.Collection) {
			collections = append(collections, o.Collection)
		}
		if !slices.Contains(programs, program) {
			programs = append(programs, program)
		}
		if _, flags, ok := strings.Cut(o.Command, " --id id "); ok && o.Setting == "advised" {
			advised[o.Collection] = "`" + flags + "`"
		}
		cell := [2]string{o.Collection, program}
		cells[cell] = append(cells[cell], o)
	}
	table := func(head string, programs []string, begin func(o outcome) string, cell func([]outcome) string) string {
		out := "| " + head + " | " + strings.Join(programs, " | ") + " |\n|" + strings.Repeat(" --- |", strings.Count(head, "|")+1) + strings.Repeat(" ---: |", len(programs)) + "\n"
		for _, collection := range collections {
			out += "| " + begin(outcomes[slices.IndexFunc(outcomes, func(o outcome) bool { return o.Collection == collection })])
			for _, program := range programs {
				text := "–"
				if list := cells[[2]string{collection, program}]; len(list) > 0 {
					text = cell(list)
				}
				out += " | " + text
			}
			out += " |\n"
		}
		return out
	}
	dropping := slices.DeleteFunc(slices.Clone(programs), func(program string) bool { return program == fphash+", choose" })
	found := table("texts | droppable | advised", dropping, func(o outcome) string {
		return fmt.Sprintf("%s, %d | %d | %s", o.Collection, o.Documents, o.Droppable, advised[o.Collection])
	}, func(list []outcome) string {
		part := func(of int) string { return english.Hundred(float64(list[0].Right) / float64(max(of, 1))) }
		return part(list[0].Droppable) + " · " + part(list[0].Dropped)
	})
	cost := table("texts", programs, func(o outcome) string { return o.Collection }, func(list []outcome) string {
		var seconds []float64
		var bytes []int64
		for _, o := range list {
			seconds, bytes = append(seconds, o.Seconds), append(bytes, o.Bytes)
		}
		slices.Sort(seconds)
		slices.Sort(bytes)
		return secondsText(seconds[len(list)/2]) + fmt.Sprintf(" · %d", bytes[len(list)/2]>>20)
	})
	return found + "\n" + cost
}

// secondsText hides what the system cannot tell: it counts some milliseconds at once.
func secondsText(seconds float64) string {
	switch {
	case seconds < 0.015:
		return "≤ 0.01"
	case seconds < 10:
		return fmt.Sprintf("%.2g", seconds)
	}
	return fmt.Sprintf("%.0f", seconds)
}
