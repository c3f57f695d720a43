package main

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"

	"simhashkit/internal/wholefile"
)

// outcome is that of one run of a program on a collection.
type outcome struct {
	Collection           string
	Documents, Droppable int
	Program, Setting     string
	Command              string
	Round                int
	Seconds              float64 // of the processors
	Bytes                int64   // the most memory
	score
}

var outcomeColumns = []string{"collection", "documents", "droppable", "program", "setting", "command", "round", "seconds", "bytes", "dropped", "right", "wrong_example", "missed_example"}

// comparison runs programs on collections, in turn, and files what each run finds.
type comparison struct {
	path     string
	python   string // "" leaves the other programs as they are filed
	rounds   int
	outcomes []outcome
}

// compare runs all programs on a collection.
func (c *comparison) compare(ctx context.Context, t *trial) error {
	truth, err := judge(ctx, t.collection)
	if err != nil {
		return err
	}
	kept := slices.DeleteFunc(slices.Clone(c.outcomes), func(r outcome) bool { return r.Collection != t.name || r.Program == fphash })
	c.outcomes = slices.DeleteFunc(c.outcomes, func(r outcome) bool { return r.Collection == t.name })
	add := func(r outcome, round int) {
		r.Collection, r.Documents, r.Droppable, r.Round = t.name, len(t.documents), truth.droppable, round
		fmt.Fprintf(os.Stderr, "%s of %d, %d droppable: %s, %s: %d dropped, %d rightly; %.2f s, %d MB\n",
			t.name, r.Documents, r.Droppable, r.Program, r.Setting, r.Dropped, r.Right, r.Seconds, r.Bytes>>20)
		c.outcomes = append(c.outcomes, r)
	}
	advice, chosen, err := t.advice(ctx)
	if err != nil {
		return err
	}
	add(chosen, 1)
	programs := t.programs(advice)
	if c.python != "" {
		programs, kept = append(programs, others...), nil
	}
	for _, r := range kept {
		if r.Documents != len(t.documents) || r.Droppable != truth.droppable {
			return fmt.Errorf("%s has runs of %s on other texts: run that again, with -python", c.path, r.Program)
		}
	}
	for round := range c.rounds {
		for _, p := range programs {
			r, groups, err := t.run(ctx, p, c.python)
			if err != nil {
				return err
			}
			r.score = truth.score(groups)
			add(r, round+1)
		}
	}
	c.outcomes = append(c.outcomes, kept...)
	return wholefile.Write(c.path, c.write)
}

// write writes the runs below what they were made with.
func (c *comparison) write(w io.Writer) error {
	writeHead(w)
	out := csv.NewWriter(w)
	if err := out.Write(outcomeColumns); err != nil {
		return err
	}
	for _, r := range c.outcomes {
		err := out.Write([]string{
			r.Collection, strconv.Itoa(r.Documents), strconv.Itoa(r.Droppable), r.Program, r.Setting, r.Command, strconv.Itoa(r.Round),
			strconv.FormatFloat(r.Seconds, 'f', 3, 64), strconv.FormatInt(r.Bytes, 10), strconv.Itoa(r.Dropped), strconv.Itoa(r.Right), r.Wrong, r.Missed,
		})
		if err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// readOutcomes reads what write has written.
func readOutcomes(rows [][]string) (outcomes []outcome, err error) {
	for i, row := range rows[1:] {
		r := outcome{Collection: row[0], Program: row[3], Setting: row[4], Command: row[5], score: score{Wrong: row[11], Missed: row[12]}}
		for at, to := range map[int]*int{1: &r.Documents, 2: &r.Droppable, 6: &r.Round, 9: &r.Dropped, 10: &r.Right} {
			if *to, err = strconv.Atoi(row[at]); err != nil {
				return nil, fmt.Errorf("run %d: %w", i+1, err)
			}
		}
		if r.Seconds, err = strconv.ParseFloat(row[7], 64); err != nil {
			return nil, fmt.Errorf("run %d: %w", i+1, err)
		}
		if r.Bytes, err = strconv.ParseInt(row[8], 10, 64); err != nil {
			return nil, fmt.Errorf("run %d: %w", i+1, err)
		}
		outcomes = append(outcomes, r)
	}
	return outcomes, nil
}
