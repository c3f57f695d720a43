package corpus

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"
	"simhashkit/dedup"
	"simhashkit/fphash/index/join"
)

// Result says which records of a run are near-duplicates.
type Result struct {
	*dedup.Result
	run *Run

	olds       []int          // number of records of each of Against
	oldRecords int            // sum of olds; old records come before all others
	oldIDs     map[int]string // by number: ids of old records for which others are dropped

	firsts  []int    // number of the first record of each input
	counts  []int    // records of each input
	heads   []head   // of the fingerprints of each input
	leftOut []int    // documents of each input that could not be read
	cluster []uint32 // by position in the set: the number of its group from 1, 0 if it is in none
	numbers bool     // all ids are whole numbers
	shared  sharedIDs

	decision decision // as written last; zero before the first output

	LeftOut int      // documents that could not be read, now or by a run before
	Others  []string // copies that Remove found, of inputs that this run does not have
}

// Find joins the fingerprints of all inputs, which Sketch has computed. It calls explain, if it is
// not nil, before the work with how it will be done.
//
// A comparison in memory takes about 48 bytes for each fingerprint of 64 bits. If that exceeds
// Memory, fingerprints go to temporary files below Folder. Then memory is Memory, or 5 bytes for
// each record if that is more, and about 60 for each record in a group. The result is the same,
// unless Recall allows missed pairs.
func (r *Run) Find(ctx context.Context, name string, explain func(join.Plan)) (*Result, error) {
	if err := r.refuse(); err != nil {
		return nil, err
	}
	if err := r.agree(); err != nil {
		return nil, err
	}
	found := &Result{run: r, numbers: true}
	all := r.newFingerprints(name)
	defer all.close()
	records := all.records
	found.shared.most = all.mostIDs()
	for _, old := range r.Against {
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
	}
	found.oldRecords = records.Len()
	oldEmpty := records.WithoutFingerprint()
	found.shared.first = found.oldRecords
	for _, in := range r.Inputs {
		before := records.Len()
		var of fingerprinted
		for record, err := range r.read(ctx, in, &of) {
			if err != nil {
				return nil, err
			}
			if found.numbers {
				_, found.numbers = WholeNumber(record)
			}
			found.shared.add(record.ID)
			if err := all.add(record); err != nil {
				return nil, err
			}
		}
		found.firsts = append(found.firsts, before)
		found.counts = append(found.counts, records.Len()-before)
		found.heads = append(found.heads, of.head)
		found.leftOut = append(found.leftOut, of.leftOut)
		found.LeftOut += of.leftOut
	}
	if records.Len() == found.oldRecords {
		return nil, fmt.Errorf("no documents in %s", name)
	}
	options := dedup.Options{Spec: r.Spec, Old: found.oldRecords, OldEmpty: oldEmpty, Workers: r.Workers, Explain: explain}
	if r.Spec.Similarity > 0 && r.Unverified == "" {
		texts := &dedup.Texts{Spec: r.Spec, Read: found.RereadAll, Folder: filepath.Join(r.Folder, kept), Workers: r.Workers}
		defer texts.Close()
		options.Verify = texts
	}
	options.Progress = func(done float64) {
		r.tell(Progress{StageComparing, int64(1000 * done), 1000, records.Len()})
	}
	if r.Values != nil {
		options.Prefer = &dedup.Preference{Name: r.Preferred, Values: found.reread(r.Values)}
	}
	var err error
	if found.Result, err = all.find(ctx, options); err != nil {
		return nil, err
	}
	if err := found.nameOld(ctx); err != nil {
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

// nameOld stores the ids of the old records for which new records are dropped.
func (r *Result) nameOld(ctx context.Context) error {
	r.oldIDs = map[int]string{}
	last := -1
	for position := range r.Records.Set.Len() {
		if canonical := int(r.Records.Set.ID(r.Canonical(position))); r.IsDropped(position) && canonical < r.oldRecords {
			r.oldIDs[canonical] = ""
			last = max(last, canonical)
		}
	}
	n := 0
	for _, old := range r.run.Against {
		for record, err := range old.Records(ctx) {
			if err != nil {
				return err
			}
			if n > last {
				return nil
			}
			if _, ok := r.oldIDs[n]; ok {
				r.oldIDs[n] = string(record.ID)
			}
			n++
		}
	}
	return nil
}

// fingerprinted identifies the input of a file of fingerprints.
type fingerprinted struct {
	head    head
	leftOut int // documents
}

// read returns the records of an input whose fingerprints have been computed. If of is not nil, it
// sets of.head before the first record, and of.leftOut after the last one.
func (r *Run) read(ctx context.Context, in Input, of *fingerprinted) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s, err := openStored(ctx, r.stored(in))
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("%s: its fingerprints are not computed yet, expected all shards to have ended", in.Path)
		}
		if err != nil {
			yield(Record{}, err)
			return
		}
		defer s.file.Close()
		if err := r.current(in, s.head); err != nil {
			yield(Record{}, err)
			return
		}
		if of != nil {
			of.head = s.head
		}
		for record, err := range s.records(ctx, r.Source.Bits()) {
			if !yield(record, err) || err != nil {
				return
			}
		}
		if of != nil {
			of.leftOut = s.ending.LeftOut
		}
	}
}

// current returns an error if the input has changed since the fingerprints with that head were
// computed.
func (r *Run) current(in Input, h head) error {
	now, err := r.headOf(in)
	if err == nil && !(h.madeAs(now) && (h.same(now.state) || r.known[in.Name].same(now.state))) {
		err = fmt.Errorf("%s: it has changed since its fingerprints were computed: run again without a shard", in.Path)
	}
	return err
}

// Loss is the number of dropped records of an input.
type Loss struct {
	Input            Input
	Dropped, Records int
}

// Losses returns the inputs with dropped records, starting with those that lose most.
func (r *Result) Losses() []Loss {
	losses := make([]Loss, len(r.counts))
	ends := make([]int, len(r.counts)) // number of the first record behind each input
	end := r.oldRecords
	for i, n := range r.counts {
		end += n
		losses[i], ends[i] = Loss{Input: r.run.Inputs[i], Records: n}, end
	}
	input := 0
	for position := r.positionOf(r.oldRecords); position < r.Records.Set.Len(); position++ { // by rising record
		record := int(r.Records.Set.ID(position))
		for record >= ends[input] {
			input++
		}
		if r.IsDropped(position) {
			losses[input].Dropped++
		}
	}
	losses = slices.DeleteFunc(losses, func(l Loss) bool { return l.Dropped == 0 })
	slices.SortStableFunc(losses, func(a, b Loss) int { return b.Dropped - a.Dropped })
	return losses
}

// sharedIDs finds ids that several records share, which attributes cannot tell apart.
type sharedIDs struct {
	most   int      // records whose ids are hashed; with more, no shared ids are reported
	first  int      // the number of the first record
	hashes []uint64 // by record, from the first one on

	example int // a record that shares its id with an earlier one
	count   int // shared ids, one of whose records has near-duplicates
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

// find counts the ids of records in groups, and releases all others.
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

// SharedID returns an id that several records share, one of which has near-duplicates, and the
// number of such ids. They make attributes ambiguous. It finds none if Memory does not allow 8 more
// bytes for each record. NameRecords must have been called.
func (r *Result) SharedID() (id string, n int) {
	if r.shared.count == 0 {
		return "", 0
	}
	return r.Records.IDs(r.shared.example), r.shared.count
}
