package source

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
)

// Options says what Find looks for. The zero value finds the near-duplicates of Source.DefaultSpec.
type Options struct {
	Spec   dedup.Spec // the zero value is Source.DefaultSpec
	Method *Method    // computes the fingerprints; nil is MethodOf the Spec

	Keep    Keep      // which record of each group to keep
	Against []*Source // old records, which are always kept: new ones similar to these are dropped
	Runs    []string  // folders of fphash dedup --run: the texts that these have kept are old records
	Indexes []*Index  // more old records, of which only fingerprints are known

	Workers  int                                              // 0: one for each core
	Progress func(step dedup.Step, done float64, records int) // may be nil
}

// Result is a dedup.Result whose texts can be read again until Close.
type Result struct {
	*dedup.Result
	Counts  []*Counts          // of Against, and of the source
	Assumed []Assumption       // about fingerprints that were read
	Added   *indexfile.Entries // the records to add to the updated index; nil without one
	texts   dedup.Reread[[]byte]
}

// Close removes temporary files.
func (r *Result) Close() error {
	if r.Verify == nil {
		return nil
	}
	return r.Verify.Close()
}

// LeftOut returns the number of malformed records, which were left out.
func (r *Result) LeftOut() int {
	n := 0
	for _, c := range r.Counts {
		n += c.LeftOut
	}
	return n
}

// WriteExamples writes examples of dropped texts, and how they differ from the kept ones.
func (r *Result) WriteExamples(ctx context.Context, w io.Writer, examples []dedup.Example) error {
	if r.texts == nil && len(examples) > 0 {
		return fmt.Errorf("%s: expected texts that can be read twice", r.Records.Name)
	}
	texts, err := dedup.ReadExamples(ctx, examples, r.texts)
	if err != nil {
		return err
	}
	return r.Result.WriteExamples(w, examples, texts)
}

// Find finds the near-duplicates among the records of a source. The caller closes the result.
func Find(ctx context.Context, s *Source, o Options) (*Result, error) {
	if o.Spec == (dedup.Spec{}) {
		o.Spec = s.DefaultSpec()
	}
	if err := o.check(s); err != nil {
		return nil, err
	}
	whyK := ""
	if len(o.Indexes) > 0 && o.Spec.K == dedup.UsualK {
		o.Spec.K, o.Spec.By, whyK = o.Indexes[0].Info.K, dedup.First, "that of the index"
	}
	if o.Method == nil && s.Kind != Fingerprints {
		m, err := o.method(s.Kind)
		if err != nil {
			return nil, err
		}
		o.Method = &m
	}
	if o.Spec.Similarity > 0 && o.Method.Hash.Definition().Kind != o.Spec.Candidates().Sketch {
		name := s.Name
		if len(o.Indexes) > 0 {
			name = o.Indexes[0].Path
		}
		return nil, fmt.Errorf("%s: its fingerprints do not estimate the similarity: give --k to compare fingerprints only", name)
	}
	in, err := o.read(ctx, s)
	if err != nil {
		return nil, err
	}
	options := in.options
	options.Spec, options.WhyK, options.Kind = o.Spec, whyK, s.Kind.Noun()
	options.Workers = o.Workers
	if o.Keep.Name != "" {
		options.Prefer = &dedup.Preference{Name: o.Keep.Name, Values: again(s, ReadingTexts, s.Values(o.Keep))}
	}
	records := dedup.Joined(in.records[:len(in.records)-1], in.records[len(in.records)-1])
	if o.Progress != nil {
		options.Progress = func(step dedup.Step, done float64) { o.Progress(step, done, records.Len()) }
	}
	r := &Result{Counts: in.counts, Assumed: in.assumed}
	if s.Kind == Texts && !s.hints.Once {
		r.texts = chained(in.records, in.texts)
	}
	switch {
	case o.Spec.Similarity == 0:
	case s.Kind == Texts:
		options.Verify = &dedup.Verifier{Spec: o.Spec, Texts: r.texts, Workers: o.Workers}
	default:
		options.Verify = &dedup.Verifier{Spec: o.Spec, Vectors: chained(in.records, in.vectors)}
	}
	if r.Result, err = dedup.Find(ctx, records, options); err == nil {
		for _, x := range o.Indexes {
			if x.Writer != nil {
				r.Added, err = x.kept(r.Result)
			}
		}
	}
	if err != nil {
		if options.Verify != nil {
			_ = options.Verify.Close()
		}
		return nil, err
	}
	return r, nil
}

