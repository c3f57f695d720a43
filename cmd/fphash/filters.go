package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/blocks"
	"simhashkit/internal/dedup/keys"
	"simhashkit/internal/filter"
	textlines "simhashkit/internal/lines"
	"simhashkit/internal/tabular"
)

// blockFlags are the flags that define the keys of a fingerprint. fphash blocks and fphash pairs
// must get the same values.
type blockFlags struct {
	k, bits int
	changed func(flag string) bool
}

func (b *blockFlags) register(flags *pflag.FlagSet) {
	flags.VarP(number{&b.k, 0, fphash.MaxBits - 1}, "k", "k", "largest distance in bits (default 3 of 64, in proportion)")
	flags.Var(widthOf(&b.bits), "bits", "width of the fingerprints (default: from the file, or 4 per digit)")
	b.changed = flags.Changed
}

// make returns the tables for fingerprints of this width.
func (b *blockFlags) make(bits int) (*blocks.Tables, error) {
	if !b.changed("k") {
		// For MinHash, too: pairs does not know the sketch, and must use the same k.
		return blocks.New(bits, dedup.DefaultK(fphash.SimHash, bits))
	}
	if err := checkK(b.k, bits); err != nil {
		return nil, err
	}
	return blocks.New(bits, b.k)
}

// checkK refuses a largest distance that all fingerprints are within.
func checkK(k, bits int) error {
	if k < 0 || k >= bits {
		return fmt.Errorf("--k %d: expected 0 to %d, less than the %d bits of the fingerprints", k, bits-1, bits)
	}
	return nil
}

func newBlocks() *cobra.Command {
	var f blockFlags
	var out string
	command := &cobra.Command{
		Use:   "blocks [FILE]",
		Short: "Write fingerprints with sort keys, for Spark or another engine",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return writeTo(out, cmd.OutOrStdout(), func(w io.Writer) error { return f.writeBlocks(cmd, args, w) })
		},
	}
	flags := command.Flags()
	f.register(flags)
	outFlag(flags, &out)
	return command
}

func (f *blockFlags) writeBlocks(cmd *cobra.Command, args []string, w io.Writer) error {
	var lines *filter.BlockWriter
	err := eachBatch(cmd, args, f.bits, func(records *dedup.Records) error {
		set := &records.Set
		if lines == nil {
			tables, err := f.make(set.Bits)
			if err != nil {
				return err
			}
			lines = filter.NewBlockWriter(w, tables)
		}
		for i := range set.Len() {
			if err := lines.Write(set.At(i), []byte(records.ID(int(set.ID(i))))); err != nil {
				return err
			}
		}
		return context.Cause(cmd.Context())
	})
	if lines != nil {
		err = cmp.Or(err, lines.Flush())
	}
	return err
}

// pairsFlags are the flags of fphash pairs.
type pairsFlags struct {
	blockFlags
	links, counts bool
	keys          bool
	similarity    float64
	out           string
}

func newPairs() *cobra.Command {
	f := pairsFlags{similarity: dedup.DefaultSpec(dedup.Words).Similarity}
	command := &cobra.Command{
		Use:   "pairs [FILE]",
		Short: "Find near-duplicates among sorted lines of blocks",
		Args:  cobra.MaximumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	f.register(flags)
	flags.BoolVar(&f.keys, "keys", false, "take any keys, and write links")
	flags.VarP(similarityOf(&f.similarity), "similarity", "s", "with --keys, similarity that defines the default of k")
	flags.BoolVar(&f.links, "links", false, "write the fewest pairs that form the same clusters")
	flags.BoolVar(&f.counts, "counts", false, "print the numbers of lines, blocks and pairs to standard error")
	outFlag(flags, &f.out)
	kernelFlag(flags)
	return command
}

// keysK returns the largest distance of a pair with --keys, for fingerprints of this width.
func (f *pairsFlags) keysK(bits int) (int, error) {
	if f.changed("k") {
		return f.k, checkK(f.k, bits)
	}
	spec := textSpec(f.similarity)
	if d, _ := spec.Candidates(); bits != d.Bits {
		return 0, fmt.Errorf("fingerprints of %d bits, expected %d, as written by fphash sketch --keys for the similarity %v", bits, d.Bits, spec.Similarity)
	}
	k, err := keys.New(spec, 0)
	return k.K, err
}

func (f *pairsFlags) run(cmd *cobra.Command, args []string) error {
	if f.changed("similarity") && (!f.keys || f.changed("k")) {
		return errors.New("--similarity requires --keys, and cannot be combined with --k")
	}
	return filterStream(cmd, args, f.out, func(r io.Reader, name string, w io.Writer) error {
		search := &filter.Search{Name: name, Tables: f.make, Bits: f.bits, Links: f.links}
		if f.keys {
			search.Tables, search.K = nil, f.keysK
		}
		found, err := search.Run(cmd.Context(), r, w)
		if err == nil && f.counts {
			what := "pairs"
			if f.links || f.keys {
				what = "links"
			}
			_, err = fmt.Fprintf(cmd.ErrOrStderr(), "fphash: lines %d, blocks %d, largest %d, pairs in blocks %d, %s %d\n",
				found.Lines, found.Blocks, found.Largest, found.Shared, what, found.Pairs)
		}
		return err
	})
}

func newClusters() *cobra.Command {
	var format, out string
	command := &cobra.Command{
		Use:   "clusters [PAIRS]",
		Short: "Group pairs into clusters, and choose the record of each cluster to keep",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return filterStream(cmd, args, out, func(r io.Reader, name string, w io.Writer) error {
				found, err := filter.ReadClusters(cmd.Context(), r, name)
				if err != nil {
					return err
				}
				t := tabular.New(w, format, []string{"id", "cluster_id", "is_canonical"})
				for _, m := range found {
					if err := cmp.Or(context.Cause(cmd.Context()), t.Row(m.ID, m.Cluster, m.Canonical)); err != nil {
						return t.End(err)
					}
				}
				return t.End(nil)
			})
		},
	}
	flags := command.Flags()
	choice(flags, &format, "format", tabular.Text, "format of the output: %s", tabular.Formats())
	outFlag(flags, &out)
	return command
}

