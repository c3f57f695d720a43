package corpus

import (
	"bufio"
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

	// Copies and Stale are folders of copies, relative to the folder of the run. The copies in
	// Copies belong to this decision. Some of those in Stale belong to other decisions.
	Copies []string `json:"copies,omitempty"`
	Stale  []string `json:"stale_copies,omitempty"`
}

func (r *Run) decisionFile() string { return filepath.Join(r.Folder, kept, "decision.json") }

// droppedFile has the dropped records. For each input, it has a line with a decided, followed by a
// varint for each dropped record: the number of kept records since the previous dropped one.
func (r *Run) droppedFile() string { return filepath.Join(r.Folder, kept, "dropped.zst") }

// decided identifies the fingerprints of an input that the decision is based on.
type decided struct {
	head
	Path    string `json:"path"` // absolute path of the input
	Records int    `json:"records"`
	Dropped int    `json:"dropped"`
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
		return r.stillBegun()
	}
	before, _, err := r.run.decision()
	if err != nil {
		return err
	}
	now := decision{Version: version, Format: r.run.format().Name, Records: r.Records.Len(), Dropped: r.Dropped(), Copies: before.Copies, Stale: before.Stale}
	if now.ID = r.decisionID(); now.ID != before.ID {
		now.Copies, now.Stale = nil, append(before.Copies, before.Stale...)
	}
	now.Stale = slices.DeleteFunc(now.Stale, func(folder string) bool { return !isFolder(n.absolute(folder)) })
	if err := r.run.writeDecision(now); err != nil {
		return err
	}
	if err := wholefile.Write(r.run.droppedFile(), r.writeDropped); err != nil {
		return err
	}
	if err := r.run.removeTemp(n, append(slices.Clone(now.Copies), now.Stale...)); err != nil {
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
	release, err := r.run.hold(false)
	if err != nil {
		return err
	}
	defer release()
	n, err := r.run.notes()
	if err != nil {
		return err
	}
	if err := r.begin(n); err != nil { // in case nothing was written
		return err
	}
	for _, folder := range r.decision.Stale {
		r.run.notice("%s has copies of a run whose results differ from the attributes: write them again, or delete them", n.absolute(folder))
	}
	done := r.decision
	done.Complete = true
	if err := r.run.writeDecision(done); err != nil {
		return err
	}
	r.decision = decision{} // the next output calls begin again
	return nil
}

// stillBegun returns an error if another run has begun to write its outputs. That can happen if the
// caller has not locked the run.
func (r *Result) stillBegun() error {
	now, _, err := r.run.decision()
	if err == nil && (now.ID != r.decision.ID || now.Complete) {
		err = fmt.Errorf("corpus: %s: another run has written its outputs meanwhile: run again", r.run.Folder)
	}
	return err
}

// beginCopies is begin for a folder of copies. It also removes temporary files in that folder.
func (r *Result) beginCopies(n *notes, folder string) error {
	if err := r.begin(n); err != nil {
		return err
	}
	relative := n.relative(folder)
	known := append(slices.Clone(r.decision.Copies), r.decision.Stale...)
	if err := r.copied(relative, false); err != nil || slices.Contains(known, relative) {
		return err
	}
	return r.run.removeTemp(n, []string{relative})
}

// copied records that a folder has copies. whole says that all of them belong to this decision.
func (r *Result) copied(folder string, whole bool) error {
	is := func(other string) bool { return other == folder }
	r.decision.Copies, r.decision.Stale = slices.DeleteFunc(r.decision.Copies, is), slices.DeleteFunc(r.decision.Stale, is)
	if whole {
		r.decision.Copies = append(r.decision.Copies, folder)
	} else {
		r.decision.Stale = append(r.decision.Stale, folder)
	}
	return r.run.writeDecision(r.decision)
}

// decisionID returns a hash of everything that determines the outputs, except for their format.
func (r *Result) decisionID() string {
	hash := xxhash.New()
	var entry []byte
	fmt.Fprintf(hash, "%d %q %t %t\n", version, r.run.Source.Definition(), r.numbers, r.run.Against != nil)
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
		if r.IsDropped(position) {
			entry = append(entry, 1)
		}
		if id, ok := r.oldIDs[int(r.Records.Set.ID(r.Canonical(position)))]; ok && r.IsDropped(position) {
			entry = append(binary.AppendUvarint(entry, uint64(len(id))), id...)
		}
		_, _ = hash.Write(entry)
	}
	return fmt.Sprintf("%016x", hash.Sum64())
}

