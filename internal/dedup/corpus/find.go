package corpus

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"simhashkit/dedup"
)

// Result says which records of a run are near-duplicates.
type Result struct {
	*dedup.Result
	run *Run

	parts   []part   // all records, in the order of their numbers: the old ones come first
	news    []part   // of these, the inputs of the run
	cluster []uint32 // by position in the set: number of the group, from 1; 0: none
	numbers bool     // whether all ids of new records are whole numbers
	madeUp  bool     // whether a new record has no id
	ids     names
	shared  int // number of ids that several records share
	example int // a record with such an id

	begun  bool   // an output was written since Complete
	copies string // folder of Remove; "" before it is called

	examples string // of dropped texts, for the summary

	LeftOut int // unreadable documents, in this run or an earlier one, also of OldFiles
}

// part is a part of the records: those of an input, or of an element of Against.
type part struct {
	Old
	input    *Input // nil: an element of Against
	head     head   // of the fingerprints of the input
	leftOut  int    // number of its unreadable documents
	first, n int    // number of the first record, and of all
}

// Find joins the fingerprints of all inputs, which Sketch has computed.
//
// A comparison in memory needs about 56 bytes for each 64-bit fingerprint. If that exceeds Memory,
// Find writes the fingerprints to temporary files below Folder. It then needs Memory, or 5 bytes
// for each record if that is more, and about 60 for each record in a group. The result is the same,
// unless Recall allows missed pairs.
func (r *Run) Find(ctx context.Context, name string) (*Result, error) {
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if err := r.agree(ctx); err != nil {
		return nil, err
	}
	found := &Result{run: r, numbers: true}
	all := r.newFingerprints(name)
	defer all.close()
	options := dedup.Options{
		Spec: r.Spec, Folder: filepath.Join(r.Folder, kept), Workers: r.Workers, Progress: r.Progress,
		Kind: "document", OldName: r.OldName,
	}
	for i := range r.OldFiles {
		found.parts = append(found.parts, r.partOf(&r.OldFiles[i]))
	}
	for _, old := range r.Against {
		found.parts = append(found.parts, part{Old: old})
	}
	var unread []string
	for i := range found.parts {
		p := &found.parts[i]
		if err := found.add(ctx, p, all, nil); err != nil {
			return nil, fmt.Errorf("--against %s: %w", p.Name, err)
		}
		found.LeftOut += p.leftOut
		switch {
		case p.input == nil && p.Read == nil:
			options.Unread += p.n
			unread = append(unread, p.Name)
		case options.Unread > 0:
			return nil, fmt.Errorf("corpus: %s has texts: expected it before the old documents without texts", p.Name)
		}
	}
	records := all.records
	options.Old, options.OldEmpty, options.UnreadName = records.Len(), records.WithoutFingerprint(), strings.Join(unread, " ")
	var hashes []uint64 // of the ids of new records, as long as all fingerprints are in memory
	for i := range r.Inputs {
		p := r.partOf(&r.Inputs[i])
		if err := found.add(ctx, &p, all, &hashes); err != nil {
			return nil, err
		}
		found.LeftOut += p.leftOut
		found.parts = append(found.parts, p)
	}
	found.news = found.parts[len(found.parts)-len(r.Inputs):]
	if records.Len() == options.Old {
		return nil, fmt.Errorf("no documents in %s", name)
	}
	if r.Texts != nil {
		options.Texts = found.Reread()
	}
	if r.Values != nil {
		options.Prefer, options.PreferName = found.reread(r.Values, found.news), r.Preferred
	}
	var err error
	if found.Result, err = all.find(ctx, options); err != nil {
		return nil, err
	}
	defer found.Close()
	found.cluster = make([]uint32, records.Set.Len())
	cluster := uint32(0)
	for members := range found.Groups() {
		cluster++
		for _, member := range members {
			found.cluster[member] = cluster
		}
	}
	found.example, found.shared = found.Shared(hashes)
	return found, found.name(ctx)
}

// name reads the ids of the records that need a name, and the examples.
func (r *Result) name(ctx context.Context) error {
	var examples []dedup.Example
	if r.run.Show != nil {
		examples = r.run.Show(r.Result)
	}
	if err := r.nameRecords(ctx, examples); err != nil {
		return err
	}
	var text strings.Builder
	err := r.WriteExamples(ctx, &text, examples)
	r.examples = text.String()
	return err
}

func (r *Run) partOf(in *Input) part {
	named := func(ctx context.Context) iter.Seq2[Record, error] { return r.named(ctx, *in) }
	return part{Old: Old{Name: in.Path, Records: named}, input: in}
}

// add reads the records of a part. hashes may be nil.
func (r *Result) add(ctx context.Context, p *part, all *fingerprints, hashes *[]uint64) error {
	p.first = all.records.Len()
	var stored *storedFile
	records := p.Records
	if p.input != nil {
		records = func(ctx context.Context) iter.Seq2[Record, error] { return r.run.read(ctx, *p.input, &stored) }
	}
	for record, err := range records(ctx) {
		if err != nil {
			return err
		}
		if hashes != nil {
			if r.numbers {
				_, r.numbers = wholeNumber(record)
			}
			r.madeUp = r.madeUp || record.MadeUp
			*hashes = append(*hashes, xxhash.Sum64(record.ID))
		}
		if err := all.add(record); err != nil {
			return err
		}
		if hashes != nil && all.file != nil {
			*hashes = nil
		}
	}
	if stored != nil {
		p.head, p.leftOut = stored.head, stored.ending.LeftOut
	}
	p.n = all.records.Len() - p.first
	return nil
}

