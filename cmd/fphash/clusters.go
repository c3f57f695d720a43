package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	"simhashkit/dedup/clusters"
	"simhashkit/fphash"
	"simhashkit/internal/tabular"
)

// clustersFlags are the flags of fphash clusters.
type clustersFlags struct {
	records, format, out string
}

func newClusters() *cobra.Command {
	var f clustersFlags
	command := &cobra.Command{
		Use:   "clusters [PAIRS]",
		Short: "Cluster pairs, and choose the record of each cluster to keep",
		Long: `clusters reads pairs from the file PAIRS or standard input, as fphash pairs and fphash
dedup --list pairs write them, and writes the clusters: the records that chains of pairs
connect.

With --records FILE, which has the fingerprints of the pairs, there is a row for each
record in the order of FILE: id, fingerprint, cluster_id (empty for records without
near-duplicates) and is_canonical (true for the first record of a cluster, and for
records in none). Clusters are numbered from 1 in the order of their first records.

Otherwise there is a row for each record in a pair: id, cluster_id and is_canonical,
ordered by id, numbers by value before other ids by their bytes.

Memory is about 100 bytes for each record in a pair.`,
		Example: `  fphash dedup vectors.svm --list pairs | fphash clusters
  fphash sketch vectors.svm --out fingerprints.tsv && \
      fphash blocks fingerprints.tsv | LC_ALL=C sort | fphash pairs --sorted | \
      fphash clusters --records fingerprints.tsv --format jsonl`,
		Args: cobra.MaximumNArgs(1),
		RunE: f.run,
	}
	flags := command.Flags()
	flags.SortFlags = false
	flags.StringVar(&f.records, "records", "", "file with the fingerprints of all records, as fphash sketch writes it")
	namesInput(flags, "records")
	choice(flags, &f.format, "format", tabular.Text, "format of the output: %s", tabular.Formats())
	outFlag(flags, &f.out)
	return command
}

func (f *clustersFlags) run(cmd *cobra.Command, args []string) error {
	ctx := cmd.Context()
	if f.records == "-" {
		return errors.New("--records -: expected a file, since standard input has the pairs")
	}
	path, stream, err := openStream(ctx, args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer stream.Close()
	found, err := clusters.Read(ctx, stream, inputName(path))
	if err != nil {
		return err
	}
	write := f.members
	if f.records != "" {
		write = f.attributes
	}
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error { return write(ctx, found, w) })
}

// members writes a row for each record that is in a cluster.
func (f *clustersFlags) members(ctx context.Context, found *clusters.Clusters, w io.Writer) error {
	t := tabular.New(w, f.format, []string{"id", "cluster_id", "is_canonical"})
	for i, id := range found.Sorted() {
		cluster, canonical, err := found.Next([]byte(id))
		if err == nil && i%4096 == 0 {
			err = context.Cause(ctx)
		}
		if err == nil {
			err = t.Row(id, cluster, canonical)
		}
		if err != nil {
			return t.End(err)
		}
	}
	return t.End(nil)
}

// attributes writes a row for each record.
func (f *clustersFlags) attributes(ctx context.Context, found *clusters.Clusters, w io.Writer) error {
	t := tabular.New(w, f.format, []string{"id", "fingerprint", "cluster_id", "is_canonical"})
	record := 0
	err := eachBatch(ctx, []string{f.records}, nil, 0, func(records *dedup.Records) error {
		set, next := &records.Set, 0
		for ; record < records.Len(); record++ {
			id := records.ID(record)
			cluster, canonical, err := found.Next([]byte(tabular.OneLine(id)))
			if err != nil {
				return fmt.Errorf("%s: %w", f.records, err)
			}
			row := []any{id, nil, nil, canonical}
			if next < set.Len() && set.ID(next) == uint64(record) {
				row[1] = fphash.Fingerprint(set.At(next)).Hex(set.Bits)
				next++
			}
			if cluster > 0 {
				row[2] = cluster
			}
			if err := t.Row(row...); err != nil {
				return err
			}
		}
		return context.Cause(ctx)
	})
	if err == nil {
		if err = found.End(); err != nil {
			err = fmt.Errorf("%s: %w", f.records, err)
		}
	}
	return t.End(err)
}
