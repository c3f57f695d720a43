package source

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"

	"simhashkit/datasets"
	"simhashkit/dedup"
	"simhashkit/fphash"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/docsketch"
	"simhashkit/textsketch"
)

// Hasher defines fingerprints: a Sketcher of package fphash or of package conventions.
type Hasher interface {
	Definition() fphash.Definition
	String() string
	Bits() int
	Words() int
}

// Method computes the fingerprints of texts or vectors. MethodOf returns that of a Spec.
type Method struct {
	Hash    Hasher
	Texts   *textsketch.Sketcher // for texts: their features and weights, and Hash
	Weights string               // for vectors: one of datasets.WeightTypes
	Workers int                  // for texts; 0: GOMAXPROCS
}

// vectorFeatures stands for the features of vectors in an index.
const vectorFeatures = "vectors"

// Features returns the features of texts, or a word that stands for vectors.
func (m Method) Features() string {
	if m.Texts == nil {
		return vectorFeatures
	}
	return m.Texts.Features()
}

// DefaultSpec returns the default definition of near-duplicates for the records. In source code,
// symbols count as words.
func (s *Source) DefaultSpec() dedup.Spec {
	switch s.Kind {
	case Texts:
		spec := dedup.DefaultSpec(dedup.Words)
		spec.Symbols = s.Code
		return spec
	case Vectors:
		return dedup.DefaultSpec(dedup.Cosine)
	}
	return dedup.Spec{K: dedup.UsualK}
}

// MethodOf returns the Method for the fingerprints by which a search with a similarity finds
// candidates. If keys is not nil, the Method of texts also computes these.
func MethodOf(spec dedup.Spec, keys *textsketch.Keys, workers int) (Method, error) {
	if err := spec.Check(); err != nil {
		return Method{}, err
	}
	if spec.Similarity == 0 {
		return Method{}, errors.New("a Spec without a similarity requires a Method")
	}
	d, _ := spec.Candidates()
	hash, err := fphash.New(d, fphash.WithWorkers(workers))
	if err != nil || spec.Measure == dedup.Cosine {
		return Method{Hash: hash, Weights: datasets.Float32, Workers: workers}, err
	}
	texts, err := spec.Sketcher(keys)
	return Method{Hash: hash, Texts: texts, Workers: workers}, err
}

// Record is a record with an ID []byte and a Fingerprint []uint64. Unless it is Informative, it has
// no features, or all sums are zero. MadeUp is set if the id is its number. Features is the number
// of features of a text, and Keys has the keys of the Method.
type Record = docsketch.Record

// Counts describes the records that were read.
type Counts struct {
	Records       int
	LeftOut       int // malformed records
	Uninformative int // records without a fingerprint
	Missing       docsketch.Missing

	skipped []int // positions of vectors without a fingerprint, which were left out, from 0
}

// Each computes the fingerprints of all texts or vectors, in order.
func (s *Source) Each(ctx context.Context, m Method, take func(Record) error) (*Counts, error) {
	counts := new(Counts)
	if s.Kind == Texts {
		return counts, s.eachText(ctx, m, counts, take)
	}
	return counts, s.eachVector(ctx, m, counts, take)
}

// onError returns the function that counts malformed records; nil if the first one is an error.
func (s *Source) onError(counts *Counts) func(error) {
	if s.hints.OnError == nil {
		return nil
	}
	return func(err error) {
		counts.LeftOut++
		s.hints.OnError(err)
	}
}

func (s *Source) eachText(ctx context.Context, m Method, counts *Counts, take func(Record) error) (err error) {
	reader, err := s.openTexts(ctx, s.Options(s.onError(counts)))
	if err != nil {
		return err
	}
	defer func() { err = cmp.Or(err, reader.Close()) }()
	for r, err := range docsketch.Documents(ctx, m.Texts, reader, &counts.Missing, m.Workers) {
		if err != nil {
			return err
		}
		counts.Records++
		if !r.Informative {
			counts.Uninformative++
		}
		if len(r.Keys) > 0 {
			r.Features = max(r.Features, 1) // a text without words is one word
		}
		if err := take(r); err != nil {
			return err
		}
	}
	if s.hints.NoID { // the user asked for record numbers
		counts.Missing.OtherIDs = 0
	}
	return nil
}

// Read reads the fingerprints of all records, or computes them. If take is not nil, Read calls it
// with each batch of records, and then releases them.
func (s *Source) Read(ctx context.Context, m Method, take func(*dedup.Records) error) (*dedup.Records, *Counts, error) {
	records, counts := &dedup.Records{Name: s.Name}, new(Counts)
	var err error
	if s.Kind == Fingerprints {
		records, err = s.readFingerprints(ctx, take)
	} else {
		records.Set.Bits, records.Set.Definition = m.Hash.Bits(), m.Hash.String()
		counts, err = s.Each(ctx, m, func(r Record) error { return s.add(records, r, take) })
	}
	if err == nil {
		err = records.PassRest(take)
	}
	if err == nil && records.Len() == 0 && counts.LeftOut == 0 && !s.hints.Fingerprints {
		err = fmt.Errorf("no records in %s: expected documents, vectors or fingerprints", s.Name)
	}
	return records, counts, err
}

// add adds a record, and passes full batches to take.
func (s *Source) add(records *dedup.Records, r Record, take func(*dedup.Records) error) error {
	id := r.ID
	if r.MadeUp && string(id) == strconv.Itoa(records.Len()+1) {
		id = nil // takes no memory
	}
	if records.Add(id, r.Fingerprint, r.Informative); r.MadeUp {
		records.MakeUp()
	}
	if records.Len()%4096 == 0 {
		s.progress("reading", records.Len(), "records")
	}
	return records.Pass(take)
}

// readFingerprints reads a file of fingerprints.
func (s *Source) readFingerprints(ctx context.Context, take func(*dedup.Records) error) (*dedup.Records, error) {
	in, err := s.openStream(ctx)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	r := bufio.NewReaderSize(in, 64<<10)
	options := fingerprints.Options{Name: s.Name, Bits: s.hints.Bits, Progress: func(n int) { s.progress("reading", n, "records") }}
	if take != nil {
		options.Take = func(records *dedup.Records) error {
			if err := s.checkBits(records); err != nil {
				return err
			}
			return take(records)
		}
	}
	records, err := fingerprints.Read(ctx, r, in.path, fingerprints.SniffKnown(r), options)
	if errors.Is(err, fingerprints.ErrNoFingerprints) && !s.hints.Fingerprints {
		err = fmt.Errorf("%w; for texts, give their field with --text, or their format with --documents", err)
	}
	if err == nil {
		err = s.checkBits(records)
	}
	return records, err
}

// checkBits checks the width of fingerprints.
func (s *Source) checkBits(records *dedup.Records) error {
	if bits := s.hints.Bits; records.Len() > 0 && bits > 0 && records.Set.Bits != bits {
		return fmt.Errorf("%s: the fingerprints have %d bits, expected %d", records.Name, records.Set.Bits, bits)
	}
	return nil
}
