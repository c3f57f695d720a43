package ab

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"time"

	"simhashkit/bench/gobench/compare"
	"simhashkit/internal/process"
)

// output is what one side has printed.
type output struct {
	label string
	text  bytes.Buffer
}

// add appends the output of a run. The date is the seam by which package compare tells process runs
// apart; Recorded finds the rounds by the second line.
func (o *output) add(now time.Time, t turn, text []byte, err error) {
	fmt.Fprintf(&o.text, "# date: %s\n# %s: %d of task %d", now.UTC().Format(time.RFC3339), roundField, t.round, t.task)
	if err != nil {
		o.text.WriteString(", failed")
	}
	o.text.WriteByte('\n')
	o.text.Write(text)
	if len(text) > 0 && text[len(text)-1] != '\n' {
		o.text.WriteByte('\n')
	}
}

// fail notes that a run failed, where its output does not say so.
func (o *output) fail(task string, text []byte, err error) {
	for line := range bytes.Lines(text) {
		if bytes.HasPrefix(line, []byte("--- FAIL: ")) || bytes.HasPrefix(line, []byte("FAIL\t")) || bytes.HasPrefix(line, []byte("panic: ")) || bytes.HasPrefix(line, []byte("# error: ")) {
			return
		}
	}
	reason := err.Error()
	var failure *process.Failure
	// of which all that it wrote to standard error would be too much for a line
	if errors.As(err, &failure) {
		reason = strings.Replace(reason, failure.Error(), failure.Reason(), 1)
	}
	fmt.Fprintf(&o.text, "# error: %s: %s\n", task, strings.Join(strings.Fields(reason), " "))
}

func (o *output) input() compare.Input {
	return compare.Input{Label: o.label, Name: o.label, Reader: bytes.NewReader(o.text.Bytes())}
}
