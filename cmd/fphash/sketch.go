package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/source"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/dedup/keys"
	"simhashkit/internal/english"
	textlines "simhashkit/internal/lines"
)

// formats lists the names of the formats of fingerprints.
var formats = namesOf(fingerprints.Formats())

// sketchFlags are the flags of fphash sketch.
type sketchFlags struct {
	input       inputFlags
	format, out string
	keys        bool
	similarity  float64
	minima      int
	texts       int
}

func newSketch() *cobra.Command {
	f := sketchFlags{similarity: dedup.DefaultSpec(dedup.Words).Similarity}
	command := &cobra.Command{
		Use:   "sketch [FILE...]",
		Short: "Compute fingerprints of texts or sparse vectors",
		RunE:  f.run,
	}
	flags := command.Flags()
	f.input.register(flags)
	flags.Lookup("workers").Usage = "number of vectors processed in parallel (default: the number of cores)"
	choice(flags, &f.format, "format", "text", "format of the output: %s", formats)
	flags.BoolVar(&f.keys, "keys", false, "also write keys of texts, for engines")
	flags.VarP(similarityOf(&f.similarity), "similarity", "s", "with --keys, minimum similarity of the pairs to find")
	flags.IntVar(&f.minima, "minima", 0, "with --keys, minima in a key (default 8 for 0.9)")
	flags.Var(number{&f.texts, 1, math.MaxInt}, "texts", "with --keys, only choose --minima for `N` texts like these, and write it")
	outFlag(flags, &f.out)
	kernelFlag(flags)
	hideFlags(flags, sketchFlagsRare)
	return command
}

func (f *sketchFlags) run(cmd *cobra.Command, args []string) error {
	ctx, stderr := cmd.Context(), cmd.ErrOrStderr()
	hints := f.input.hints(cmd, newProgress(stderr))
	hints.Once, hints.Progress = true, nil
	s, err := f.input.open(ctx, args, hints, stderr)
	if err != nil {
		return err
	}
	defer s.Close()
	if s.Kind == source.Fingerprints {
		return fmt.Errorf("%s: expected texts or vectors, but the input contains only fingerprints", s.Name)
	}
	method, err := f.method(ctx, s.Kind, stderr)
	if err != nil {
		return err
	}
	if f.texts != 0 {
		return f.choose(cmd, s, method)
	}
	var counts *source.Counts
	write := func(w io.Writer) error {
		buffered := textlines.NewWriter(w) // the reader of a pipe never gets half a line
		out, err := fingerprints.NewWriter(buffered, fingerprints.Format(f.format), method.Hash.Definition())
		if err == nil {
			counts, err = s.Each(ctx, method, func(r source.Record) error {
				if f.keys {
					r.Keys = append([]uint64{}, r.Keys...) // not nil
				}
				return out.Write(r)
			})
		}
		if err == nil {
			err = out.End()
		}
		// Output before an error is still flushed: a pipe gets it, and wholefile discards it.
		return cmp.Or(err, buffered.Flush())
	}
	if err := writeTo(f.out, cmd.OutOrStdout(), write); err != nil {
		return f.input.withFlags(err)
	}
	writeCounts(stderr, &counts.Missing)
	noun := s.Kind.Noun()
	if counts.Records == 0 && counts.LeftOut == 0 {
		fmt.Fprintf(stderr, "fphash: no %ss in %s\n", noun, s.Name)
	}
	if n := counts.Uninformative; n > 0 {
		fmt.Fprintf(stderr, "fphash: %d %s no information (%s)\n", n, english.Plural(n, "fingerprint carries", "fingerprints carry"),
			dedup.WhyWithout(method.Hash.Definition().Kind))
	}
	return leftOut(counts.LeftOut, noun)
}

// method returns how fingerprints, and with --keys keys, are computed.
func (f *sketchFlags) method(ctx context.Context, kind source.Kind, stderr io.Writer) (source.Method, error) {
	if f.keys {
		return f.keysMethod(stderr, kind)
	}
	if err := refuse(f.input.changed, "requires --keys", "similarity", "minima", "texts"); err != nil {
		return source.Method{}, err
	}
	return f.input.method(ctx, kind, nil)
}

// keysMethod returns the method of --keys, and says what it chose.
func (f *sketchFlags) keysMethod(stderr io.Writer, kind source.Kind) (m source.Method, err error) {
	if kind != source.Texts {
		return m, fmt.Errorf("--keys requires texts, but the input has %s", kind)
	}
	defining := slices.Concat([]string{"features", "weights", "table", "word-weights", "format"}, definitionNames)
	if err := refuse(f.input.changed, "cannot be combined with --keys, which defines the fingerprints", defining...); err != nil {
		return m, err
	}
	spec := textSpec(f.similarity)
	if f.texts != 0 {
		if err := refuse(f.input.changed, "cannot be combined with --texts", "minima"); err != nil {
			return m, err
		}
		return source.MethodOf(spec, &keys.SampleKeys, f.input.workers)
	}
	k, err := keys.New(spec, f.minima)
	if err != nil {
		return m, fmt.Errorf("--minima %d: %w", f.minima, err)
	}
	f.writeKeys(stderr, k)
	return source.MethodOf(spec, &k.Keys, f.input.workers)
}

func (f *sketchFlags) writeKeys(stderr io.Writer, k keys.Keys) {
	fmt.Fprintf(stderr, "fphash: %d keys of %d minima, %d bytes for each text: at least %.1f%% of the pairs with similarity %v share a key and are within %d bits\n",
		k.Count, k.Minima, 8*k.Count, math.Floor(1000*k.Recall)/10, f.similarity, k.K)
}

// choose writes the number of minima for a corpus of which s is a sample.
func (f *sketchFlags) choose(cmd *cobra.Command, s *source.Source, method source.Method) error {
	sample, err := keys.NewSample(textSpec(f.similarity))
	if err != nil {
		return err
	}
	counts, err := s.Each(cmd.Context(), method, func(r source.Record) error { sample.Add(r.Fingerprint, r.Keys); return nil })
	if err != nil {
		return f.input.withFlags(err)
	}
	k, shared := sample.Choose(f.texts)
	if math.IsNaN(shared) {
		fmt.Fprintf(cmd.ErrOrStderr(), "fphash: %s: %d texts with words are too few to choose by\n", s.Name, sample.Len())
	} else {
		fmt.Fprintf(cmd.ErrOrStderr(), "fphash: among %d texts like these, a text shares a key of %d minima with about %.2g unrelated texts\n", f.texts, k.Minima, shared)
	}
	f.writeKeys(cmd.ErrOrStderr(), k)
	if err := writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error { _, err := fmt.Fprintln(w, k.Minima); return err }); err != nil {
		return err
	}
	return leftOut(counts.LeftOut, s.Kind.Noun())
}

// textSpec returns the Spec of texts with a similarity, as dedup compares them.
func textSpec(similarity float64) dedup.Spec {
	spec := dedup.DefaultSpec(dedup.Words)
	spec.Similarity = similarity
	return spec
}
