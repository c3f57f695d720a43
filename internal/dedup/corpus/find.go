package corpus

import (
	"context"
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/cespare/xxhash/v2"

	"simhashkit/dedup"
	"simhashkit/fphash/index/join"
)

// Result says which records of a run are near-duplicates.
type Result struct {
	*dedup.Result
	run *Run

	olds       []int // number of records of each element of Against
	oldRecords int   // sum of olds; old records come before all others
	keptIDs    keptIDs

	firsts  []int    // number of the first record of each input
	counts  []int    // number of records of each input
	heads   []head   // head of the fingerprints of each input
	leftOut []int    // number of unreadable documents of each input
	cluster []uint32 // by position in the set: number of the group, from 1; 0: none
	numbers bool     // whether all ids are whole numbers
	shared  sharedIDs

	begun bool // an output was written since Complete

	LeftOut int      // unreadable documents, in this run or an earlier one
	Others  []string // copies that Remove found whose inputs are not part of this run
}

// Find joins the fingerprints of all inputs, which Sketch has computed. If explain is not nil, Find
// calls it with the plan before the search.
//
// A comparison in memory needs about 48 bytes for each 64-bit fingerprint. If that exceeds Memory,
// Find writes the fingerprints to temporary files below Folder. It then needs Memory, or 5 bytes
// for each record if that is more, and about 60 for each record in a group. The result is the same,
// unless Recall allows missed pairs.
func (r *Run) Find(ctx context.Context, name string, explain func(join.Plan)) (*Result, error) {
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if err := r.agree(ctx); err != nil {
		return nil, err
	}
	found := &Result{run: r, numbers: true}
	all := r.newFingerprints(name)
	defer all.close()
	records := all.records
	found.shared.most = all.mostIDs()
	var oldNames, unreadNames []string
	unread := 0
	for _, old := range r.Against {
		oldNames = append(oldNames, old.Name)
		before := records.Len()
		for record, err := range old.Records(ctx) {
			if err == nil {
				err = all.add(record)
			}
			if err != nil {
				return nil, fmt.Errorf("--against %s: %w", old.Name, err)
			}
		}
		found.olds = append(found.olds, records.Len()-before)
		if old.Read == nil {
			unread, unreadNames = unread+records.Len()-before, append(unreadNames, old.Name)
		} else if unread > 0 {
			return nil, fmt.Errorf("corpus: %s has texts: expected it before the old documents without texts", old.Name)
		}
	}
	found.oldRecords = records.Len()
	oldEmpty := records.WithoutFingerprint()
	found.shared.first = found.oldRecords
	for _, in := range r.Inputs {
		before := records.Len()
		var of *storedFile
		for record, err := range r.read(ctx, in, &of) {
			if err != nil {
				return nil, err
			}
			if found.numbers {
				_, found.numbers = wholeNumber(record)
			}
			found.shared.add(record.ID)
			if err := all.add(record); err != nil {
				return nil, err
			}
		}
		found.firsts = append(found.firsts, before)
		found.counts = append(found.counts, records.Len()-before)
		found.heads = append(found.heads, of.head)
		found.leftOut = append(found.leftOut, of.ending.LeftOut)
		found.LeftOut += of.ending.LeftOut
	}
	if records.Len() == found.oldRecords {
		return nil, fmt.Errorf("no documents in %s", name)
	}
	options := dedup.Options{Spec: r.Spec, Old: found.oldRecords, OldEmpty: oldEmpty, Workers: r.Workers, Explain: explain, Kind: "document"}
	options.OldName, options.Unread, options.UnreadName = strings.Join(oldNames, " "), unread, strings.Join(unreadNames, " ")
	if r.Spec.Similarity > 0 && r.Texts != nil {
		texts := &dedup.Verifier{Spec: r.Spec, Texts: found.Reread(), Folder: filepath.Join(r.Folder, kept), Workers: r.Workers}
		defer texts.Close()
		options.Verify = texts
	}
	options.Progress = func(step dedup.Step, done float64) {
		r.tell(Progress{string(step), int64(1000 * done), 1000, records.Len()})
	}
	if r.Values != nil {
		options.Prefer = &dedup.Preference{Name: r.Preferred, Values: found.reread(r.Values)}
	}
	var err error
	if found.Result, err = all.find(ctx, options); err != nil {
		return nil, err
	}
	if err := found.nameKept(ctx); err != nil {
		return nil, err
	}
	found.cluster = make([]uint32, records.Set.Len())
	for i := range found.Groups.Len() {
		for _, member := range found.Groups.Members(i) {
			found.cluster[member] = uint32(i + 1)
		}
	}
	found.shared.find(found)
	return found, nil
}

