// Command advised takes the advice of fphash as users would, and files how much of what it drops is
// the same as what is kept for it, and how much of what could be dropped other programs drop.
//
//	go build -o fphash ./cmd/fphash
//	go -C results run ./measure/advised -fphash ../fphash -o CPU/DATE/advised.csv COLLECTION...
//	go -C results run ./measure/advised -table CPU/DATE/advised.csv > CPU/DATE/advised-table.md
//	go -C results run ./measure/advised -fphash ../fphash \
//	    -recall CPU/DATE/recall.csv -python venv/bin/python COLLECTION...
//	go -C results run ./measure/advised -table CPU/DATE/recall.csv > CPU/DATE/recall-table.md
//
// COLLECTION is KIND:LANGUAGE:NAME=PATH. KIND is synopses or descriptions (PATH is a file of
// translated descriptions of Debian packages, which apt-get update fetches with Acquire::Languages
// and apt-helper cat-file unpacks), licences (folders in which files have such names) or sources (a
// folder of Go files, each of which gets a copy with 1 to 10% of the words replaced). LANGUAGE is
// English, Chinese or Japanese.
//
// With -o each collection is deduplicated twice: as fphash dedup does unasked, and by the command
// that fphash choose prints. Of what would be dropped 200 pairs are drawn by --audit, spread over
// the distances, and labelled by a program: yes where a longest common subsequence, of the words or
// of the characters of Chinese and Japanese, has 80 of 100 of both texts. That knows order, and
// nothing of features and fingerprints.
//
// With -recall a collection is its first -texts texts that differ in letters and numbers. The label
// says which of them can be dropped: going through them in order, each that is the same as one kept
// before. Of each program it is filed how many it drops, and how many of these rightly, because
// they are the same as the one that is kept for them, which is the first of a group. Python is one
// with text-dedup 0.4.1 and datasketch 2.0.0; without it their runs stay as they are filed.
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
	filed := flags.String("table", "", "a `file` of samples or runs, whose table is wanted")
	c := &comparison{}
	flags.StringVar(&c.path, "recall", "", "the `file` of runs of all programs")
	flags.StringVar(&c.python, "python", "", "the `program` Python")
	flags.IntVar(&c.rounds, "rounds", 3, "how `many` runs of each program, but one of choose")
	texts := flags.Int("texts", 20000, "how `many` texts of a collection programs are compared on, at most")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *filed != "" {
		return writeTable(os.Stdout, *filed)
	}
	if *program == "" || (*out == "") == (c.path == "") || flags.NArg() == 0 {
		return errors.New("expected -fphash PROGRAM, -o FILE or -recall FILE, and collections")
	}
	if _, err := os.Stat(c.path); err == nil {
		rows, err := readRows(c.path)
		if err != nil {
			return err
		}
		if c.outcomes, err = readOutcomes(rows); err != nil {
			return fmt.Errorf("%s: %w", c.path, err)
		}
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
		loaded, err := load(argument)
		if err != nil {
			return err
		}
		if c.path != "" {
			loaded = loaded.distinct(*texts)
		}
		t := &trial{loaded, absolute, folder, loaded.name + ".jsonl"}
		if err := t.write(); err != nil {
			return err
		}
		var more []sample
		if c.path != "" {
			err = c.compare(ctx, t)
		} else {
			more, err = t.samples(ctx)
		}
		if err != nil {
			return fmt.Errorf("%s: %w", loaded.name, err)
		}
		samples = append(samples, more...)
	}
	if c.path != "" {
		return nil
	}
	return wholefile.Write(*out, func(w io.Writer) error { return write(w, samples) })
}

// write writes the samples below what they were made with.
func write(w io.Writer, samples []sample) error {
	writeHead(w)
	return writeSamples(w, samples)
}

func writeHead(w io.Writer) {
	fmt.Fprintf(w, "# date: %s\n# go: %s\n# label: same where a longest common subsequence has %v of both texts\n", time.Now().UTC().Format(time.RFC3339), runtime.Version(), collections.Near)
	for _, line := range bench.Config() {
		fmt.Fprintf(w, "# %s: %s\n", line.Name, line.Value)
	}
}

// trial deduplicates a collection.
type trial struct {
	*collection
	program, folder, file string
}

// write writes the texts as JSON lines.
func (t *trial) write() error {
	f, err := os.Create(filepath.Join(t.folder, t.file))
	if err != nil {
		return err
	}
	for _, d := range t.documents {
		if err := json.NewEncoder(f).Encode(d); err != nil {
			return err
		}
	}
	return f.Close()
}

// advice returns the command that choose prints, without the name of the program.
func (t *trial) advice(ctx context.Context) (command string, r outcome, err error) {
	r = outcome{Program: fphash, Setting: "choose", Command: "choose " + t.file + " --text text --id id --format json"}
	var answer []byte
	if answer, r.Seconds, r.Bytes, err = t.measured(ctx, r.Command); err != nil {
		return "", r, err
	}
	var advice struct{ Command string }
	if err := json.Unmarshal(answer, &advice); err != nil {
		return "", r, fmt.Errorf("the answer of choose: %w", err)
	}
	return strings.TrimPrefix(advice.Command, "fphash "), r, nil
}

func (t *trial) samples(ctx context.Context) ([]sample, error) {
	advice, _, err := t.advice(ctx)
	if err != nil {
		return nil, err
	}
	var all []sample
	for _, command := range []string{"dedup " + t.file + " --text text --id id", advice} {
		list, err := t.sample(ctx, command)
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// sample draws pairs of what a command drops, and labels them.
func (t *trial) sample(ctx context.Context, command string) (list []sample, err error) {
	if _, _, _, err := t.measured(ctx, command+" --audit sheet.csv --audit-pairs 200"); err != nil {
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