// check refuses options that do not fit the kind of the records.
func (o *Options) check(s *Source) error {
	similarity := o.Spec.Similarity > 0
	switch {
	case similarity && s.Kind == Fingerprints:
		return fmt.Errorf("%s: expected texts or vectors, which have a similarity, got fingerprints", s.Name)
	case similarity && (s.Kind == Vectors) != (o.Spec.Measure == dedup.Cosine):
		return fmt.Errorf("%s: the measure %q cannot compare %s", s.Name, o.Spec.Measure, s.Kind)
	case (similarity || o.Keep.Name != "") && s.hints.Once:
		return fmt.Errorf("%s: expected a source that can be read twice", s.Name)
	case o.Keep.Name != "" && s.Kind != Texts:
		return fmt.Errorf("to keep %s: expected texts, got %s", o.Keep.Name, s.Kind)
	}
	if len(o.Runs) > 0 && s.Kind != Texts {
		return fmt.Errorf("%s: expected %s as in %s, got the texts of a run", o.Runs[0], s.Kind, s.Name)
	}
	updates := 0
	for _, x := range o.Indexes {
		if x.Writer != nil {
			updates++
		}
		if s.Kind == Vectors {
			if err := x.checkKind(s.Name, vectorFeatures); err != nil {
				return err
			}
		}
	}
	if updates > 1 {
		return fmt.Errorf("records can be added to one index, got %d", updates)
	}
	for _, old := range o.Against {
		if similarity && old.hints.Once {
			return fmt.Errorf("%s: expected a source that can be read twice", old.Name)
		}
		if old.Kind != s.Kind && (similarity || old.Kind == Texts || s.Kind == Texts) {
			return fmt.Errorf("%s: expected %s as in %s, got %s", old.Name, s.Kind, s.Name, old.Kind)
		}
	}
	return nil
}

// method returns the Method of the Spec. Vectors get the fingerprints of the index.
func (o *Options) method(kind Kind) (Method, error) {
	if kind == Vectors && len(o.Indexes) > 0 {
		return o.Indexes[0].method(o.Workers)
	}
	return MethodOf(o.Spec, o.Workers)
}

// inputs are the records of all sources: first those of Against and Runs, then those of Indexes,
// and then the new ones. Those of indexes cannot be read again.
type inputs struct {
	records []*dedup.Records
	texts   []dedup.Reread[[]byte]
	vectors []dedup.Reread[*datasets.Row[float64]]
	counts  []*Counts // of Against, and of the new ones
	assumed []Assumption
	own     []int         // the new records that are the last old ones, ascending
	options dedup.Options // what they say about old records
}

func (in *inputs) add(records *dedup.Records, texts dedup.Reread[[]byte], vectors dedup.Reread[*datasets.Row[float64]]) {
	in.records, in.texts, in.vectors = append(in.records, records), append(in.texts, texts), append(in.vectors, vectors)
}

