package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/spf13/pflag"

	"simhashkit/dedup"
	"simhashkit/internal/decompress"
	"simhashkit/internal/english"
	"simhashkit/internal/wholefile"
)

// evidence are the flags of those who want to see, or to check, what is near.
type evidence struct {
	verify  string
	measure dedup.Measure // that it says; without a kind there is none
	show    int
	audit   string
	pairs   int
}

func (e *evidence) register(flags *pflag.FlagSet) {
	flags.StringVar(&e.verify, "verify", "", "drop only what is like the one that is kept, too: sequence:0.9, jaccard:0.8, contained, cosine:0.9")
	flags.IntVar(&e.show, "show", 0, "show so many of the texts that are dropped beside the ones that are kept, spread over the distances")
	flags.StringVar(&e.audit, "audit", "", "write a sheet (CSV) of such texts to this `file`, to be labelled; fphash dedup --labelled reads it")
	flags.IntVar(&e.pairs, "audit-pairs", 100, "how many pairs the sheet has")
}

func (e *evidence) check() (err error) {
	if e.show < 0 {
		return fmt.Errorf("--show %d: expected 0 or more", e.show)
	}
	if e.pairs < 1 {
		return fmt.Errorf("--audit-pairs %d: expected 1 or more", e.pairs)
	}
	if e.verify != "" {
		if e.measure, err = dedup.ParseMeasure(e.verify); err != nil {
			return fmt.Errorf("--verify %q: %w", e.verify, err)
		}
	}
	return nil
}

// shows reports whether texts are to be shown.
func (e *evidence) shows() bool { return e.show > 0 || e.audit != "" }

// asksForTexts reports whether texts are to be read again for a flag; askers names it.
func (e *evidence) asksForTexts() bool { return e.shows() || e.verify != "" }

func (e *evidence) askers() string {
	switch {
	case e.verify != "":
		return "--verify"
	case e.audit != "":
		return "--audit"
	case e.show > 0:
		return "--show"
	}
	return ""
}

// shown is what is shown of a result.
type shown struct {
	examples, sheet, suspects []dedup.Example
	texts                     map[int]string // by the number of the record; nil where there are none
}

// draw says what is to be shown. Texts are those that read gives; without it, none.
func (e *evidence) draw(ctx context.Context, r *dedup.Result, read dedup.Reread) (s shown, err error) {
	s.examples, s.suspects = r.Examples(e.show), r.Suspects()
	if e.audit != "" {
		s.sheet = r.Examples(e.pairs)
	}
	if read == nil {
		return s, nil
	}
	s.texts = map[int]string{}
	var records []uint64
	for _, list := range [][]dedup.Example{s.examples, s.sheet, s.suspects} {
		for _, example := range list {
			records = append(records, uint64(example.Dropped), uint64(example.Kept))
		}
	}
	slices.Sort(records)
	err = read(ctx, slices.Compact(records), func(record uint64, text []byte) error {
		s.texts[int(record)] = string(text)
		return nil
	})
	if err != nil && !e.shows() && ctx.Err() == nil { // nobody has asked for the texts of suspects
		return shown{}, nil
	}
	return s, err
}

// records returns the records that are shown.
func (s *shown) records() []int { return slices.Collect(maps.Keys(s.texts)) }

// writeSheet writes the sheet, if one is asked for, and says what to do with it.
func (e *evidence) writeSheet(r *dedup.Result, s shown, stderr io.Writer) error {
	if e.audit == "" {
		return nil
	}
	if len(s.sheet) == 0 {
		fmt.Fprintf(stderr, "fphash: nothing is dropped, so that there is no sheet for --audit %s\n", e.audit)
		return nil
	}
	err := wholefile.Write(e.audit, func(w io.Writer) error { return r.WriteSheet(w, s.sheet, s.texts) })
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "fphash: %s to label, with yes or no in the column same, in %s; then: fphash dedup --labelled %s\n",
		english.Count(len(s.sheet), "pair"), e.audit, e.audit)
	return nil
}

// runLabelled says what a labelled sheet tells.
func (f *dedupFlags) runLabelled(ctx context.Context, args []string, stdout io.Writer) error {
	if len(args) > 0 {
		return fmt.Errorf("--labelled %s: expected without FILE: the sheet has all that is asked for", f.labelled)
	}
	file, err := decompress.Open(ctx, f.labelled)
	if err != nil {
		return err
	}
	defer file.Close()
	strata, err := dedup.ReadSheet(file, f.labelled)
	if err != nil {
		return err
	}
	return dedup.WriteAudit(stdout, f.labelled, strata)
}
