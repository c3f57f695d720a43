package main

import (
	"bytes"
	"testing"
	"time"
)

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := &progress{w: &out, terminal: true, every: time.Second, now: func() time.Time { return now }}
	p.report(status{step: "0123456789012345678901234567890"})
	now = now.Add(time.Second / 2)
	p.report(status{step: "too soon"})
	now = now.Add(time.Second)
	p.report(status{step: "short"})
	p.clear()
	p.clear()
	if want := "\r\x1b[?7l0123456789012345678901234567890\x1b[K\x1b[?7h\r\x1b[?7lshort\x1b[K\x1b[?7h\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	p = newProgress(&out)
	p.now = func() time.Time { return now }
	p.last = now
	p.report(status{step: "reading", unit: "records"})
	for _, s := range []status{
		{step: "reading", count: 1200, unit: "records"},
		{step: "comparing", part: 0.005},
		{step: "comparing", part: 0.25, detail: "a.txt"},
		{step: "case 3/9", left: 1500 * time.Millisecond, detail: "Hash/n=1"},
	} {
		now = now.Add(time.Minute)
		p.report(s)
	}
	p.clear()
	if want := "reading  1200 records  20 records/s\ncomparing  0%\ncomparing  25%  3m0s left  a.txt\ncase 3/9  2s left  Hash/n=1\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}
