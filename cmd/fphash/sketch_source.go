package main

import (
	"fmt"
	"io"

	"simhashkit/datasets"
)

// rows returns the vectors of the stream, or those of the data set.
func rows[W datasets.Weight](j *sketchJob, unit bool) (datasets.VectorReader[W], error) {
	if j.data == "" {
		return streamRows[W](j, unit)
	}
	options := datasets.ReadOptions{Base: j.base, MaxLine: j.maxLine(), Unit: unit}
	if j.keepGoing {
		options.OnError = func(err error) { _ = j.report(err) }
	}
	set, description, err := datasets.Load[W](j.ctx, j.data, options)
	if err != nil {
		return nil, err
	}
	fmt.Fprintln(j.stderr, "fphash:", description)
	return &setReader[W]{set: &set}, nil
}

// streamRows returns the vectors of the stream, in whichever format it has them.
func streamRows[W datasets.Weight](j *sketchJob, unit bool) (datasets.VectorReader[W], error) {
	options := datasets.ReadOptions{Name: j.name, Base: j.base, MaxLine: j.maxLine(), Unit: unit}
	if j.keepGoing {
		// nil, since it is to go on
		options.OnError = func(err error) { _ = j.report(err) }
	}
	var err error
	if j.vectorFile, err = datasets.NewVectorFile(j.ctx, j.stream, j.path, options); err != nil {
		return nil, err
	}
	return datasets.Vectors[W](j.vectorFile)
}

// setReader reads the vectors of a set that is in memory.
type setReader[W datasets.Weight] struct {
	set  *datasets.CSR[W]
	next int
}

func (s *setReader[W]) Read(row *datasets.Row[W]) error {
	if s.next == s.set.Len() {
		return io.EOF
	}
	row.Indices, row.Weights = s.set.Row(s.next)
	row.ID = append(row.ID[:0], s.set.ID(s.next)...)
	s.next++
	return nil
}

func (s *setReader[W]) Bad() int          { return 0 }
func (s *setReader[W]) NotVectors() error { return nil }
