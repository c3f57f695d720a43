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

// decision identifies the outputs in the folder of a run: which records are kept, in which groups.
// It is incomplete from before the first output is written until after the last one. Until then,
// and after a kill, the outputs may belong to two decisions.
type decision struct {
	Version  int    `json:"version"`
	Complete bool   `json:"complete"`
	ID       string `json:"decision"` // hash of all that the outputs depend on, except their format
	Format   string `json:"format"`   // of attributes
	Records  int    `json:"records"`
	Dropped  int    `json:"dropped"`

	// Copies has folders, relative to that of the run. They contain copies of this decision, or
	// copies that partly belong to other decisions.
	Copies []string `json:"copies,omitempty"`
	Stale  []string `json:"stale_copies,omitempty"`
}

func (r *Run) decisionFile() string { return filepath.Join(r.Folder, kept, "decision.json") }

// droppedFile is the file of the dropped records of each input. It has a line with a decided and
// then, for each dropped record, the number of kept records since the previous one as a varint.
func (r *Run) droppedFile() string { return filepath.Join(r.Folder, kept, "dropped.zst") }

// decided identifies the fingerprints of an input that the decision is based on.
type decided struct {
	head
	Path    string `json:"path"` // of the input, absolute
	Records int    `json:"records"`
	Dropped int    `json:"dropped"`
}

// decision reads the decision of the folder; it is zero if there is none.
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

// writeJSON writes a value to a file, indented for people.
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

// begin marks the decision as incomplete before the first output is written. It removes
// half-written files of killed runs, and attributes in another format, which may belong to another
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

// Complete marks the outputs as complete, after the last one was written. Only then can other runs
// use this one as old documents.
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
		r.run.notice("%s has copies by a decision that is not that of the attributes: write them anew, or delete them", n.absolute(folder))
	}
	done := r.decision
	done.Complete = true
	if err := r.run.writeDecision(done); err != nil {
		return err
	}
	r.decision = decision{} // another output begins again
	return nil
}

// stillBegun returns an error if another run has begun to write its outputs, which is possible if
// the caller has not locked the run.
func (r *Result) stillBegun() error {
	now, _, err := r.run.decision()
	if err == nil && (now.ID != r.decision.ID || now.Complete) {
		err = fmt.Errorf("corpus: %s: another run has written its outputs meanwhile: run again", r.run.Folder)
	}
	return err
}

// beginCopies does what begin does for a folder of copies, and removes half-written ones.
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

// copied records that a folder has copies, all of this decision if whole is true.
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
		line, _ := json.Marshal(decided{head: h, Records: r.counts[i]}) // of text, numbers and times
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

// complete reads the decision of a run with complete outputs.
func (r *Run) complete() (text []byte, err error) {
	d, text, err := r.decision()
	if err == nil && !d.Complete {
		err = fmt.Errorf("corpus: %s: which of its documents are kept is not known, since its last run has not written all outputs: make that run again first", r.Folder)
	}
	return text, err
}

// keptRecords returns the records that the decision of a run keeps. The inputs need not exist any
// more, but must not be inputs of the new run.
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
				return fmt.Errorf("corpus: %s is among the documents of %s: expected others", now.path, r.Folder)
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

// rereadKept calls take with the texts of records of keptRecords, by ascending number. The files
// must not have changed.
func (r *Run) rereadKept(ctx context.Context, texts dedup.TextsOf, records []uint64, take func(record uint64, text []byte) error) error {
	type part struct {
		of            decided
		numbers, kept []uint64 // in the file, and among those that are kept
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
				err = fmt.Errorf("corpus: the documents of %s are to be compared with new ones: %w; name the files of its documents in its place", r.Folder, err)
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

// eachKeptOf yields the kept records of one input. dropped contains the dropped ones.
func (r *Run) eachKeptOf(ctx context.Context, d decided, dropped *bufio.Reader, yield func(d decided, n uint64, record Record) bool) error {
	s, err := openStored(ctx, r.stored(Input{Name: d.Input}))
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("corpus: %w: expected the fingerprints of a document file of %s: make that run again first", err, r.Folder)
	}
	if err != nil {
		return err
	}
	defer s.file.Close()
	if !s.head.same(d.state) || s.head.Definition != d.Definition {
		return r.otherDecision()
	}
	left, next := d.Dropped, uint64(0) // number of the next dropped record, if any are left
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
	return fmt.Errorf("corpus: %s: its fingerprints are not those that its last run has compared: make that run again first", r.Folder)
}

// removeOtherFormats removes attributes of the inputs in another format.
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