func (o *Options) read(ctx context.Context, s *Source) (*inputs, error) {
	in := new(inputs)
	if err := o.checkIndexes(s, in); err != nil {
		return nil, err
	}
	var method Method
	if o.Method != nil {
		method = *o.Method
	}
	// The new records come first, since the old ones are of no use without them.
	fresh, counts, err := s.Read(ctx, method, nil)
	if err != nil {
		return nil, err
	}
	for _, source := range o.Against {
		old, counts, err := source.Read(ctx, method, nil)
		if err != nil {
			return nil, err
		}
		in.counts = append(in.counts, counts)
		in.add(old, source.TextsAgain(), source.vectorsAgain(method, counts))
	}
	in.counts = append(in.counts, counts)
	for _, folder := range o.Runs {
		old, texts, err := o.readRun(ctx, s, folder)
		if err != nil {
			return nil, err
		}
		in.add(old, texts, nil)
	}
	if err := o.readIndexes(fresh, in); err != nil {
		return nil, err
	}
	var names []string
	for _, old := range in.records {
		if a := AssumeDefinition(fresh, old.Name, &old.Set); a != nil {
			in.assumed = append(in.assumed, *a)
		}
		if err := fresh.Set.Comparable(&old.Set); err != nil {
			return nil, fmt.Errorf("%s and %s: %w", fresh.Name, old.Name, err)
		}
		in.options.Old, in.options.OldEmpty = in.options.Old+old.Len(), in.options.OldEmpty+old.WithoutFingerprint()
		if !slices.Contains(names, old.Name) {
			names = append(names, old.Name)
		}
	}
	in.options.OldName, in.options.Own = strings.Join(names, " "), map[int]int{}
	for i, record := range in.own {
		in.options.Own[in.options.Old+record] = in.options.Old - len(in.own) + i
	}
	in.add(fresh, s.TextsAgain(), s.vectorsAgain(method, counts))
	return in, nil
}

// readRun returns the records that a run has kept, and reads their texts again.
func (o *Options) readRun(ctx context.Context, s *Source, folder string) (*dedup.Records, dedup.Reread[[]byte], error) {
	texts := &corpus.Documents{Options: s.Options(nil), Sketcher: o.Method.Texts, Hashed: o.Method.Hash.String()}
	run := &corpus.Run{Source: texts, Texts: s.TextsOf}
	if len(s.paths) > 0 {
		files, err := documents.Expand(s.paths)
		if err != nil {
			return nil, nil, err
		}
		for _, file := range files {
			run.Inputs = append(run.Inputs, corpus.Input{Path: file})
		}
	}
	old, err := run.Earlier(folder)
	if err != nil {
		return nil, nil, err
	}
	records := &dedup.Records{Name: folder}
	records.Set.Bits, records.Set.Definition = texts.Bits(), texts.Hash()
	for r, err := range old.Records(ctx) {
		if err != nil {
			return nil, nil, err
		}
		records.Add(r.ID, r.Fingerprint, r.Informative)
	}
	return records, old.Read, nil
}

// readIndexes adds the entries of all indexes. Those that are records themselves come last.
func (o *Options) readIndexes(fresh *dedup.Records, in *inputs) error {
	var names []string
	var same *dedup.Records
	for _, x := range o.Indexes {
		entries, own, err := x.entries(fresh)
		if err != nil {
			return err
		}
		names = append(names, x.Path)
		in.options.Unread += entries.Len() + len(own)
		in.add(entries, nil, nil)
		if x.Writer == nil {
			continue
		}
		same = &dedup.Records{Name: x.Path}
		same.Set.Bits, same.Set.Definition = entries.Set.Bits, entries.Set.Definition
		in.own = slices.Sorted(maps.Keys(own))
		for _, record := range in.own {
			same.Add([]byte(fresh.ID(record)), own[record], true)
		}
	}
	in.options.UnreadName = strings.Join(names, " ")
	if same != nil {
		in.add(same, nil, nil)
	}
	return nil
}

// checkIndexes refuses indexes whose fingerprints the Method does not compute.
func (o *Options) checkIndexes(s *Source, in *inputs) error {
	if s.Kind == Fingerprints {
		return nil
	}
	for _, x := range o.Indexes {
		var a *Assumption
		var err error
		switch {
		case s.Kind == Vectors: // Set.Comparable compares the definitions
		case o.Spec.Similarity > 0:
			if err = x.checkKind(s.Name, o.Method.Features()); err == nil {
				err = x.Check(*o.Method)
			}
		default:
			a, err = x.CheckFeatures(s.Name, o.Method.Texts.Features())
		}
		if err != nil {
			return err
		}
		if a != nil {
			in.assumed = append(in.assumed, *a)
		}
	}
	return nil
}

// chained returns a Reread for the records of all inputs. Those of indexes are never asked for.
func chained[T any](records []*dedup.Records, again []dedup.Reread[T]) dedup.Reread[T] {
	last := len(again) - 1
	all := again[last]
	for i, read := range slices.Backward(again[:last]) {
		all = all.After(read, records[i].Len())
	}
	return all
}
