// Command advised takes the advice of fphash as users would, and files how much of what it drops is
// the same as what is kept for it.
//
//	go build -o fphash ./cmd/fphash
//	go -C results run ./measure/advised -fphash ../fphash -o CPU/DATE/advised.csv COLLECTION...
//	go -C results run ./measure/advised -table CPU/DATE/advised.csv > CPU/DATE/advised-table.md
//
// COLLECTION is KIND:LANGUAGE:NAME=PATH. KIND is synopses or descriptions (PATH is a file of
// translated descriptions of Debian packages, which apt-get update fetches with Acquire::Languages
// and apt-helper cat-file unpacks), licences (folders in which files have such names) or sources (a
// folder of Go files, each of which gets a copy with 1 to 10% of the words replaced). LANGUAGE is
// English, Chinese or Japanese.
//
// Each collection is deduplicated twice: as fphash dedup does unasked, and by the command that
// fphash choose prints. Of what would be dropped 200 pairs are drawn by --audit, spread over the
// distances, and labelled by a program: yes where a longest common subsequence, of the words or of
// the characters of Chinese and Japanese, has 80 of 100 of both texts. That knows order, and
// nothing of features and fingerprints.
package main

import (
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"simhashkit/bench"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/texts/collections"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "advised:", err)
		os.Exit(2)
	}
}

func run(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("advised", flag.ContinueOnError)
	program := flags.String("fphash", "", "the `program`")
	out := flags.String("o", "", "the `file` of samples")
	filed := flags.String("table", "", "a `file` of samples, whose table is wanted")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *filed != "" {
		return writeTable(os.Stdout, *filed)
	}
	if *program == "" || *out == "" || flags.NArg() == 0 {
		return errors.New("expected -fphash PROGRAM, -o FILE and collections")
	}
	absolute, err := filepath.Abs(*program)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "advised")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	var samples []sample
	for _, argument := range flags.Args() {
		c, err := load(argument)
		if err != nil {
			return err
		}
		t := trial{c, absolute, folder, c.name + ".jsonl"}
		more, err := t.samples(ctx)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		samples = append(samples, more...)
	}
	return wholefile.Write(*out, func(w io.Writer) error { return write(w, samples) })
}

// write writes the samples below what they were made with.
func write(w io.Writer, samples []sample) error {
	fmt.Fprintf(w, "# date: %s\n# go: %s\n# label: same where a longest common subsequence has %v of both texts\n", time.Now().UTC().Format(time.RFC3339), runtime.Version(), collections.Near)
	for _, line := range bench.Config() {
		fmt.Fprintf(w, "# %s: %s\n", line.Name, line.Value)
	}
	return writeSamples(w, samples)
}

// trial deduplicates a collection.
type trial struct {
	*collection
	program, folder, file string
}

func (t *trial) samples(ctx context.Context) ([]sample, error) {
	f, err := os.Create(filepath.Join(t.folder, t.file))
	if err != nil {
		return nil, err
	}
	for _, d := range t.documents {
		if err := json.NewEncoder(f).Encode(d); err != nil {
			return nil, err
		}
	}
	if err := f.Close(); err != nil {
		return nil, err
	}
	answer, err := t.fphash(ctx, "choose "+t.file+" --text text --id id --format json")
	if err != nil {
		return nil, err
	}
	var advice struct{ Command string }
	if err := json.Unmarshal(answer, &advice); err != nil {
		return nil, fmt.Errorf("the answer of choose: %w", err)
	}
	var all []sample
	for _, command := range []string{"dedup " + t.file + " --text text --id id", strings.TrimPrefix(advice.Command, "fphash ")} {
		list, err := t.sample(ctx, command)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// fphash runs a command, whose answer may be a no.
func (t *trial) fphash(ctx context.Context, command string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, t.program, strings.Fields(command)...)
	cmd.Dir = t.folder
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 {
		return out, nil
	}
	if exit != nil {
		err = fmt.Errorf("fphash %s: %w: %s", command, err, exit.Stderr)
	}
	return out, err
}

// sample draws pairs of what a command drops, and labels them.
func (t *trial) sample(ctx context.Context, command string) (list []sample, err error) {
	if _, err := t.fphash(ctx, command+" --audit sheet.csv --audit-pairs 200"); err != nil {
		return nil, err
	}
	sheet := filepath.Join(t.folder, "sheet.csv")
	f, err := os.Open(sheet)
	if err != nil {
		return nil, err
	}
	defer os.Remove(sheet)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	texts, tokenizer := map[string]string{}, collections.NewTokenizer(t.language)
	for _, d := range t.documents {
		texts[d.ID] = d.Text
	}
	for _, row := range rows[1:] { // same, distance, dropped_at_distance, kept, dropped
		s := sample{Collection: t.name, Documents: len(t.documents), Command: "fphash " + command, Kept: row[3], Dropped: row[4]}
		if s.Distance, err = strconv.Atoi(row[1]); err != nil {
			return nil, err
		}
		if s.DroppedAtDistance, err = strconv.Atoi(row[2]); err != nil {
			return nil, err
		}
		a, b := tokenizer.Tokens(texts[s.Kept]), tokenizer.Tokens(texts[s.Dropped])
		s.Similarity = collections.Similarity(a, b, 0)
		s.Same = s.Similarity >= collections.Near || strings.EqualFold(texts[s.Kept], texts[s.Dropped])
		list = append(list, s)
	}
	return list, nil
}
