package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"simhashkit/fphash/index/indexfile"
	textlines "simhashkit/internal/lines"
)

func newIndexDelete() *cobra.Command {
	return &cobra.Command{
		Use:   "delete INDEX [FILE]",
		Short: "Delete entries of an index by their ids",
		Long: `delete takes the entries out of the file INDEX whose ids stand in FILE, or standard
input, one a line. Ids that are not in the index are counted.`,
		Example: `  fphash index build a.index vectors.svm && seq 3 | fphash index delete a.index`,
		Args:    cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, in, err := openStream(cmd.Context(), args[1:], cmd.InOrStdin())
			if err != nil {
				return err
			}
			defer in.Close()
			return withWriter(cmd, args[0], func(w *indexfile.Writer, _ *progress) error {
				asked, deleted, err := deleteLines(w, in)
				if err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "%d of %d deleted; %s\n", deleted, asked, indexSize(w))
				return nil
			})
		},
	}
}

// deleteLines deletes the ids in all lines, in batches.
func deleteLines(w *indexfile.Writer, in io.Reader) (asked, deleted int, err error) {
	const atOnce = 10000
	texts := w.Info().Texts
	var ids []indexfile.ID
	flush := func() error {
		n, err := w.Delete(ids...)
		asked, deleted, ids = asked+len(ids), deleted+n, ids[:0]
		return err
	}
	const longestID = 1 << 20
	reader := textlines.NewReader(in, longestID)
	for {
		line, err := reader.Next()
		if err == io.EOF {
			return asked, deleted, flush()
		}
		if errors.Is(err, textlines.ErrTooLong) {
			return asked, deleted, fmt.Errorf("line %d: expected an id of at most %d bytes", reader.Number(), longestID)
		}
		if err != nil {
			return asked, deleted, fmt.Errorf("after line %d: %w", reader.Number(), err)
		}
		id := indexfile.ID{Text: string(bytes.TrimSuffix(line, []byte("\r")))}
		if !texts {
			if id.Number, err = strconv.ParseUint(id.Text, 10, 64); err != nil {
				return asked, deleted, fmt.Errorf("line %d: id %.60q: expected a number, as all ids of the index are", reader.Number(), id.Text)
			}
			id.Text = ""
		}
		if ids = append(ids, id); len(ids) == atOnce {
			if err := flush(); err != nil {
				return asked, deleted, err
			}
		}
	}
}

func newIndexCompact() *cobra.Command {
	return &cobra.Command{
		Use:   "compact INDEX",
		Short: "Write an index whole again, without what was deleted",
		Long: `compact writes the file INDEX whole again: what was added since it was built is found
faster then, what was deleted is gone, and the file opens at once. Who reads it
meanwhile goes on reading what was there. If it fails, the file is as it was.`,
		Example: `  fphash index build a.index vectors.svm && fphash index compact a.index`,
		Args:    cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return withWriter(cmd, args[0], func(w *indexfile.Writer, _ *progress) error {
				if err := w.Compact(); err != nil {
					return err
				}
				fmt.Fprintf(cmd.OutOrStdout(), "compacted; %s\n", indexSize(w))
				return nil
			})
		},
	}
}

// withWriter opens an index for writing.
func withWriter(cmd *cobra.Command, path string, do func(*indexfile.Writer, *progress) error) error {
	w, err := indexfile.OpenWriter(path)
	if err != nil {
		return err
	}
	mended(cmd.ErrOrStderr(), w)
	p := newProgress(cmd.ErrOrStderr())
	err = do(w, p)
	p.clear()
	if closeErr := w.Close(); err == nil {
		err = closeErr
	}
	return err
}
