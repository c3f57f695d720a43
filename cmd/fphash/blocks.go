package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/blocks"
	"simhashkit/internal/dedup/clusters"
	"simhashkit/internal/filter"
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

// blocksFlags are the flags of fphash blocks.
type blocksFlags struct {
	blockFlags
	out string
}

func newBlocks() *cobra.Command {
	var f blocksFlags
	command := &cobra.Command{
		Use:   "blocks [FILE]",
		Short: "Write fingerprints with sort keys, for Spark or another engine",
		Args:  cobra.MaximumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	f.register(flags)
	outFlag(flags, &f.out)
	return command
}

func (f *blocksFlags) run(cmd *cobra.Command, args []string) error {
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error {
		var lines *filter.BlockWriter
		err := eachBatch(cmd.Context(), args, cmd.InOrStdin(), f.bits, func(records *dedup.Records) error {
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
	})
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
	d, k := spec.Candidates()
	if bits != d.Bits {
		return 0, fmt.Errorf("fingerprints of %d bits, expected %d, as written by fphash sketch --keys for the similarity %v", bits, d.Bits, spec.Similarity)
	}
	return k, nil
}

func (f *pairsFlags) run(cmd *cobra.Command, args []string) error {
	if f.changed("similarity") && (!f.keys || f.changed("k")) {
		return errors.New("--similarity requires --keys, and cannot be combined with --k")
	}
	path, stream, err := openStream(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer stream.Close()
	search := &filter.Search{Name: inputName(path), Tables: f.make, Bits: f.bits, Links: f.links}
	if f.keys {
		search.Tables, search.K = nil, f.keysK
	}
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error {
		found, err := search.Run(cmd.Context(), stream, w)
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
			path, stream, err := openStream(cmd.Context(), args, cmd.InOrStdin())
			if err != nil {
				return err
			}
			defer stream.Close()
			found, err := clusters.Read(cmd.Context(), stream, inputName(path))
			if err != nil {
				return err
			}
			return writeTo(out, cmd.OutOrStdout(), func(w io.Writer) error {
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
