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
	texts map[turn][]byte // what was printed
}

// round finds the run of this side in a round.
func (s *side) round(task, round int) (text []byte, ok bool) {
	for _, place := range []int{1, 2} {
		if text, ok := s.texts[turn{task: task, round: round, place: place}]; ok {
			return text, true
		}
	}
	return nil, false
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
	s := &side{texts: map[turn][]byte{}}
	if err := json.Unmarshal([]byte(header), &s.settings); err != nil {
		return nil, fmt.Errorf("%s: line \"# %s\": %w", name, settingsField, err)
	}
	if err := s.check(); err != nil {
		return nil, fmt.Errorf("%s: line \"# %s\": %w", name, settingsField, err)
	}
	lines := slices.Collect(bytes.Lines(d.Text))
	var last *turn
	from := 0
	flush := func(to int) {
		if last != nil && !last.failed {
			s.texts[*last] = bytes.Join(lines[from:to], nil)
		}
	}
	for _, h := range d.Head {
		if h.Name == settingsField {
			s.runs++
		}
		if h.Name != turnField {
			continue
		}
		t, err := parseTurn(h.Value)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, h.Line, err)
		}
		flush(h.Line - 1)
		s.turns, last, from = append(s.turns, t), &t, h.Line
	}
	flush(len(lines))
	return s, nil
}
