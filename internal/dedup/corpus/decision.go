package corpus

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/cespare/xxhash/v2"

	"simhashkit/dedup"
	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
	"simhashkit/internal/wholefile"
)

// decision identifies the outputs in the folder of a run: their groups and kept records. It is
// incomplete from before the first output is written until after the last one. If the run is killed
// in between, the outputs may belong to two decisions.
type decision struct {
	Version  int    `json:"version"`
	Complete bool   `json:"complete"`
	ID       string `json:"decision"` // decisionID
	Format   string `json:"format"`   // of attributes
	Records  int    `json:"records"`
	Dropped  int    `json:"dropped"`

	// Copies has the folders of copies, relative to the folder of the run, and whether all of their
	// copies belong to this decision.
	Copies map[string]bool `json:"copies,omitempty"`
}

func (r *Run) decisionFile() string { return filepath.Join(r.Folder, kept, "decision.json") }

// droppedFile has the dropped records: a line with a decided for each input.
func (r *Run) droppedFile() string { return filepath.Join(r.Folder, kept, "dropped.zst") }

// decided identifies the fingerprints of an input that the decision is based on.
type decided struct {
	head
	Path    string `json:"path"` // absolute path of the input
	Records int    `json:"records"`
	Dropped []byte `json:"dropped"` // a bit for each record, the lowest of a byte first
}

// drops reports whether the record with this number, from 0, is dropped.
func (d *decided) drops(record int) bool {
	return record/8 < len(d.Dropped) && d.Dropped[record/8]>>(record%8)&1 == 1
}

// decision reads the decision in the folder of the run; it is zero if there is none.
func (r *Run) decision() (d decision, text []byte, err error) {
	if text, err = os.ReadFile(r.decisionFile()); err != nil {
		return d, nil, ignoreMissing(err)
	}
	if err = json.Unmarshal(text, &d); err != nil {
		err = fmt.Errorf("%s: expected the decision of a run: %w; without this file, the same command writes it anew", r.decisionFile(), err)
	}
	return d, text, err
}

func (r *Run) writeDecision(d decision) error { return writeJSON(r.decisionFile(), d) }

// writeJSON writes a value to a file as indented JSON.
func writeJSON(path string, value any) error {
	text, err := indented(value)
	if err != nil {
		return err
	}
	return wholefile.WriteBytes(path, text)
}

func indented(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return append(text, '\n'), err
}

// begin marks the decision as incomplete before the first output is written. It removes temporary
// files of killed runs, and attributes in another format, since these may belong to another
// decision.
func (r *Result) begin(n *notes) error {
	if r.decision.ID != "" {
		return nil
	}
	before, _, err := r.run.decision()
	if err != nil {
		return err
	}
	now := decision{Version: version, Format: r.run.format().Name, Records: r.Records.Len(), Dropped: r.Dropped(), Copies: before.Copies}
	if now.ID = r.decisionID(); now.ID != before.ID {
		for folder := range now.Copies {
			now.Copies[folder] = false
		}
	}
	maps.DeleteFunc(now.Copies, func(folder string, whole bool) bool { return !whole && !isFolder(n.absolute(folder)) })
	if err := r.run.writeDecision(now); err != nil {
		return err
	}
	if err := wholefile.Write(r.run.droppedFile(), r.writeDropped); err != nil {
		return err
	}
	if err := r.run.removeTemp(n, slices.Collect(maps.Keys(now.Copies))); err != nil {
		return err
	}
	if err := n.removeOtherFormats(); err != nil {
		return err
	}
	r.decision = now
	return nil
}

// Complete marks the outputs as complete, after the last one was written. Only a complete run can
// serve as old documents of another run.
func (r *Result) Complete() error {
	n, err := r.run.notes()
	if err != nil {
		return err
	}
	if err := r.begin(n); err != nil { // in case nothing was written
		return err
	}
	for _, folder := range slices.Sorted(maps.Keys(r.decision.Copies)) {
		if !r.decision.Copies[folder] {
			r.run.notice("%s has copies of a run whose results differ from the attributes: write them again, or delete them", n.absolute(folder))
		}
	}
	done := r.decision
	done.Complete = true
	if err := r.run.writeDecision(done); err != nil {
		return err
	}
	r.decision = decision{} // the next output calls begin again
	return nil
}

