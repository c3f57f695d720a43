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

	shown []dedup.Example // of Run.Show
	texts map[int]string  // of these

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
// A comparison in memory needs about 48 bytes for each 64-bit fingerprint. If that exceeds Memory,
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
	options := dedup.Options{Spec: r.Spec, OldName: r.OldName, Workers: r.Workers, Kind: "document"}
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
	hashes := &idHashes{most: all.mostIDs()}
	for i := range r.Inputs {
		p := r.partOf(&r.Inputs[i])
		if err := found.add(ctx, &p, all, hashes); err != nil {
			return nil, err
		}
		found.LeftOut += p.leftOut
		found.parts = append(found.parts, p)
	}
	found.news = found.parts[len(found.parts)-len(r.Inputs):]
	if records.Len() == options.Old {
		return nil, fmt.Errorf("no documents in %s", name)
	}
	if r.Spec.Similarity > 0 && r.Texts != nil {
		texts := &dedup.Verifier{Spec: r.Spec, Texts: found.Reread(), Folder: filepath.Join(r.Folder, kept), Workers: r.Workers}
		defer texts.Close()
		options.Verify = texts
	}
	options.Progress = func(step dedup.Step, done float64) {
		r.tell(Progress{string(step), int64(1000 * done), 1000, records.Len()})
	}
	if r.Values != nil {
		options.Prefer = &dedup.Preference{Name: r.Preferred, Values: found.reread(r.Values, found.news)}
	}
	var err error
	if found.Result, err = all.find(ctx, options); err != nil {
		return nil, err
	}
	found.cluster = make([]uint32, records.Set.Len())
	for i := range found.Groups.Len() {
		for _, member := range found.Groups.Members(i) {
			found.cluster[member] = uint32(i + 1)
		}
	}
	found.countShared(hashes)
	if r.Show != nil {
		found.shown = r.Show(found.Result)
	}
	if found.texts, err = dedup.ReadExamples(ctx, found.shown, found.Reread()); err != nil {
		return nil, err
	}
	return found, found.nameRecords(ctx)
}

func (r *Run) partOf(in *Input) part {
	named := func(ctx context.Context) iter.Seq2[Record, error] { return r.named(ctx, *in) }
	return part{Old: Old{Name: in.Path, Records: named}, input: in}
}

// add reads the records of a part. hashes may be nil.
func (r *Result) add(ctx context.Context, p *part, all *fingerprints, hashes *idHashes) error {
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
			hashes.add(record.ID)
		}
		if err := all.add(record); err != nil {
			return err
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
func (r *Result) reread(values dedup.Values[[]byte], parts []part) dedup.Reread[[]byte] {
	return func(ctx context.Context, records []uint64, take func(record uint64, text []byte) error) error {
		progress := r.newCount(StageVerifying, parts)
		for i := range parts {
			p, first := &parts[i], uint64(parts[i].first-parts[0].first)
			n, _ := slices.BinarySearch(records, first+uint64(p.n))
			some := records[:n]
			records = records[n:]
			var err error
			switch {
			case n == 0:
			case p.input == nil:
				numbers := slices.Clone(some)
				for i := range numbers {
					numbers[i] -= first
				}
				err = p.Read(ctx, numbers, func(record uint64, text []byte) error { return take(record+first, text) })
			default:
				err = values.Take(ctx, p.input.Path, first, some, func(more int) { progress.add(more, 0) }, take)
				err = cmp.Or(r.unchanged(p), err) // a change may be the cause of err
			}
			if err != nil {
				return err
			}
			progress.add(0, p.head.Bytes)
		}
		return nil
	}
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

// idHashes has a hash of the id of each new record, if there are not too many.
type idHashes struct {
	most int
	list []uint64
}

func (h *idHashes) add(id []byte) {
	if len(h.list) >= h.most {
		h.most, h.list = 0, nil
		return
	}
	h.list = append(h.list, xxhash.Sum64(id))
}

// countShared counts the ids that several records share, and at least one of them is in a group.
func (r *Result) countShared(hashes *idHashes) {
	first, records := r.news[0].first, map[uint64]int{}
	for i, cluster := range r.cluster {
		if record := int(r.Records.Set.ID(i)) - first; cluster > 0 && record >= 0 && record < len(hashes.list) {
			records[hashes.list[record]] = 0
		}
	}
	for record, hash := range hashes.list {
		n, ok := records[hash]
		if !ok {
			continue
		}
		if records[hash] = n + 1; n != 1 {
			continue
		}
		if r.shared++; r.shared == 1 {
			r.example = first + record
		}
	}
}

// SharedID returns an id that several records share and at least one of them is in a group, and the
// number of such ids. They make attributes ambiguous. SharedID returns none if Memory does not
// allow 8 more bytes for each record.
func (r *Result) SharedID() (id string, n int) {
	if r.shared == 0 {
		return "", 0
	}
	return r.Records.IDs(r.example), r.shared
}
