package main

import (
	"io"
	"strconv"

	"simhashkit/fphash"
)

// openTexts opens documents in place of vectors.
func (j *sketchJob) openTexts(args []string, stdin io.Reader) (err error) {
	name := j.data
	if len(args) > 0 {
		name = args[0]
	}
	if j.name = name; isStdin(name) {
		j.name = "standard input"
	}
	var onError func(error)
	if j.keepGoing {
		onError = func(err error) { _ = j.report(err) } // nil, since it is to go on
	}
	j.documents, err = j.texts.open(j.ctx, name, stdin, onError)
	return err
}

// sketchTexts reads all documents and writes their fingerprints.
func sketchTexts(j *sketchJob) error {
	sketcher, err := j.texts.sketcher(j.ctx, j.sketcher, j.unsure)
	if err != nil {
		return err
	}
	for d, err := range sketcher.Documents(j.ctx, j.documents, j.workers) {
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
		if err := j.out.write(record{id, d.Fingerprint, d.Mask, d.Status == fphash.Informative, d.Features}); err != nil {
			return err
		}
	}
	return nil
}
