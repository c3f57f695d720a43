package source

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"simhashkit/datasets"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/fphash/index"
	"simhashkit/fphash/index/indexfile"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/similarity"
)

// Index is a file of fingerprints that records are compared with, and may be added to.
type Index struct {
	Path   string
	Info   indexfile.Info
	Writer *indexfile.Writer // nil: it is only read
}

// OpenIndex opens an index. With update, Find decides which records to add to it.
func OpenIndex(path string, update bool) (*Index, error) {
	if update {
		w, err := indexfile.OpenWriter(path)
		if err != nil {
			return nil, err
		}
		return &Index{path, w.Info(), w}, nil
	}
	r, err := indexfile.Open(path)
	if err != nil {
		return nil, err
	}
	info, err := r.Info()
	return &Index{Path: path, Info: info}, cmp.Or(err, r.Close())
}

// Close closes the index.
func (x *Index) Close() error {
	if x.Writer == nil {
		return nil
	}
	return x.Writer.Close()
}

// entries returns the entries of the index, except those that are the records themselves, which an
// earlier run has added: own has the numbers of these records, ascending, and their fingerprints.
// Without a Writer, there are none.
func (x *Index) entries(records *dedup.Records) (entries *dedup.Records, own map[int][]uint64, err error) {
	key := func(id string, words []uint64) string { return fphash.Fingerprint(words).Hex(x.Info.Bits) + id }
	first := map[string]int{} // by key: the first such record
	if x.Writer != nil {
		for i := range records.Len() {
			if !records.HasID(i) {
				return nil, nil, fmt.Errorf("an index needs ids, and record %d of %s has none: name their field with --id", i+1, records.Name)
			}
		}
		for position := range records.Set.Len() {
			record := int(records.Set.ID(position))
			if k := key(records.ID(record), records.Set.At(position)); first[k] == 0 {
				first[k] = record + 1
			}
		}
	}
	r, err := indexfile.Open(x.Path)
	if err != nil {
		return nil, nil, err
	}
	defer r.Close()
	entries, own = &dedup.Records{Name: x.Path}, map[int][]uint64{}
	entries.Set.Bits, entries.Set.Definition = x.Info.Bits, x.Info.Definition
	for e, err := range r.All() {
		if err != nil {
			return nil, nil, err
		}
		name := corpus.IndexID(e.ID, x.Info.Texts)
		if record := first[key(name, e.Words)] - 1; record >= 0 {
			own[record] = slices.Clone(e.Words)
		} else {
			entries.Add([]byte(name), e.Words, true)
		}
	}
	return entries, own, nil
}

// kept returns the kept records that are not yet in the index, as entries.
func (x *Index) kept(result *dedup.Result) (*indexfile.Entries, error) {
	records := result.Records
	e := new(indexfile.Entries)
	err := x.AppendEntries(e, records, func(position int) bool {
		record := int(records.Set.ID(position))
		_, own := result.Own[record]
		return record >= result.Old && !result.IsDropped(position) && !own
	})
	if err == nil {
		err = x.Writer.Check(e)
	}
	if err != nil {
		return nil, fmt.Errorf("%w; nothing was written", err)
	}
	return e, nil
}

// AppendEntries appends the records with fingerprints to entries for the index: all, or those for
// which keep returns true.
func (x *Index) AppendEntries(e *indexfile.Entries, records *dedup.Records, keep func(position int) bool) error {
	set := &records.Set
	e.Bits, e.Definition = set.Bits, set.Definition
	for i := range set.Len() {
		if keep != nil && !keep(i) {
			continue
		}
		id := records.ID(int(set.ID(i)))
		if x.Info.Texts {
			e.Texts = append(e.Texts, id)
		} else {
			number, err := strconv.ParseUint(id, 10, 64)
			if err != nil {
				return fmt.Errorf("%s: id %.60q: expected a number below 2^64, as all ids of the index are", records.Name, id)
			}
			e.IDs = append(e.IDs, number)
		}
		e.Words = append(e.Words, set.At(i)...)
	}
	return nil
}

