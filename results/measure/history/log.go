package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"regexp"
	"strings"
)

// judgement is what the recipe has said of a commit.
type judgement struct {
	code   int
	kernel bool     // the kernel is among the regressions
	rows   []string // what is beyond the threshold, or else the kernel
	rounds string
}

var (
	kernelRow = regexp.MustCompile(`(?m)^\| Sketch \|.*$`)
	rounds    = regexp.MustCompile(`(?m)^- ((?:\d+ to )?\d+ rounds[^,]*)`)
)

// judgementOf reads the Markdown that the recipe prints: what is beyond the threshold stands before
// the table of everything.
func judgementOf(code int, output string) judgement {
	j := judgement{code: code}
	if m := rounds.FindStringSubmatch(output); m != nil {
		j.rounds = m[1]
	}
	head, _, _ := strings.Cut(output, "<details>")
	for line := range strings.Lines(head) {
		if strings.HasPrefix(line, "| ") && !strings.HasPrefix(line, "| benchmark |") && !strings.HasPrefix(line, "| --- |") {
			j.rows = append(j.rows, changeOf(line))
			j.kernel = j.kernel || kernelRow.MatchString(line) && strings.Contains(line, "| REGRESSION |")
		}
	}
	if row := kernelRow.FindString(output); len(j.rows) == 0 && row != "" {
		j.rows = append(j.rows, changeOf(row))
	}
	return j
}

// changeOf shortens a row of a table to the benchmark, its change, its interval and its verdict.
func changeOf(row string) string {
	cells := strings.Split(row, "|")
	if len(cells) < 10 {
		return strings.TrimSpace(row)
	}
	for i := range cells {
		cells[i] = strings.Trim(cells[i], " *\n")
	}
	return fmt.Sprintf("%s %s (%s) %s", cells[1], cells[6], cells[7], cells[9])
}

// log is the file with a line for each commit, after a line that says of what.
type log struct {
	path  string
	lines []string
}

// openLog opens or begins a file.
func openLog(o options) (*log, error) {
	head := fmt.Sprintf("# %d commits, seed %d, threshold %s, budget %s", o.commits, o.seed, o.threshold, o.budget)
	text, err := os.ReadFile(o.out)
	if errors.Is(err, fs.ErrNotExist) {
		return &log{path: o.out}, os.WriteFile(o.out, []byte(head+"\n"), 0o666)
	}
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	if lines[0] != head {
		return nil, fmt.Errorf("%s is about something else: it begins with %q; expected %q", o.out, lines[0], head)
	}
	return &log{o.out, lines[1:]}, nil
}

func (l *log) done() int { return len(l.lines) }

// How the recipe may have done.
const (
	right       = "right"
	falseAlarm  = "FALSE ALARM"
	missed      = "MISSED"
	notCompared = "not compared"
)

// outcome says whether the recipe was right about a commit. Where the kernel is slower, an alarm
// about something else alone is no merit.
func outcome(c commit, j judgement) string {
	slower := c.slower > 0
	switch {
	case j.code != 0 && j.code != 1:
		return notCompared
	case !slower && j.code == 1:
		return falseAlarm
	case slower && !(j.code == 1 && j.kernel):
		return missed
	}
	return right
}

func (l *log) add(c commit, j judgement) (string, error) {
	line := fmt.Sprintf("%2d: %s; %s; exit code %d; %s; %s", len(l.lines)+1, outcome(c, j), c.message, j.code, strings.Join(j.rows, ", "), j.rounds)
	l.lines = append(l.lines, line)
	file, err := os.OpenFile(l.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return "", err
	}
	_, err = fmt.Fprintln(file, line)
	return line, errors.Join(err, file.Close())
}

// summary prints the line that counts, and fails if it is too few.
func (l *log) summary(w io.Writer) error {
	count := map[string]int{}
	for _, line := range l.lines {
		_, rest, _ := strings.Cut(line, ": ")
		what, _, _ := strings.Cut(rest, ";")
		count[what]++
	}
	_, err := fmt.Fprintf(w, "%d of %d right: false alarms %d, misses %d, not compared %d\n", count[right], len(l.lines), count[falseAlarm], count[missed], count[notCompared])
	if err == nil && 100*count[right] < 95*len(l.lines) {
		err = errors.New("expected 95 of 100 to be right")
	}
	return err
}
