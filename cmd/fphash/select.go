package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/spf13/cobra"

	"simhashkit/dedup"
	textlines "simhashkit/internal/lines"
	"simhashkit/internal/tabular"
)

// selectFlags are the flags of fphash select.
type selectFlags struct {
	similarity float64
	out        string
}

func newSelect() *cobra.Command {
	f := selectFlags{similarity: dedup.DefaultSpec(dedup.Words).Similarity}
	command := &cobra.Command{
		Use:   "select [FILE]",
		Short: "Decide which texts of groups of candidates to keep",
		Args:  cobra.MaximumNArgs(1),
		RunE:  f.run,
	}
	flags := command.Flags()
	flags.VarP(similarityOf(&f.similarity), "similarity", "s", "minimum similarity of a dropped text to the kept one")
	outFlag(flags, &f.out)
	kernelFlag(flags)
	return command
}

func (f *selectFlags) run(cmd *cobra.Command, args []string) error {
	path, stream, err := openStream(cmd.Context(), args, cmd.InOrStdin())
	if err != nil {
		return err
	}
	defer stream.Close()
	return writeTo(f.out, cmd.OutOrStdout(), func(w io.Writer) error { return f.write(cmd.Context(), stream, inputName(path), w) })
}

// write writes the dropped texts of the groups in r.
func (f *selectFlags) write(ctx context.Context, r io.Reader, name string, w io.Writer) error {
	out := textlines.NewWriter(w)
	for dropped, err := range dedup.Select(ctx, textSpec(f.similarity), "", readGroups(ctx, r, name)) {
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