// name sets the ids of the records in names, given all records from number first on. The last
// record to name has the number last.
func name(names map[int]string, records iter.Seq2[Record, error], first, last int) error {
	if first > last {
		return nil
	}
	for record, err := range records {
		if err != nil {
			return err
		}
		if _, ok := names[first]; ok {
			names[first] = string(record.ID)
		}
		if first++; first > last {
			break
		}
	}
	return nil
}

// read yields the records of an input, from its file of fingerprints. If of is not nil, read sets it
// to that file before the first record.
func (r *Run) read(ctx context.Context, in Input, of **storedFile) iter.Seq2[Record, error] {
	return r.storedRecords(ctx, in.Name, func(s *storedFile) error {
		if s == nil {
			return fmt.Errorf("%s: its fingerprints are not computed yet: wait until all shards have ended", in.Path)
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

// Loss counts the dropped records of an input.
type Loss struct {
	Input            Input
	Dropped, Records int
}

// Losses returns the inputs with dropped records, those that lose most first.
func (r *Result) Losses() []Loss {
	var losses []Loss
	for i, in := range r.run.Inputs {
		if n := len(r.droppedOf(i)); n > 0 {
			losses = append(losses, Loss{Input: in, Dropped: n, Records: r.counts[i]})
		}
	}
	slices.SortStableFunc(losses, func(a, b Loss) int { return b.Dropped - a.Dropped })
	return losses
}

// droppedOf returns the numbers of the dropped records of an input, from 0.
func (r *Result) droppedOf(input int) (dropped []int) {
	first := r.firsts[input]
	for position := r.positionOf(first); position < r.Records.Set.Len(); position++ {
		record := int(r.Records.Set.ID(position)) - first
		if record >= r.counts[input] {
			break
		}
		if r.IsDropped(position) {
			dropped = append(dropped, record)
		}
	}
	return dropped
}

// sharedIDs counts ids that several records share. Attributes cannot distinguish such records.
type sharedIDs struct {
	most   int      // limit of hashes; if there are more records, no shared ids are reported
	first  int      // number of the first record
	hashes []uint64 // hash of each id, from the first record on

	example int // a record that shares its id with an earlier one
	count   int // number of shared ids with a record in a group
}

func (s *sharedIDs) add(id []byte) {
	if s.most == 0 {
		return
	}
	if len(s.hashes) == s.most {
		s.most, s.hashes = 0, nil
		return
	}
	s.hashes = append(s.hashes, xxhash.Sum64(id))
}

// find counts the shared ids with a record in a group, and releases the hashes.
func (s *sharedIDs) find(r *Result) {
	records := map[uint64]int{}
	for i, cluster := range r.cluster {
		if record := int(r.Records.Set.ID(i)) - s.first; cluster > 0 && record >= 0 && record < len(s.hashes) {
			records[s.hashes[record]] = 0
		}
	}
	for record, hash := range s.hashes {
		n, ok := records[hash]
		if !ok {
			continue
		}
		if records[hash] = n + 1; n != 1 {
			continue
		}
		if s.count++; s.count == 1 {
			s.example = s.first + record
		}
	}
	s.hashes = nil
}

// SharedID returns an id that several records share and at least one of them is in a group, and the
// number of such ids. They make attributes ambiguous. SharedID returns none if Memory does not
// allow 8 more bytes for each record. Call NameRecords first.
func (r *Result) SharedID() (id string, n int) {
	if r.shared.count == 0 {
		return "", 0
	}
	return r.Records.IDs(r.shared.example), r.shared.count
}
