package pipeline

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/register"

	"simhashkit/dedup/corpus"
	"simhashkit/dedup/corpus/parquet"
)

func init() {
	register.Function1x2(inputByNumber)
	register.Function1x2(recordByInput)
	register.Function1x2(memberByInput)
	register.Function1x1(isWholeNumber)
	register.Function2x1(both)
	register.DoFn6x1[context.Context, int64, func(*Input) bool, func(*Record) bool, func(*Member) bool, func(*bool) bool, error](&attributesFn{})
	register.Iter1[Input]()
	register.Iter1[Record]()
	register.Iter1[Member]()
	register.Iter1[bool]()
}

func inputByNumber(in Input) (int64, Input)  { return in.Number, in }
func recordByInput(r Record) (int64, Record) { return inputOf(r.Position), r }
func memberByInput(m Member) (int64, Member) { return inputOf(m.Position), m }
func both(a, b bool) bool                    { return a && b }

func isWholeNumber(r Record) bool {
	_, ok := corpus.WholeNumber(corpus.Record{ID: r.ID, Number: r.Number})
	return ok
}

// formats are those of attributes, the usual one first.
var formats = []corpus.Format{corpus.JSONLines, corpus.CSV, parquet.Format}

// Formats lists the formats of attributes.
func Formats() (names []string) {
	for _, format := range formats {
		names = append(names, format.Name)
	}
	return names
}

// Output says where attributes go.
type Output struct {
	Folder     string // or an address, as gs://bucket/folder
	Format     string // one of Formats
	Bits       int    // of the fingerprints
	Duplicates bool   // none but documents with near-duplicates
}

// attributesFn writes the file of an input, also if there are no documents in it. It holds the
// records of the input, some 100 bytes each.
type attributesFn struct{ Output Output }

func (f *attributesFn) ProcessElement(ctx context.Context, _ int64, inputs func(*Input) bool, records func(*Record) bool, members func(*Member) bool, numbers func(*bool) bool) (err error) {
	defer mark(&err)
	var in Input
	inputs(&in)
	columns := corpus.Columns{Bits: f.Output.Bits, Numbers: true}
	numbers(&columns.Numbers) // there is no such value where there are no documents
	all := collect(records, func(r Record) Position { return r.Position })
	found := collect(members, func(m Member) Position { return m.Position })
	at := slices.IndexFunc(formats, func(format corpus.Format) bool { return format.Name == f.Output.Format })
	if at < 0 {
		return fmt.Errorf("format %q of attributes, expected one of %q", f.Output.Format, Formats())
	}
	return writeWhole(ctx, f.Output.Folder, corpus.AttributesOf(in.Name, f.Output.Format), func(w io.Writer) error {
		return f.write(formats[at].New(w, columns), all, found)
	})
}

func (f *attributesFn) write(w corpus.Writer, records []Record, found []Member) error {
	for _, r := range records {
		a := corpus.Attributes{Record: corpus.Record{ID: r.ID, Number: r.Number, Fingerprint: r.Words, Informative: r.Informative}, Canonical: true}
		if len(found) > 0 && found[0].Position == r.Position {
			a.Cluster, a.Canonical = int(found[0].Cluster), found[0].Canonical
			found = found[1:]
		}
		if f.Output.Duplicates && a.Cluster == 0 {
			continue
		}
		if err := w.Write(a); err != nil {
			return err
		}
	}
	return w.Close()
}

// collect returns all values in the order of their positions.
func collect[T any](values func(*T) bool, position func(T) Position) (all []T) {
	for {
		var value T // what is decoded into it may be kept
		if !values(&value) {
			break
		}
		all = append(all, value)
	}
	slices.SortFunc(all, func(a, b T) int { return cmp.Compare(position(a), position(b)) })
	return all
}

// attributes writes the files of all inputs.
func attributes(s beam.Scope, inputs, records, members beam.PCollection, output Output) {
	s = s.Scope("attributes")
	byInput := beam.CoGroupByKey(s, beam.ParDo(s, inputByNumber, inputs), beam.ParDo(s, recordByInput, records), beam.ParDo(s, memberByInput, members))
	numbers := beam.Combine(s, both, beam.ParDo(s, isWholeNumber, records))
	beam.ParDo0(s, &attributesFn{Output: output}, byInput, beam.SideInput{Input: numbers})
}
