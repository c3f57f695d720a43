package ab

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"simhashkit/bench/gobench/resultfile"
)

// What a side has printed is saved with the settings of the run at its head, and with a line before
// each process run that says to which round of which task it belongs, and its place in it:
//
//	# ab: {"Started":"2026-11-20T08:00:00Z","Seed":1, ...}
//	# ab round: 3 of task 1, run 2
//	# date: 2026-11-20T08:00:07Z
const (
	settingsField = "ab"
	turnField     = "ab round"
)

// turn is where a process run belongs. Numbers are counted from 1.
type turn struct {
	task, round int
	place       int  // in the round: 1 or 2
	failed      bool // its figures count for nothing
}

func (t turn) String() string {
	text := fmt.Sprintf("%d of task %d, run %d", t.round, t.task, t.place)
	if t.failed {
		text += ", failed"
	}
	return text
}

func parseTurn(text string) (t turn, err error) {
	text, t.failed = strings.CutSuffix(text, ", failed")
	if _, err := fmt.Sscanf(text, "%d of task %d, run %d", &t.round, &t.task, &t.place); err != nil || t.task < 1 || t.round < 1 || text != (turn{t.task, t.round, t.place, false}).String() {
		return turn{}, fmt.Errorf("%s %q: expected as in 3 of task 1, run 2", turnField, text)
	}
	return t, nil
}

// side is one side of a saved run.
type side struct {
	settings
	runs  int // of ab: files may have been appended to each other
	turns []turn
	texts map[[2]int][]byte // what was printed, by task and round, unless the run failed
}

// readSide reads a file that ab has saved. It returns nil if the file is another one.
func readSide(text []byte, name string) (*side, error) {
	d, err := resultfile.ReadDocument(bytes.NewReader(text), name)
	if err != nil {
		return nil, nil // package compare says what is wrong
	}
	header := d.Value(settingsField)
	if header == "" {
		return nil, nil
	}
	s := &side{texts: map[[2]int][]byte{}}
	err = json.Unmarshal([]byte(header), &s.settings)
	if err == nil {
		err = s.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: line \"# %s\": %w", name, settingsField, err)
	}
	var begins []int // number of the line above each run
	for _, h := range d.Head {
		switch h.Name {
		case settingsField:
			s.runs++
		case turnField:
			t, err := parseTurn(h.Value)
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", name, h.Line, err)
			}
			s.turns, begins = append(s.turns, t), append(begins, h.Line)
		}
	}
	lines := slices.Collect(bytes.Lines(d.Text))
	begins = append(begins, len(lines)+1)
	for i, t := range s.turns {
		if !t.failed {
			s.texts[[2]int{t.task, t.round}] = bytes.Join(lines[begins[i]:begins[i+1]-1], nil)
		}
	}
	return s, nil
}