// AssumeDefinition gives the records the definition of the index if only one of them has a
// definition, and returns a sentence about what it assumed, or "". Lines of digits have no
// definition.
func (x *Index) AssumeDefinition(records *dedup.Records) string {
	return assumeDefinition(records, x.Path, x.Info.Definition)
}

func assumeDefinition(records *dedup.Records, name, definition string) string {
	set := &records.Set
	if set.Definition == definition || set.Definition != "" && definition != "" {
		return ""
	}
	silent := records.Name
	if set.Definition != "" {
		silent = name
	}
	assumed := assuming(silent, "definition", cmp.Or(set.Definition, definition))
	set.Definition = definition
	return assumed
}

// assuming returns the sentence about a property of fingerprints that their file does not record.
func assuming(name, property, value string) string {
	return fmt.Sprintf("%s does not record the %s of its fingerprints; assuming %s", name, property, value)
}

// CheckFeatures refuses texts or vectors whose features differ from those of an index, since their
// fingerprints cannot be compared. An index built from fingerprints does not record features, so
// CheckFeatures returns a sentence about what it assumes.
func (x *Index) CheckFeatures(name, features string) (assumed string, err error) {
	switch {
	case x.Info.Features == features, x.Info.Features == "" && features == vectorFeatures:
		return "", nil
	case x.Info.Features == "":
		return assuming(x.Path, "features", features), nil
	}
	if err := x.checkKind(name, features); err != nil {
		return "", err
	}
	return "", fmt.Errorf("%s: features %s: expected the features of %s, %s", name, features, x.Path, x.Info.Features)
}

// checkKind refuses texts if the index has vectors, and vectors if it has texts.
func (x *Index) checkKind(name, features string) error {
	switch {
	case x.Info.Features == vectorFeatures && features != vectorFeatures:
		return fmt.Errorf("%s: %s is an index of vectors; texts require an index of texts", name, x.Path)
	case x.Info.Features != "" && x.Info.Features != vectorFeatures && features == vectorFeatures:
		return fmt.Errorf("%s: %s is an index of texts; vectors require an index of vectors", name, x.Path)
	}
	return nil
}

// method returns the Method that computes fingerprints of vectors as in the index.
func (x *Index) method(workers int) (Method, error) {
	d, err := fphash.ParseDefinition(x.Info.Definition)
	if err != nil {
		return Method{}, fmt.Errorf("%s: it does not record the definition of its fingerprints: give --k and the definition", x.Path)
	}
	hash, err := fphash.New(d, fphash.WithWorkers(workers))
	m := Method{Hash: hash, Weights: datasets.Float32, Workers: workers}
	if !d.Float32 {
		m.Weights = datasets.Float64
	}
	return m, err
}

// Check returns an error unless the index has the fingerprints that the method computes of texts.
func (x *Index) Check(m Method) error {
	hash, features := m.Hash, m.Texts.Features()
	remedy := "give the flags that fphash index build was given"
	if own, _, _ := strings.Cut(features, "; "); similarity.AreFeatures(own) {
		remedy = "give --k, and the flags that fphash index build was given"
	}
	own := index.Set{Bits: x.Info.Bits, Definition: x.Info.Definition}
	switch {
	case x.Info.Definition != "" && own.Comparable(&index.Set{Bits: own.Bits, Definition: hash.String()}) != nil:
		return fmt.Errorf("%s: its fingerprints were made by %s, expected %s; %s", x.Path, x.Info.Definition, hash, remedy)
	case x.Info.Bits != hash.Bits():
		return fmt.Errorf("%s: its fingerprints have %d bits, expected %d; %s", x.Path, x.Info.Bits, hash.Bits(), remedy)
	case x.Info.Features != "" && x.Info.Features != features:
		return fmt.Errorf("%s: its features are %s, expected %s; %s", x.Path, x.Info.Features, features, remedy)
	}
	return nil
}
