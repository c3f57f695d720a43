package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"

	"simhashkit/dedup"
	"simhashkit/internal/decompress"
	"simhashkit/internal/disk"
	"simhashkit/internal/filetree"
	"simhashkit/internal/wholefile"
)

// decisionFile says which records the last run has dropped: it has a line with a decided for each
// input. It is deleted before the first output is written, and written after the last one. So if a
// run is killed in between, and its outputs may belong to two decisions, there is no such file.
func (r *Run) decisionFile() string { return filepath.Join(r.Folder, kept, "decision.zst") }

// decided identifies the fingerprints of an input, and says which of its records are dropped.
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

// begin deletes the old decision before the first output is written. It also removes temporary
// files of killed runs, and attributes in another format.
func (r *Result) begin(n *notes) error {
	if r.begun {
		return nil
	}
	if err := removeIfThere(r.run.decisionFile()); err != nil {
		return err
	}
	// A crash of the system must not bring the decision back. Not every system can sync a folder.
	_ = disk.Real{}.SyncFolder(filepath.Dir(r.run.decisionFile()))
	if err := r.run.removeTemp(r.run.Folder, formatEndings()); err != nil {
		return err
	}
	if err := n.removeOtherFormats(); err != nil {
		return err
	}
	r.begun = true
	return nil
}

// Complete marks the outputs as complete, after the last one was written. Only a complete run can
// serve as old documents of another run.
func (r *Result) Complete() error {
	r.begun = false // the next output calls begin again
	return wholefile.Write(r.run.decisionFile(), r.writeDecision)
}

func (r *Result) writeDecision(w io.Writer) error {
	encoder := json.NewEncoder(w)
	for i, p := range r.news {
		path, err := filepath.Abs(p.input.Path)
		if err != nil {
			return err
		}
		d := decided{p.head, path, p.n, make([]byte, (p.n+7)/8)}
		for _, record := range r.droppedOf(i) {
			d.Dropped[record/8] |= 1 << (record % 8)
		}
		if err := encoder.Encode(d); err != nil {
			return err
		}
	}
	return nil
}

// decision returns what the last run in the folder has dropped. It fails if that run is not
// complete.
func (r *Run) decision() (inputs []*decided, err error) {
	file, err := decompress.Open(context.Background(), r.decisionFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("corpus: %s: its last run has not written all outputs, so its kept documents are not known: repeat that run first", r.Folder)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	for decoder := json.NewDecoder(file); ; {
		d := new(decided)
		err := decoder.Decode(d)
		if err == io.EOF {
			return inputs, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: expected the dropped records of each input: %w; the same run writes this file anew", r.decisionFile(), err)
		}
		if d.Version != version || d.Definition != r.Source.Definition() {
			return nil, fmt.Errorf("corpus: %s: expected the same of this run, which has the definition\n  %s", r.Folder, r.Source.Definition())
		}
		inputs = append(inputs, d)
	}
}

// Old holds the documents of an earlier run, or of an index. New documents that are similar to one
// of them are dropped.
type Old struct {
	Name    string // a folder or a file
	Records func(ctx context.Context) iter.Seq2[Record, error]
	Read    dedup.Reread[[]byte] // rereads their texts, numbered in the order of Records; nil: none
}

// IsRun reports whether a folder is the folder of a run.
func IsRun(folder string) bool { return IsFolder(filepath.Join(folder, kept)) }

// Earlier returns the documents that the last run in another folder kept. Dropped documents are not
// included, because a new document must not be dropped for a document that is gone. The other run
// must be complete, and have the same definition and other input files.
func (r *Run) Earlier(folder string) (Old, error) {
	if filetree.Key(folder) == filetree.Key(r.Folder) {
		return Old{}, fmt.Errorf("corpus: %s: expected the folder of another run", folder)
	}
	earlier := &Run{Folder: folder, Source: r.Source}
	decision, err := earlier.decision()
	if err != nil {
		return Old{}, err
	}
	olds := map[state]bool{}
	for _, d := range decision {
		olds[d.state] = d.Changed != 0
	}
	for _, in := range r.Inputs {
		s, err := stateOf(in.Path)
		if err != nil {
			return Old{}, err
		}
		if olds[s] {
			return Old{}, fmt.Errorf("corpus: %s is also a document file of %s: expected others", in.Path, folder)
		}
	}
	return Old{
		Name:    folder,
		Records: func(ctx context.Context) iter.Seq2[Record, error] { return earlier.keptRecords(ctx, decision) },
		Read: func(ctx context.Context, records []uint64, take func(uint64, []byte) error) error {
			return earlier.rereadKept(ctx, decision, r.Texts, records, take)
		},
	}, nil
}

// keptRecords yields the records that a decision keeps. The inputs of that run may be gone.
func (r *Run) keptRecords(ctx context.Context, decision []*decided) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for _, d := range decision {
			n := 0
			stored := r.storedRecords(ctx, r.stored(Input{Name: d.Input}), func(s *storedFile) error {
				if s == nil || s.head != d.head {
					return r.otherDecision()
				}
				return nil
			})
			for record, err := range withNames(stored, d.Input) {
				if err != nil {
					yield(record, err)
					return
				}
				if !d.drops(n) && !yield(record, nil) {
					return
				}
				n++
			}
			if n != d.Records {
				yield(Record{}, r.otherDecision())
				return
			}
		}
	}
}

// rereadKept calls take with the texts of some records of keptRecords. Their numbers ascend. The
// files must be unchanged.
func (r *Run) rereadKept(ctx context.Context, decision []*decided, texts Values[[]byte], records []uint64, take func(record uint64, text []byte) error) error {
	next := uint64(0) // number of the next kept record
	for _, d := range decision {
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
			continue
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
		err := texts.Take(ctx, d.Path, d.Path, numbers, nil, func(_ uint64, text []byte) error {
			record := wanted[0]
			wanted = wanted[1:]
			return take(record, text)
		})
		if err := cmp.Or(unchanged(), err); err != nil {
			return err
		}
	}
	return nil
}

func (r *Run) otherDecision() error {
	return fmt.Errorf("corpus: %s: its fingerprints have changed since its last run compared them: repeat that run first", r.Folder)
}
