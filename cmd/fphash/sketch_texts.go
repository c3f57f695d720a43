package main

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"simhashkit/datasets/documents"
	"simhashkit/dedup/fingerprints"
	"simhashkit/fphash"
)

// openTexts opens documents in place of vectors.
func (j *sketchJob) openTexts(args []string, stdin io.Reader) (err error) {
	var onError func(error)
	if j.keepGoing {
		onError = func(err error) { _ = j.report(err) } // nil, since it is to go on
	}
	if len(args) == 0 || isStdin(args[0]) {
		j.name = inputName("")
		j.documents, err = documents.NewReader(j.ctx, stdin, j.name, j.texts.options(onError))
		return err
	}
	j.name = strings.Join(args, " ")
	notice := func(text string) { fmt.Fprintln(j.stderr, "fphash:", text) }
	j.documents, err = j.texts.open(j.ctx, args, j.texts.options(onError), notice)
	return err
}

// sketchTexts reads all documents and writes their fingerprints.
func sketchTexts(j *sketchJob) error {
	sketcher, err := j.texts.sketcher(j.ctx, j.sketcher, j.whole)
	if err != nil {
		return err
	}
	if j.checkFeatures != nil {
		if err := j.checkFeatures(sketcher.Features()); err != nil {
			return fmt.Errorf("%s: %w", j.source(), err)
		}
	}
	for d, err := range sketcher.Documents(j.ctx, j.texts.seen.watch(j.documents), j.workers) {
		if err != nil {
			return orKeepGoing(err)
		}
		j.vectors++
		id := d.ID
		if len(id) == 0 {
			id = strconv.AppendInt(nil, int64(d.Number), 10)
		}
		if d.Status != fphash.Informative {
			j.uninformative++
		}
		r := fingerprints.Record{ID: id, Fingerprint: d.Fingerprint, Informative: d.Status == fphash.Informative, Features: d.Features}
		if err := j.out.Write(r); err != nil {
			return err
		}
	}
	if said := j.texts.seen.String(); said != "" {
		fmt.Fprintln(j.stderr, "fphash:", said)
	}
	return nil
}
