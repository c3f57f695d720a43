package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/term"

	"simhashkit/dedup"
)

// progress shows the progress of a long command: on a terminal in one line that is overwritten, and
// otherwise in an occasional line.
type progress struct {
	mutex    sync.Mutex // goroutines that read ahead also report errors
	w        io.Writer
	terminal bool
	every    time.Duration
	now      func() time.Time
	last     time.Time
	shown    bool // there is a line on the terminal
	step     string
	began    time.Time // start of the step
}

// status is the progress of a command.
type status struct {
	step   string        // such as "reading"
	part   float64       // finished part of the step, up to 1; 0 if unknown
	count  int           // finished units
	unit   string        // such as "documents"; "" hides the count
	left   time.Duration // time left; 0 computes it from part
	detail string
}

// newProgress returns the progress of a command that starts now.
func newProgress(w io.Writer) *progress {
	p := &progress{w: w, every: 10 * time.Second, now: time.Now}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.terminal, p.every = true, 100*time.Millisecond
	}
	if !p.terminal {
		p.last = p.now() // short commands print no line
	}
	return p
}

// report shows the status, but not too often.
func (p *progress) report(s status) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.now()
	if s.step != p.step || p.began.IsZero() {
		p.step, p.began = s.step, now
	}
	if now.Sub(p.last) < p.every {
		return
	}
	p.last = now
	text := s.line(now.Sub(p.began))
	if !p.terminal {
		fmt.Fprintln(p.w, text)
		return
	}
	fmt.Fprintf(p.w, "\r\x1b[?7l%s\x1b[K\x1b[?7h", text) // without line wrap, the terminal cuts the text
	p.shown = true
}

// reportStep reports the progress of dedup.
func (p *progress) reportStep(s dedup.Progress) {
	p.report(status{step: s.Step, part: s.Done, count: s.Count, unit: s.Unit})
}

// line formats the status: step, percentage, count, speed and time left.
func (s status) line(elapsed time.Duration) string {
	line := s.step
	if s.part > 0 {
		line += fmt.Sprintf("  %.0f%%", 100*s.part)
	}
	if s.unit != "" {
		line += fmt.Sprintf("  %d %s", s.count, s.unit)
		if elapsed > time.Second {
			line += fmt.Sprintf("  %.0f %s/s", float64(s.count)/elapsed.Seconds(), s.unit)
		}
	}
	if s.left == 0 && s.part > 0.01 { // an earlier estimate would be too rough
		s.left = time.Duration(float64(elapsed) * (1 - s.part) / s.part)
	}
	if s.left > 0 {
		line += fmt.Sprintf("  %v left", s.left.Round(time.Second))
	}
	if s.detail != "" {
		line += "  " + s.detail
	}
	return line
}

// clear removes the line from the terminal before other output.
func (p *progress) clear() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
