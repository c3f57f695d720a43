// Package corpus deduplicates the documents of many files, in a run that can be killed at any time
// and resumed. The command fphash dedup --run uses it.
//
// A run has a folder, which holds the fingerprints of each input file. Each file of fingerprints is
// written as a whole or not at all, so a resumed run computes only the missing ones. A run with
// more files or another k also reuses them. They record what they depend on, and a run with another
// definition is an error. When all inputs have fingerprints, the run joins them and writes a file
// of attributes for each input. The attributes say which records are near-duplicates and which of
// them to keep.
//
//	attributes/fphash-run/a.jsonl.fingerprints.zst  fingerprints of the input a.jsonl
//	attributes/fphash-run/decision.zst   the dropped records, if the outputs are complete
//	attributes/fphash-run/written.log    the files that runs have written elsewhere
//	attributes/fphash-run/lock           locked by the active run
//	attributes/a.jsonl                   id, fingerprint, cluster_id, is_canonical of records
//
// Fingerprints are reused for an input with the same size, times and inode. Each record is kept,
// dropped or left out exactly once. An input that changes during the run is an error, and so is a
// file of fingerprints that has lost records.
//
// The output depends only on inputs and options, not on interruptions or on the number of
// processes.
package corpus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gofrs/flock"
	"golang.org/x/sync/semaphore"

	"simhashkit/dedup"
	"simhashkit/internal/docsketch"
	"simhashkit/internal/scratch"
)

// Record is the id and fingerprint of a document.
type Record = docsketch.Record

// Source computes the fingerprints of documents.
type Source interface {
	// Definition identifies everything that fingerprints depend on except the documents: the field
	// of the text, its features, weights and hash.
	Definition() string
	Hash() string // the definition of the hash alone, as in index.Set
	Bits() int    // width of a fingerprint

	// Records yields the records of a file in order. If a document cannot be read, it yields an
	// error and ends.
	Records(ctx context.Context, path string) iter.Seq2[Record, error]
}

// Run deduplicates the documents of a set of files.
type Run struct {
	Folder string // for all output; created if necessary
	Inputs []Input
	Source Source

	// Spec defines near-duplicates. If it has a similarity, it requires Texts, which verify
	// candidates.
	Spec dedup.Spec

	// Against and OldFiles have old documents: those of earlier runs and of indexes, those without
	// texts last, and those of files, whose fingerprints the run keeps, too. New documents are
	// dropped if they are similar to an old one, or to a kept new one. OldName describes the old
	// documents in the summary.
	Against  []Old
	OldFiles []Input
	OldName  string

	// Values reads values from the documents of a file: the record with the largest value of each
	// group is kept. Preferred describes it in messages. If Values is
	// nil, the first record is kept.
	Values    Values[[]byte]
	Preferred string

	Workers int   // goroutines of the join, and inputs written at a time; 0 is GOMAXPROCS
	Memory  int64 // approximate limit in bytes for each stage; 0 is DefaultMemory

	Format     string // of attributes; "" is the first of Formats
	Duplicates bool   // write only the attributes of records with near-duplicates

	// Show returns the examples of dropped texts that Result.WriteExamples shows; may be nil.
	Show func(*dedup.Result) []dedup.Example

	// Force allows a run to replace files that no run in this folder wrote.
	Force bool
	// Texts reads the documents of a file again, except those that were left out. Verification and
	// Result.Reread use it; may be nil.
	Texts Values[[]byte]

	// LeftOut returns how many unreadable documents Source has left out so far; nil if unreadable
	// documents are errors. The fingerprints store the number for later runs. A run with a nil
	// LeftOut recomputes fingerprints that lack documents.
	LeftOut func() int

	// Progress is called periodically, by one goroutine at a time; may be nil.
	Progress func(dedup.Progress)

	// Notice is called with messages that are not errors, such as that an input has changed; may be
	// nil.
	Notice func(text string)

	lock *flock.Flock // of Lock
}

// kept is the subfolder of the run's folder that holds its state.
const kept = "fphash-run"

func (r *Run) format() string { return cmp.Or(r.Format, Formats()[0]) }

// against is the subfolder of the run's folder that holds the fingerprints of OldFiles.
const against = "fphash-against"

// stored returns the path of the fingerprints of an input.
func (r *Run) stored(in Input) string {
	folder := kept
	if in.Old {
		folder = against
	}
	return filepath.Join(r.Folder, folder, filepath.FromSlash(in.Name)+storedEnding)
}

// Attributes returns the path of the attributes of an input: the name of the input with the
// extension of the format.
func (r *Run) Attributes(in Input) string {
	ending := "." + r.format()
	return filepath.Join(r.Folder, filepath.FromSlash(strings.TrimSuffix(in.Name, ending)+ending))
}

