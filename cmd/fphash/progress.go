package main

import (
	"fmt"
	"io"
	"os"
	"sync"
	"time"
	"unicode/utf8"

	"golang.org/x/term"
)

// progress tells the user how far a long command has come: in one line that is written over on a
// terminal, by a line now and then elsewhere.
type progress struct {
	mutex    sync.Mutex // who reads ahead reports what is left out
	w        io.Writer
	terminal bool
	width    int // of the terminal
	every    time.Duration
	now      func() time.Time
	last     time.Time
	shown    bool // a line stands on the terminal
}

// newProgress returns the progress of a command that starts now.
func newProgress(w io.Writer) *progress {
	p := &progress{w: w, every: 10 * time.Second, now: time.Now}
	if file, ok := w.(*os.File); ok && term.IsTerminal(int(file.Fd())) {
		p.terminal, p.every, p.width = true, 100*time.Millisecond, 80
		if width, _, err := term.GetSize(int(file.Fd())); err == nil && width > 1 {
			p.width = width
		}
	}
	if !p.terminal {
		p.last = p.now() // the first plain line comes after a while: short commands need none
	}
	return p
}

// show shows the line unless another was shown just before; line is called only if it is needed.
func (p *progress) show(line func() string) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	now := p.now()
	if now.Sub(p.last) < p.every {
		return
	}
	p.last = now
	text := line()
	if !p.terminal {
		fmt.Fprintln(p.w, text)
		return
	}
	if utf8.RuneCountInString(text) > p.width-1 {
		text = string([]rune(text)[:p.width-2]) + "…"
	}
	fmt.Fprintf(p.w, "\r%s\x1b[K", text)
	p.shown = true
}

// clear takes the line off the terminal, before anything else is written there.
func (p *progress) clear() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.shown {
		fmt.Fprint(p.w, "\r\x1b[K")
		p.shown = false
	}
}
