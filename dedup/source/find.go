package source

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/dedup"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
)

// Options says what Find looks for. The zero value finds the near-duplicates of the default Spec.
type Options struct {
	Spec   *dedup.Spec // nil is Source.DefaultSpec
	Method *Method     // computes the fingerprints; nil is MethodOf the Spec

	Keep    Keep      // which record of each group to keep
	Against []*Source // old records, which are always kept: new ones similar to these are dropped
	Runs    []string  // folders of fphash dedup --run: the texts that these have kept are old records
	Indexes []*Index  // more old records, of which only fingerprints are known

	Workers int // 0: one for each core
}

// Result is the result of Find.
type Result struct {
	*dedup.Result
	Counts  []*Counts          // of Against, and of the source
	Assumed []string           // sentences about fingerprints that were read
	Added   *indexfile.Entries // the records to add to the updated index; nil without one
}

// LeftOut returns the number of malformed records, which were left out.
func (r *Result) LeftOut() int {
	n := 0
	for _, c := range r.Counts {
		n += c.LeftOut
	}
	return n
}

// Find finds the near-duplicates among the records of a source. The caller closes the result.
func Find(ctx context.Context, s *Source, o Options) (*Result, error) {
	spec := s.DefaultSpec()
	if o.Spec != nil {
		spec = *o.Spec
	}
	o.Spec = &spec
	if err := o.check(s); err != nil {
		return nil, err
	}
	whyK := ""
	if len(o.Indexes) > 0 && o.Spec.K == dedup.UsualK {
		spec.K, spec.First, whyK = o.Indexes[0].Info.K, true, "that of the index"
	}
	if o.Method == nil && s.Kind != Fingerprints {
		m, err := o.method(s.Kind)
		if err != nil {
			return nil, err
		}
		o.Method = &m
	}
	if d, _ := spec.Candidates(); spec.Similarity > 0 && o.Method.Hash.Definition().Kind != d.Kind {
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
	options.Spec, options.WhyK, options.Kind = spec, whyK, s.Kind.Noun()
	options.Workers, options.Progress = o.Workers, s.hints.Progress
	if o.Keep.Name != "" {
		options.Prefer, options.PreferName = again(s, "reading texts again", s.Values(o.Keep)), o.Keep.Name
	}
	switch {
	case s.Kind == Texts && !s.hints.Once:
		options.Texts = corpus.Chained(in.counted(), in.texts)
	case s.Kind == Vectors:
		options.Vectors = corpus.Chained(in.counted(), in.vectors)
	}
	r := &Result{Counts: in.counts, Assumed: in.assumed}
	if r.Result, err = dedup.Find(ctx, joined(in.records), options); err != nil {
		return nil, err
	}
	for _, x := range o.Indexes {
		if x.Writer == nil {
			continue
		}
		if r.Added, err = x.kept(r.Result); err != nil {
			_ = r.Close()
			return nil, err
		}
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
	return MethodOf(*o.Spec, nil, o.Workers)
}

// inputs are the records of all sources: first those of Against and Runs, then those of Indexes,
// and then the new ones. Those of indexes cannot be read again.
type inputs struct {
	records []*dedup.Records
	texts   []dedup.Reread[[]byte]
	vectors []dedup.Reread[*datasets.Row[float64]]
	counts  []*Counts // of Against, and of the new ones
	assumed []string
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
		in.add(old, source.textsAgain(), source.vectorsAgain(method, counts))
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
		if assumed := assumeDefinition(fresh, old.Name, old.Set.Definition); assumed != "" {
			in.assumed = append(in.assumed, assumed)
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
	in.add(fresh, s.textsAgain(), s.vectorsAgain(method, counts))
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
		assumed := ""
		var err error
		switch {
		case s.Kind == Vectors: // Set.Comparable compares the definitions
		case o.Spec.Similarity > 0:
			if err = x.checkKind(s.Name, o.Method.Features()); err == nil {
				err = x.Check(*o.Method)
			}
		default:
			assumed, err = x.CheckFeatures(s.Name, o.Method.Texts.Features())
		}
		if err != nil {
			return err
		}
		if assumed != "" {
			in.assumed = append(in.assumed, assumed)
		}
	}
	return nil
}

// counted returns the numbers of records.
func (in *inputs) counted() (counts []int) {
	for _, records := range in.records {
		counts = append(counts, records.Len())
	}
	return counts
}

// joined concatenates the records of old inputs and the new records, which come last. A made-up id
// of an old record gets the name of its file, unless it begins with it.
func joined(all []*dedup.Records) *dedup.Records {
	last := all[len(all)-1]
	r := &dedup.Records{Name: last.Name}
	r.Set.Bits, r.Set.Definition = last.Set.Bits, last.Set.Definition
	for _, from := range all {
		next := 0 // position of the next record with a fingerprint
		for i := range from.Len() {
			informative := next < from.Set.Len() && from.Set.ID(next) == uint64(i)
			var words []uint64
			if informative {
				words = from.Set.At(next)
				next++
			}
			id, has := from.ID(i), from.HasID(i)
			if from != last && !has && !strings.HasPrefix(id, from.Name) {
				id = from.Name + ":" + id
			}
			if r.Add([]byte(id), words, informative); !has {
				r.MakeUp()
			}
		}
	}
	return r
}