func newSelect() *cobra.Command {
	similarity, out := dedup.DefaultSpec(dedup.Words).Similarity, ""
	command := &cobra.Command{
		Use:   "select [FILE]",
		Short: "Decide which texts of groups of candidates to keep",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return filterStream(cmd, args, out, func(r io.Reader, name string, w io.Writer) error {
				return selectTexts(cmd.Context(), textSpec(similarity), readGroups(cmd.Context(), r, name), w)
			})
		},
	}
	flags := command.Flags()
	flags.VarP(similarityOf(&similarity), "similarity", "s", "minimum similarity of a dropped text to the kept one")
	outFlag(flags, &out)
	kernelFlag(flags)
	return command
}

// selectTexts writes the dropped texts of groups.
func selectTexts(ctx context.Context, spec dedup.Spec, groups iter.Seq2[dedup.GroupText, error], w io.Writer) error {
	out := textlines.NewWriter(w)
	for dropped, err := range dedup.Select(ctx, spec, "", groups) {
		if err == nil {
			_, err = fmt.Fprintf(out, "%s\t%s\t%v\n", tabular.OneLine(dropped.ID), tabular.OneLine(dropped.Kept), dropped.Similarity)
		}
		if err != nil {
			_ = out.Flush() // the lines before the error are complete
			return err
		}
	}
	return out.Flush()
}

// mostGroupLine is the length of the longest accepted line, in bytes.
const mostGroupLine = 1 << 30

// readGroups reads texts with their groups from JSON lines.
func readGroups(ctx context.Context, r io.Reader, name string) iter.Seq2[dedup.GroupText, error] {
	return func(yield func(dedup.GroupText, error) bool) {
		var text dedup.GroupText
		for line, err := range textlines.All(ctx, r, name, mostGroupLine, true) {
			before := text
			if err == nil {
				if text, err = parseGroupText(line.Text); err == nil && text.Old && !before.Old && text.Group == before.Group {
					err = fmt.Errorf("group %s: the old text %.80q comes after a new one, expected old texts first", text.Group, text.ID)
				}
				if err != nil {
					err = fmt.Errorf("%s:%d: %w", name, line.Number, err)
				}
			}
			if !yield(text, err) || err != nil {
				return
			}
		}
	}
}

// parseGroupText parses a line. Groups and ids may be texts or numbers.
func parseGroupText(line []byte) (t dedup.GroupText, err error) {
	var record struct {
		Group *json.RawMessage `json:"group"`
		ID    *json.RawMessage `json:"id"`
		Text  *string          `json:"text"`
		Old   bool             `json:"old"`
	}
	if err := json.Unmarshal(line, &record); err != nil || record.Group == nil || record.ID == nil || record.Text == nil {
		return t, fmt.Errorf(`expected a JSON object with "group", "id" and a string "text", got %.80q`, line)
	}
	t = dedup.GroupText{Group: string(*record.Group), ID: string(*record.ID), Text: []byte(*record.Text), Old: record.Old}
	if id := ""; json.Unmarshal(*record.ID, &id) == nil {
		t.ID = id
	}
	return t, nil
}