// read yields the records of an input, from its file of fingerprints. If of is not nil, read sets
// it to that file before the first record.
func (r *Run) read(ctx context.Context, in Input, of **storedFile) iter.Seq2[Record, error] {
	return r.storedRecords(ctx, r.stored(in), func(s *storedFile) error {
		if s == nil {
			return fmt.Errorf("%s: its fingerprints are not computed yet: run again", in.Path)
		}
		if of != nil {
			*of = s
		}
		return r.current(in, s.head)
	})
}

// current returns an error if the input has changed since the fingerprints with head h were
// computed.
func (r *Run) current(in Input, h head) error {
	now, err := r.headOf(in)
	if err == nil && !(h.madeAs(now) && h.state == now.state) {
		err = fmt.Errorf("%s: it has changed since its fingerprints were computed: run again", in.Path)
	}
	return err
}

// unchanged returns an error if an input has changed since its fingerprints were compared.
func (r *Result) unchanged(p *part) error { return r.run.current(*p.input, p.head) }

// Reread returns a dedup.Reread for the texts of all documents, including old ones. It requires
// Texts.
func (r *Result) Reread() dedup.Reread[[]byte] { return r.reread(r.run.Texts, r.parts) }

// reread returns a dedup.Reread for texts, or other values, of some parts, whose records are
// numbered from 0. It fails if an input has changed before or while it is read.
func (r *Result) reread(values Values[[]byte], parts []part) dedup.Reread[[]byte] {
	return func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
		progress := r.newCount("reading texts again", parts)
		var counts []int
		var reads []dedup.Reread[[]byte]
		for i := range parts {
			p := &parts[i]
			read := p.Read
			if p.input != nil {
				read = func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
					defer progress.add(0, p.head.Bytes)
					if len(records) == 0 {
						return nil
					}
					path := p.input.Path
					err := values.Take(ctx, path, path, records, func(more int) { progress.add(more, 0) }, take)
					return cmp.Or(r.unchanged(p), err) // a change may be the cause of err
				}
			}
			counts, reads = append(counts, p.n), append(reads, read)
		}
		return Chained(counts, reads)(ctx, records, take)
	}
}

// Chained returns a Reread for the records of several inputs, which have these numbers of records.
// An input that is never asked for may be nil.
func Chained[T any](counts []int, reads []dedup.Reread[T]) dedup.Reread[T] {
	return func(ctx context.Context, records []uint64, take func(record uint64, value T) error) error {
		first := uint64(0)
		for i, read := range reads {
			n, _ := slices.BinarySearch(records, first+uint64(counts[i]))
			own := slices.Clone(records[:n])
			for i := range own {
				own[i] -= first
			}
			if read != nil {
				if err := read(ctx, own, func(record uint64, value T) error { return take(first+record, value) }); err != nil {
					return err
				}
			}
			records, first = records[n:], first+uint64(counts[i])
		}
		return nil
	}
}

// Values yields the values of all records of a file in order. It calls want with the number of each
// record, from 0; an unwanted record may have no value.
type Values[T any] func(ctx context.Context, path string, want func(record int) bool) iter.Seq2[T, error]

// toldAtOnce is the number of records that Take reads between calls of told.
const toldAtOnce = 4096

// Take calls take with the values of the given records of a file, whose numbers ascend; there is at
// least one. Each time Take has read toldAtOnce more records, it calls told with that number. told
// may be nil. The name of the file is for messages.
func (f Values[T]) Take(ctx context.Context, path, name string, records []uint64, told func(more int), take func(uint64, T) error) error {
	number := uint64(0)
	for value, err := range f(ctx, path, func(record int) bool { return uint64(record) == records[0] }) {
		if err != nil {
			return err
		}
		if told != nil && (number+1)%toldAtOnce == 0 {
			told(toldAtOnce)
		}
		if number == records[0] {
			if err := take(number, value); err != nil {
				return err
			}
			if records = records[1:]; len(records) == 0 {
				return nil
			}
		}
		number++
	}
	return fmt.Errorf("%s: %d records: it has changed since its records were compared: run again", name, number)
}

// droppedOf returns the numbers of the dropped records of an input, from 0.
func (r *Result) droppedOf(input int) (dropped []int) {
	p := r.news[input]
	for position := r.positionOf(p.first); position < r.Records.Set.Len(); position++ {
		record := int(r.Records.Set.ID(position)) - p.first
		if record >= p.n {
			break
		}
		if r.IsDropped(position) {
			dropped = append(dropped, record)
		}
	}
	return dropped
}

// SharedID returns an id that several records share and at least one of them is in a group, and the
// number of such ids. They make attributes ambiguous. SharedID returns none if the fingerprints
// are compared on disk.
func (r *Result) SharedID() (id string, n int) {
	if r.shared == 0 {
		return "", 0
	}
	return r.Records.IDs(r.example), r.shared
}
