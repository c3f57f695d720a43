package pipeline

import "github.com/apache/beam/sdks/v2/go/pkg/beam"

// Options says what a pipeline does.
type Options struct {
	Inputs []Input
	Texts  Texts
	Parts  bool // documents with the same id are parts of one
	Search Search
	By     string // as that of dedup.Options
	Output Output
}

// Collections is what lies between the stages.
type Collections struct {
	Records beam.PCollection // of Record: all documents
	Pairs   beam.PCollection // of Pair: those of distinct fingerprints, and each copy with the first
	Members beam.PCollection // of Member: the documents that are in groups
}

// Build adds all stages to a pipeline.
func Build(s beam.Scope, o Options) Collections {
	list := inputs(s, o.Inputs)
	var c Collections
	if o.Parts {
		c.Records = documentsOfParts(s, list, o.Texts)
	} else {
		c.Records = beam.ParDo(s.Scope("fingerprints"), &sketchFn{Texts: o.Texts}, list)
	}
	fingerprints, copies := distinct(s, c.Records)
	c.Pairs = beam.Flatten(s, copies, near(s, fingerprints, o.Search))
	c.Members = groups(s, c.Pairs, o.By)
	attributes(s, list, c.Records, c.Members, o.Output)
	return c
}