// writeDropped writes the file of dropped records.
func (r *Result) writeDropped(w io.Writer) error {
	first, position := r.oldRecords, r.positionOf(r.oldRecords)
	for i, n := range r.counts {
		d := decided{head: r.heads[i], Path: r.run.Inputs[i].Path, Records: n}
		if path, err := filepath.Abs(d.Path); err == nil {
			d.Path = path
		}
		var gaps []byte
		next := first // the record after the last dropped one
		for ; position < r.Records.Set.Len(); position++ {
			record := int(r.Records.Set.ID(position))
			if record >= first+n {
				break
			}
			if r.IsDropped(position) {
				gaps = binary.AppendUvarint(gaps, uint64(record-next))
				next = record + 1
				d.Dropped++
			}
		}
		first += n
		line, err := json.Marshal(d)
		if err == nil {
			_, err = w.Write(append(append(line, '\n'), gaps...))
		}
		if err != nil {
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

// keptRecords yields the records that the decision of a run keeps. The inputs of that run may be
// gone, but none of them may be in news, the inputs of the new run.
func (r *Run) keptRecords(ctx context.Context, news []Input) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		if err := r.eachKept(ctx, news, func(_ decided, _ uint64, record Record) bool { return yield(record, nil) }); err != nil && !errors.Is(err, errStop) {
			yield(Record{}, err)
		}
	}
}

var errStop = errors.New("no more records are asked for")

func (r *Run) eachKept(ctx context.Context, news []Input, yield func(d decided, n uint64, record Record) bool) error {
	before, err := r.complete()
	if err != nil {
		return err
	}
	type stated struct {
		state
		path string
	}
	inputs := map[stateKey][]stated{}
	for _, in := range news {
		s, err := stateOf(in.Path)
		if err != nil {
			return err
		}
		inputs[s.key()] = append(inputs[s.key()], stated{s, in.Path})
	}
	file, err := decompress.Open(ctx, r.droppedFile())
	if err != nil {
		return err
	}
	defer file.Close()
	for dropped := bufio.NewReader(file); ; {
		line, err := dropped.ReadBytes('\n')
		if errors.Is(err, io.EOF) && len(line) == 0 {
			break
		}
		var d decided
		if err == nil {
			err = json.Unmarshal(line, &d)
		}
		if err != nil {
			return r.damagedDropped(err)
		}
		for _, now := range inputs[d.key()] {
			if now.identifies() && now.same(d.state) {
				return fmt.Errorf("corpus: %s is also a document file of %s: expected others", now.path, r.Folder)
			}
		}
		if err := r.eachKeptOf(ctx, d, dropped, yield); err != nil {
			return err
		}
	}
	if after, err := r.complete(); err != nil || !bytes.Equal(before, after) {
		return errors.Join(err, r.otherDecision())
	}
	return nil
}

// rereadKept calls take with the texts of some records of keptRecords. Their numbers ascend. The
// files must be unchanged.
func (r *Run) rereadKept(ctx context.Context, texts dedup.Values[[]byte], records []uint64, take func(record uint64, text []byte) error) error {
	type part struct {
		of            decided
		numbers, kept []uint64 // record numbers in the file, and among the kept records
	}
	var parts []part
	wanted, next := records, uint64(0)
	err := r.eachKept(ctx, nil, func(d decided, n uint64, _ Record) bool {
		if next++; len(wanted) > 0 && wanted[0] == next-1 {
			if len(parts) == 0 || parts[len(parts)-1].of.Input != d.Input {
				parts = append(parts, part{of: d})
			}
			last := &parts[len(parts)-1]
			last.numbers, last.kept, wanted = append(last.numbers, n), append(last.kept, next-1), wanted[1:]
		}
		return true
	})
	if err != nil {
		return err
	}
	for _, p := range parts {
		unchanged := func() error {
			err := p.of.state.check(p.of.Path, "it has changed since "+r.Folder+" was made")
			if err != nil {
				err = fmt.Errorf("corpus: cannot compare the documents of %s with new ones: %w; give its document files in place of the folder", r.Folder, err)
			}
			return err
		}
		if err := unchanged(); err != nil {
			return err
		}
		i := 0
		err := texts.Take(ctx, p.of.Path, 0, p.numbers, nil, func(_ uint64, text []byte) error {
			i++
			return take(p.kept[i-1], text)
		})
		if err := cmp.Or(unchanged(), err); err != nil {
			return err
		}
	}
	return nil
}

// eachKeptOf yields the kept records of one input. dropped has the varints of its dropped records.
func (r *Run) eachKeptOf(ctx context.Context, d decided, dropped *bufio.Reader, yield func(d decided, n uint64, record Record) bool) error {
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
	left, next := d.Dropped, uint64(0) // next is the number of the next dropped record
	advance := func() error {
		gap, err := binary.ReadUvarint(dropped)
		if err != nil || gap >= uint64(d.Records)-next {
			return r.damagedDropped(err)
		}
		next += gap
		return nil
	}
	if left > 0 {
		if err := advance(); err != nil {
			return err
		}
	}
	n := uint64(0)
	for record, err := range s.records(ctx, r.Source.Bits()) {
		switch {
		case err != nil:
			return err
		case left == 0 || n != next:
			if !yield(d, n, record) {
				return errStop
			}
		default:
			next++
			if left--; left > 0 {
				if err := advance(); err != nil {
					return err
				}
			}
		}
		n++
	}
	if n != uint64(d.Records) || left > 0 {
		return r.otherDecision()
	}
	return nil
}

func (r *Run) damagedDropped(err error) error {
	if err == nil || errors.Is(err, io.EOF) {
		err = errors.New("got none")
	}
	return fmt.Errorf("%s: expected the dropped records of each input: %w; the same run writes this file anew", r.droppedFile(), err)
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