// beginCopies is begin for a folder of copies. It also removes temporary files in that folder.
func (r *Result) beginCopies(n *notes, folder string) error {
	if err := r.begin(n); err != nil {
		return err
	}
	relative := n.relative(folder)
	_, known := r.decision.Copies[relative]
	if err := r.copied(relative, false); err != nil || known {
		return err
	}
	return r.run.removeTemp(n, []string{relative})
}

// copied records that a folder has copies. whole says that all of them belong to this decision.
func (r *Result) copied(folder string, whole bool) error {
	if r.decision.Copies == nil {
		r.decision.Copies = map[string]bool{}
	}
	r.decision.Copies[folder] = whole
	return r.run.writeDecision(r.decision)
}

// decisionID returns a hash of everything that determines the outputs, except for their format.
func (r *Result) decisionID() string {
	hash := xxhash.New()
	var entry []byte
	fmt.Fprintf(hash, "%d %q %t %t %t\n", version, r.run.Source.Definition(), r.numbers, r.run.Against != nil, r.Verify != nil)
	for i, h := range r.heads {
		line, _ := json.Marshal(decided{head: h, Records: r.counts[i]}) // cannot fail
		_, _ = hash.Write(line)
	}
	for position := range r.Records.Set.Len() {
		if r.cluster[position] == 0 && !r.IsDropped(position) {
			continue // a comparison on disk omits such records
		}
		entry = binary.AppendUvarint(entry[:0], r.Records.Set.ID(position))
		entry = binary.AppendUvarint(entry, uint64(r.cluster[position]))
		// This byte tells what follows, so that different entries never form the same bytes.
		switch kept := r.canonicalOf(position); {
		case !r.IsDropped(position):
			entry = append(entry, 0)
		case kept >= r.oldRecords:
			entry = append(entry, 1)
		default:
			id, _, _ := r.keptIDs.of(kept)
			entry = append(binary.AppendUvarint(append(entry, 2), uint64(len(id))), id...)
		}
		if similarity, ok := r.SimilarityAt(position); ok && r.IsDropped(position) {
			entry = binary.LittleEndian.AppendUint32(entry, math.Float32bits(similarity))
		}
		_, _ = hash.Write(entry)
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// writeDropped writes the file of dropped records.
func (r *Result) writeDropped(w io.Writer) error {
	encoder := json.NewEncoder(w)
	for i, n := range r.counts {
		path, err := filepath.Abs(r.run.Inputs[i].Path)
		if err != nil {
			return err
		}
		d := decided{r.heads[i], path, n, make([]byte, (n+7)/8)}
		for _, record := range r.droppedOf(i) {
			d.Dropped[record/8] |= 1 << (record % 8)
		}
		if err := encoder.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// complete returns the decision of the run, or an error if its outputs are not complete.
func (r *Run) complete() (text []byte, err error) {
	d, text, err := r.decision()
	if err == nil && !d.Complete {
		err = fmt.Errorf("corpus: %s: its last run has not written all outputs, so its kept documents are not known: repeat that run first", r.Folder)
	}
	return text, err
}

// eachDecided calls do for each input of the decision.
func (r *Run) eachDecided(ctx context.Context, do func(d *decided) error) error {
	before, err := r.complete()
	if err != nil {
		return err
	}
	file, err := decompress.Open(ctx, r.droppedFile())
	if err != nil {
		return err
	}
	defer file.Close()
	for decoder := json.NewDecoder(file); ; {
		var d decided
		if err := decoder.Decode(&d); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return fmt.Errorf("%s: expected the dropped records of each input: %w; the same run writes this file anew", r.droppedFile(), err)
		}
		if err := do(&d); err != nil {
			return err
		}
	}
	if after, err := r.complete(); err != nil || !bytes.Equal(before, after) {
		return errors.Join(err, r.otherDecision())
	}
	return nil
}

// errStop ends eachDecided when no more records are needed.
var errStop = errors.New("no more records are asked for")

// keptRecords yields the records that the decision of a run keeps. The inputs of that run may be
// gone, but none of them may be in news, the inputs of the new run.
func (r *Run) keptRecords(ctx context.Context, news []Input) iter.Seq2[Record, error] {
	type stated struct {
		state
		path string
	}
	return func(yield func(Record, error) bool) {
		inputs := map[stateKey][]stated{}
		for _, in := range news {
			s, err := stateOf(in.Path)
			if err != nil {
				yield(Record{}, err)
				return
			}
			inputs[s.key()] = append(inputs[s.key()], stated{s, in.Path})
		}
		err := r.eachDecided(ctx, func(d *decided) error {
			for _, now := range inputs[d.key()] {
				if now.identifies() && now.same(d.state) {
					return fmt.Errorf("corpus: %s is also a document file of %s: expected others", now.path, r.Folder)
				}
			}
			return r.eachKept(ctx, d, yield)
		})
		if err != nil && !errors.Is(err, errStop) {
			yield(Record{}, err)
		}
	}
}

// eachKept yields the kept records of one input.
func (r *Run) eachKept(ctx context.Context, d *decided, yield func(Record, error) bool) error {
	s, err := openStored(ctx, r.stored(Input{Name: d.Input}))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("corpus: %w: expected the fingerprints of a document file of %s: repeat that run first", err, r.Folder)
	}
	if err != nil {
		return err
	}
	defer s.file.Close()
	if !s.head.same(d.state) || s.head.Definition != d.Definition {
		return r.otherDecision()
	}
	n := 0
	for record, err := range r.withNames(s.records(ctx, r.Source.Bits()), d.Input) {
		if err != nil {
			return err
		}
		if !d.drops(n) && !yield(record, nil) {
			return errStop
		}
		n++
	}
	if n != d.Records {
		return r.otherDecision()
	}
	return nil
}

// rereadKept calls take with the texts of some records of keptRecords. Their numbers ascend. The
// files must be unchanged.
func (r *Run) rereadKept(ctx context.Context, texts dedup.Values[[]byte], records []uint64, take func(record uint64, text []byte) error) error {
	next := uint64(0) // number of the next kept record
	return r.eachDecided(ctx, func(d *decided) error {
		var numbers []uint64 // of the wanted records in the file
		wanted := records
		for n := range d.Records {
			if d.drops(n) {
				continue
			}
			if len(records) > 0 && records[0] == next {
				numbers, records = append(numbers, uint64(n)), records[1:]
			}
			next++
		}
		if len(numbers) == 0 {
			return nil
		}
		unchanged := func() error {
			err := d.check(d.Path, "it has changed since "+r.Folder+" was made")
			if err != nil {
				err = fmt.Errorf("corpus: cannot compare the documents of %s with new ones: %w; give its document files in place of the folder", r.Folder, err)
			}
			return err
		}
		if err := unchanged(); err != nil {
			return err
		}
		err := texts.Take(ctx, d.Path, 0, numbers, nil, func(_ uint64, text []byte) error {
			record := wanted[0]
			wanted = wanted[1:]
			return take(record, text)
		})
		return cmp.Or(unchanged(), err)
	})
}

func (r *Run) otherDecision() error {
	return fmt.Errorf("corpus: %s: its fingerprints have changed since its last run compared them: repeat that run first", r.Folder)
}

// removeOtherFormats removes the attributes of the inputs in other formats.
func (n *notes) removeOtherFormats() error {
	var at filetree.Paths
	now, stays := n.run.byName(), map[string]bool{}
	for _, in := range n.run.Inputs {
		stays[n.key(n.run.Attributes(in))], stays[at.Key(in.Path)] = true, true
	}
	folder := n.real(n.run.Folder)
	for path := range n.files {
		if one, ours := n.ours(path); ours && !stays[path] && n.real(n.absolute(one.Folder)) == folder {
			if _, ok := now[one.Input]; ok {
				if err := removeIfThere(path); err != nil {
					return err
				}
			}
		}
	}
	return nil
}
