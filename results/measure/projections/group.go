package main

import (
	"context"
	"errors"
	"runtime"

	"simhashkit/bench/measure"
)

// group is the cases of one width and D, while they are measured.
type group struct {
	ctx     context.Context
	options RunOptions
	rows    []Row
	done    int // cases of groups before
	methods map[string]Method
	inputs  map[Case]*inputs // of cases without their method
}

// inputs are the vectors that the methods share.
type inputs struct {
	stream *vectors
	pairs  *pairs
}

// sink receives what the loops compute, so that no compiler can leave them out.
var sink uint64

func (g *group) run() error {
	for i := range g.rows {
		if g.methods[g.rows[i].Method] == nil {
			if err := g.prepare(g.rows[i].Method); err != nil {
				return err
			}
		}
	}
	return g.time()
}

// prepare makes the method, and measures what need not be interleaved.
func (g *group) prepare(name string) error {
	m, err := New(name, g.rows[0].Bits, g.options.Config)
	if err != nil {
		return err
	}
	g.methods[name] = m
	var rows []*Row
	for i := range g.rows {
		if r := &g.rows[i]; r.Method == name {
			r.TableBytes = m.TableBytes(r.Dimensions)
			rows = append(rows, r)
			g.inputsOf(r.Case)
		}
	}
	g.options.Progress("preparing", rows[0].Name().String(), g.done)
	quantiles() // shared by all matrices
	before := heap()
	err = m.Prepare(rows[0].Dimensions, 0)
	if errors.Is(err, ErrMemory) {
		for _, r := range rows {
			r.Skipped = err.Error()
		}
		return nil
	}
	if err != nil {
		return err
	}
	for _, r := range rows {
		if err := verify(m, r.Bits, &g.inputsOf(r.Case).pairs.y); err != nil {
			r.Err = err.Error()
		}
	}
	after := heap() // with the buffers that the vectors asked for
	runtime.KeepAlive(m)
	for _, r := range rows {
		r.HeapBytes = max(after, before) - before
	}
	return g.estimate(m, rows)
}

// heap returns the bytes of the heap that are in use.
func heap() uint64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.GC() // pools let go of what they hold at the second collection
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// estimate fills in the accuracy, with all cases of the method under one keying before the next is
// drawn.
func (g *group) estimate(m Method, rows []*Row) error {
	tallies := make([]tally, len(rows))
	for i, r := range rows {
		tallies[i] = tally{pairs: g.inputsOf(r.Case).pairs, bits: r.Bits}
	}
	for keying := range g.options.Keyings {
		if keying > 0 { // the first is there already
			if err := m.Prepare(rows[0].Dimensions, uint64(keying)); err != nil {
				return err
			}
		}
		for i, r := range rows {
			if err := context.Cause(g.ctx); err != nil {
				return err
			}
			g.options.Progress("accuracy", r.Name().String(), g.done)
			tallies[i].add(m)
		}
	}
	for i, r := range rows {
		r.Accuracy = tallies[i].accuracy()
	}
	return nil
}

// time fills in the samples.
func (g *group) time() error {
	var loops []measure.Subject
	var timed []*Row
	for i := range g.rows {
		r := &g.rows[i]
		if r.Skipped != "" || r.Err != "" {
			continue
		}
		timed = append(timed, r)
		loops = append(loops, measure.Subject{Loop: loop(g.methods[r.Method], g.inputsOf(r.Case).stream)})
	}
	if len(timed) == 0 {
		return nil
	}
	g.options.Progress("timing", timed[0].Name().String(), g.done)
	samples, err := g.options.sampled(g.ctx, loops)
	if err != nil {
		return err
	}
	for i, r := range timed {
		r.Samples = samples[i]
	}
	return nil
}

// loop returns a loop over the vectors, which goes on where it stood.
func loop(m Method, v *vectors) func(n int) {
	next, dst := 0, []uint64(nil)
	return func(n int) {
		for range n {
			indices, weights := v.at(next)
			if next++; next == v.count() {
				next = 0
			}
			dst = m.Append(dst[:0], indices, weights)
			sink ^= dst[0]
		}
	}
}

func (g *group) inputsOf(c Case) *inputs {
	c.Method = ""
	in, ok := g.inputs[c]
	if !ok {
		in = &inputs{stream(c, g.options.stream), newPairs(c, g.options.Pairs)}
		g.inputs[c] = in
	}
	return in
}
