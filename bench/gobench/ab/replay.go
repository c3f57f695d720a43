package ab

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"

	"simhashkit/bench/gobench/compare"
)

// Compare compares result files as compare.Compare does, but judges the two files that a run of ab
// has saved as that run did: by the rounds that they come from, with its alpha and its thresholds
// unless the options have others. A note says why if that cannot be done: the options group
// results in another way, or the files are of different runs.
func Compare(inputs []compare.Input, o compare.Options) (*compare.Report, error) {
	sides, inputs, err := readSides(inputs)
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	if len(sides) == 0 {
		return compare.Compare(inputs, o)
	}
	if reason := unusable(inputs, sides, o); reason != "" {
		r, err := compare.Compare(inputs, o)
		if err == nil {
			r.Notes = append(r.Notes, reason)
		}
		return r, err
	}
	return compareRounds(inputs, sides[0], sides[1], o)
}

// readSides reads all inputs. It returns the saved sides among them, and the inputs to be read
// again.
func readSides(inputs []compare.Input) (sides []*side, again []compare.Input, err error) {
	for _, in := range inputs {
		var text bytes.Buffer
		if _, err := text.ReadFrom(in.Reader); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", in.Name, err)
		}
		s, err := readSide(text.Bytes(), in.Name)
		if err != nil {
			return nil, nil, err
		}
		if s != nil {
			sides = append(sides, s)
		}
		in.Reader = &text
		again = append(again, in)
	}
	return sides, again, nil
}

// unusable says why rounds cannot be used, "" if they can.
func unusable(inputs []compare.Input, sides []*side, o compare.Options) string {
	const prefix = "the rounds of fphash ab are not used: "
	is := func(projection, expected string) bool { return projection == "" || projection == expected }
	switch {
	case len(inputs) != 2 || len(sides) != 2:
		return prefix + "expected the two files of one run, and no others"
	case sides[0].Started != sides[1].Started || sides[0].Seed != sides[1].Seed:
		return prefix + "the files are of different runs"
	case sides[0].runs > 1 || sides[1].runs > 1:
		return prefix + "a file holds several runs"
	case len(sides[0].turns) == 0 || len(sides[1].turns) == 0:
		return prefix + "a file has none"
	case slices.Equal(sides[0].turns, sides[1].turns):
		return prefix + "both files are of the same side"
	case !is(o.Table, ".config") || !is(o.Row, ".fullname") || !is(o.Col, ".file") || !is(o.Ignore, sides[0].Ignore):
		return prefix + "--table, --row, --col or --ignore groups results in another way"
	}
	return ""
}

// compareRounds judges two sides of one run by its rounds.
func compareRounds(inputs []compare.Input, old, new *side, o compare.Options) (*compare.Report, error) {
	s := old.settings
	var notes []string
	if o.Alpha != 0 && o.Alpha != s.Alpha || o.Threshold != nil && !o.Threshold.Equal(s.Threshold) {
		notes = append(notes, "fphash ab stopped by another alpha or threshold, so false alarms may be likelier than alpha says")
	}
	o.Alpha, o.Ignore = cmp.Or(o.Alpha, s.Alpha), s.Ignore
	if o.Threshold == nil {
		o.Threshold = s.Threshold
	}
	if err := o.Check(); err != nil {
		return nil, err
	}
	s.Rules = o.Rules
	j, rounds, err := replay(s, old, new)
	if err != nil {
		return nil, fmt.Errorf("ab: %w", err)
	}
	o.Judge = j.judgement
	r, err := compare.Compare(inputs, o)
	if err != nil {
		return nil, err
	}
	r.Notes = append(append(r.Notes, fmt.Sprintf("judged by the %s in which fphash ab took the samples, with an alpha of %v", roundsOf(rounds), o.Alpha)), notes...)
	j.notes(r)
	return r, nil
}

// replay gives the rounds of both sides to a judge, the first rounds of all tasks first, as a run
// does. It counts the rounds of each task.
func replay(s settings, old, new *side) (j *judge, rounds []int, err error) {
	turns := slices.Clone(old.turns)
	slices.SortStableFunc(turns, func(a, b turn) int { return cmp.Or(cmp.Compare(a.round, b.round), cmp.Compare(a.task, b.task)) })
	tasks := 0
	for _, t := range turns {
		tasks = max(tasks, t.task)
	}
	if tasks > len(old.turns)+len(new.turns) { // each task has a first round
		return nil, nil, fmt.Errorf("there is a task %d, but not all before it", tasks)
	}
	if j, err = newJudge(s, tasks); err != nil {
		return nil, nil, err
	}
	rounds = make([]int, tasks)
	opened := false
	for _, t := range turns {
		if t.round > 1 && !opened {
			j.open()
			opened = true
		}
		at := [2]int{t.task, t.round}
		if a, b := old.texts[at], new.texts[at]; a != nil && b != nil {
			rounds[t.task-1]++
			j.add(t.task-1, t.round, j.parser.parse(a), j.parser.parse(b))
		}
	}
	if !opened {
		j.open()
	}
	j.close()
	return j, rounds, nil
}
