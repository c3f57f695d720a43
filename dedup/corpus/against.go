package corpus

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/filetree"
)

// Old is documents of before, with which a run compares its own in place of each other.
type Old struct {
	Name    string
	Records func(ctx context.Context) iter.Seq2[Record, error]
}

// OldOf returns the documents of a run, whose fingerprints Sketch has computed, as old ones of
// another run.
func OldOf(r *Run, name string) Old {
	return Old{name, func(ctx context.Context) iter.Seq2[Record, error] {
		return func(yield func(Record, error) bool) {
			for _, in := range r.Inputs {
				for record, err := range r.read(ctx, in, nil) {
					if !yield(record, err) || err != nil {
						return
					}
				}
			}
		}
	}}
}

// IsRun reports whether runs have been made in a folder.
func IsRun(folder string) bool {
	info, err := os.Stat(ManifestOf(folder))
	return err == nil && info.Mode().IsRegular()
}

// FolderOf returns where the runs with those attributes keep their fingerprints.
func FolderOf(folder string) string { return filepath.Join(folder, kept) }

// ManifestOf returns the file that has the definition of their fingerprints.
func ManifestOf(folder string) string { return filepath.Join(FolderOf(folder), "manifest.json") }

// SettingsOf returns where they keep how their settings were chosen, if a program chose them.
func SettingsOf(folder string) string { return filepath.Join(FolderOf(folder), "settings.json") }

// Earlier returns the documents that the last run in another folder keeps, and none that it drops:
// otherwise a document could be dropped for one that has gone. That run must be complete. Its
// fingerprints must have the definition of this run, and be of other files.
func (r *Run) Earlier(folder string) (Old, error) {
	if filetree.Key(folder) == filetree.Key(r.Folder) {
		return Old{}, fmt.Errorf("corpus: %s: expected the folder of another run", folder)
	}
	text, err := os.ReadFile(ManifestOf(folder))
	if err != nil {
		return Old{}, err
	}
	err = manifest{version, r.Source.Definition()}.check(text, ManifestOf(folder))
	if errors.Is(err, errOtherDefinition) {
		err = fmt.Errorf("corpus: %s: %w, which has the definition\n  %s", folder, errOtherDefinition, r.Source.Definition())
	}
	if err != nil {
		return Old{}, err
	}
	earlier := &Run{Folder: folder, Source: r.Source}
	if _, err := earlier.complete(); err != nil {
		return Old{}, err
	}
	return Old{folder, func(ctx context.Context) iter.Seq2[Record, error] { return earlier.keptRecords(ctx, r.Inputs) }}, nil
}

// RefuseOld refuses inputs that are among old ones, since all their documents would be dropped, and
// attributes, or copies that Remove would write to a folder, if there is one, in the place of old
// ones.
func (r *Run) RefuseOld(old []Input, folder string) error {
	paths, files := map[string]bool{}, map[int64][]os.FileInfo{} // of files, by size
	for _, in := range old {
		if err := Outside(in, r.Folder); err != nil {
			return err
		}
		if folder != "" {
			if err := Outside(in, folder); err != nil {
				return err
			}
		}
		paths[filetree.Key(in.Path)] = true
		if info, err := os.Stat(in.Path); err == nil && info.Mode().IsRegular() {
			files[info.Size()] = append(files[info.Size()], info)
		}
	}
	isOld := func(path string) bool {
		info, err := os.Stat(path)
		return paths[filetree.Key(path)] ||
			err == nil && slices.ContainsFunc(files[info.Size()], func(old os.FileInfo) bool { return os.SameFile(old, info) })
	}
	for _, in := range r.Inputs {
		if isOld(in.Path) {
			return fmt.Errorf("corpus: %s is among the old documents, too: expected others", in.Path)
		}
		if out := r.Attributes(in); paths[filetree.Key(out)] {
			return fmt.Errorf("corpus: %s: expected another folder for the attributes: this has old documents", out)
		}
		if out := removed(folder, in); folder != "" && paths[filetree.Key(out)] {
			return fmt.Errorf("corpus: %s: expected another folder for what is kept: this has old documents", out)
		}
	}
	return nil
}

// leastOld is how many old records are compared at a time, at least.
const leastOld = 1 << 10

// findAgainst finds the records that are near old ones.
func (f *fingerprints) findAgainst(ctx context.Context, options dedup.Options) (*dedup.Result, error) {
	var names []string
	for _, old := range f.run.Against {
		names = append(names, old.Name)
	}
	name := strings.Join(names, " ")
	most := max(leastOld, (f.run.memory()-int64(f.records.Len())*f.each)/(f.each+besideIDs))
	return dedup.FindAgainst(ctx, f.records, name, f.oldBatches(ctx, name, int(most)), options)
}

// besideIDs is about what an id takes.
const besideIDs = 40

// oldBatches returns the old records, so many at a time.
func (f *fingerprints) oldBatches(ctx context.Context, name string, most int) iter.Seq2[*dedup.Records, error] {
	return func(yield func(*dedup.Records, error) bool) {
		empty := func() *dedup.Records {
			batch := &dedup.Records{Name: name}
			batch.Set.Bits = f.records.Set.Bits
			return batch
		}
		batch := empty()
		for _, old := range f.run.Against {
			for record, err := range old.Records(ctx) {
				if err != nil {
					yield(nil, err)
					return
				}
				id := record.ID
				if id == nil {
					id = []byte{}
				}
				batch.Add(id, record.Fingerprint, record.Informative)
				if batch.Len() == most {
					if !yield(batch, nil) {
						return
					}
					batch = empty()
				}
			}
		}
		if batch.Len() > 0 {
			yield(batch, nil)
		}
	}
}
