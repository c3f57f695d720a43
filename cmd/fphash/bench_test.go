package main

import (
	"bytes"
	"testing"
	"time"

	"simhashkit/bench"
)

const twoCases = "Accumulate/weights=f32/f=64/kernel=(naive|generic)/nnz=32$"

func TestProgress(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	p := &progress{w: &out, terminal: true, width: 20, every: time.Second, now: func() time.Time { return now }}
	line := func() string { return "0123456789012345678901234567890" }
	p.show(line)
	now = now.Add(time.Second / 2)
	p.show(func() string { t.Error("asked for a line too soon"); return "" })
	now = now.Add(time.Second)
	p.show(func() string { return "short" })
	p.clear()
	p.clear()
	if want := "\r012345678901234567…\x1b[K\rshort\x1b[K\r\x1b[K"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
	out.Reset()
	p = newProgress(&out)
	p.now = func() time.Time { return now }
	p.last = now
	p.show(line)
	now = now.Add(time.Minute)
	p.show(func() string {
		return benchProgress(bench.Progress{Step: "round 2/8", Case: 3, Cases: 9, Name: "Hash/n=1", Elapsed: 61 * time.Second, Remaining: 1500 * time.Millisecond})
	})
	p.clear()
	if want := "round 2/8  case 3/9  1m1s elapsed, about 2s left  Hash/n=1\n"; out.String() != want {
		t.Errorf("%q, want %q", out.String(), want)
	}
}

func TestQuoted(t *testing.T) {
	for in, want := range map[string]string{"a=b,c": "a=b,c", "": "''", "a b": "'a b'", "it's": `'it'\''s'`, "a|b": "'a|b'"} {
		if got := quoted(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}