func (r *Run) notice(format string, values ...any) {
	if r.Notice != nil {
		r.Notice(fmt.Sprintf(format, values...))
	}
}

// Do runs all stages: it computes missing fingerprints, and writes the attributes and, if copies is
// not "", copies below this folder. name is that of Find. Do fails before it reads a document if
// an output would replace a file of the user.
func (r *Run) Do(ctx context.Context, name, copies string, copy Copier) (*Result, error) {
	if copies != "" {
		if err := r.Removable(copies); err != nil {
			return nil, fmt.Errorf("--remove: %w", err)
		}
	}
	if err := r.Lock(); err != nil {
		return nil, err
	}
	defer func() { _ = r.Unlock() }()
	if err := r.Sketch(ctx); err != nil {
		return nil, err
	}
	found, err := r.Find(ctx, name)
	if err == nil {
		err = found.WriteAttributes(ctx)
	}
	if err == nil && copies != "" {
		err = found.Remove(ctx, copies, copy)
	}
	if err == nil {
		err = found.Complete()
	}
	return found, err
}

// refuse returns an error if the run is invalid.
func (r *Run) refuse() error {
	if len(r.Inputs) == 0 {
		return errors.New("corpus: no inputs")
	}
	if err := r.refuseOutputs(""); err != nil {
		return err
	}
	n, err := r.notes()
	if err != nil {
		return err
	}
	return r.refuseReplaced(n, "")
}

// The memory that an input needs while it is written, about. A large one needs a row group of the
// Parquet file that is read, and one of the file that is written. Small inputs mostly wait for the
// disk, so more of them are written at once.
const (
	largeInput = 256 << 20
	smallInput = 8 << 20
	small      = 64 << 10 // bytes of a small file
)

// eachInput calls do with the index of each input, several at a time: as many large ones as Workers
// and Memory allow. After an error or the end of the context, it starts no more calls. If several
// calls fail, it returns the error of the first of these inputs.
func (r *Result) eachInput(ctx context.Context, do func(i int) error) error {
	errs := make([]error, len(r.news))
	room := min(r.run.memory(), int64(cmp.Or(r.run.Workers, runtime.GOMAXPROCS(0)))*largeInput)
	slots := semaphore.NewWeighted(room)
	var failed atomic.Bool
	var all sync.WaitGroup
	for i, p := range r.news {
		needs := int64(smallInput)
		if p.head.Bytes > small {
			needs = largeInput
		}
		needs = min(needs, room)
		if slots.Acquire(ctx, needs) != nil || failed.Load() {
			break
		}
		all.Go(func() { // even if a later input fails first
			defer slots.Release(needs)
			if errs[i] = do(i); errs[i] != nil {
				failed.Store(true)
			}
		})
	}
	all.Wait()
	return cmp.Or(append(errs, context.Cause(ctx))...)
}

// count is the progress of a stage, which may process several inputs at a time.
type count struct {
	run         *Run
	step        string
	mutex       sync.Mutex
	done, total int64 // bytes of input files
	records     int
}

func (r *Result) newCount(step string, parts []part) *count {
	c := &count{run: r.run, step: step}
	for _, p := range parts {
		c.total += p.head.Bytes
	}
	return c
}

// add adds finished records, and the bytes of a finished input.
func (c *count) add(records int, bytes int64) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.records += records
	c.done += bytes
	if c.run.Progress != nil {
		c.run.Progress(dedup.Progress{Step: c.step, Done: float64(c.done) / float64(max(c.total, 1)), Count: c.records, Unit: "documents"})
	}
}

// lockFile is the name of the lock file in the folder kept.
const lockFile = "lock"

// Lock gives this run the use of its folder until Unlock, so that two runs at once cannot write the
// outputs of two decisions. Call it before all stages. If another run has it, Lock returns an error
// immediately.
func (r *Run) Lock() error {
	if err := r.refuseOutputs(""); err != nil { // before a file is created in the folder
		return err
	}
	folder := filepath.Join(r.Folder, kept)
	path := filepath.Join(folder, lockFile)
	if err := makeFolderOf(path); err != nil {
		return err
	}
	lock := flock.New(path, flock.SetPermissions(0o666))
	switch locked, err := lock.TryLock(); {
	case err != nil:
		return fmt.Errorf("corpus: expected a folder whose files can be locked: %w", err)
	case !locked:
		return fmt.Errorf("corpus: %s: another run is using this folder: wait until it ends, or use another folder", r.Folder)
	}
	r.lock = lock
	if err := errors.Join(removeTempBelow(folder), removeTempBelow(filepath.Join(r.Folder, against)), scratch.RemoveIn(folder)); err != nil {
		return errors.Join(err, r.Unlock())
	}
	return nil
}

// Unlock releases the lock.
func (r *Run) Unlock() error { return r.lock.Unlock() }
