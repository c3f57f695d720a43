package corpus

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"simhashkit/internal/wholefile"
)

// manifest is what all fingerprints of a run have in common.
type manifest struct {
	Version    int    `json:"version"`
	Definition string `json:"definition"`
}

// version is that of the files in the folder of a run.
const version = 1

// agree writes the manifest of a run that is new, and refuses one that was made otherwise. Where no
// fingerprints are, such as after a run that ended at its first document, the run is new.
func (r *Run) agree() error {
	path := filepath.Join(r.Folder, kept, "manifest.json")
	want := manifest{version, r.Source.Definition()}
	if err := makeFolderOf(path); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return want.write(path)
	}
	if err != nil {
		return err
	}
	var got manifest
	if err := json.Unmarshal(text, &got); err != nil {
		return fmt.Errorf("%s: expected the manifest of a run: %w; without this file, the same command writes it anew", path, err)
	}
	if got.Version != version {
		return fmt.Errorf("%s: version %d, expected %d: another version of this program wrote it", path, got.Version, version)
	}
	if got == want {
		return nil
	}
	names, err := r.storedNames()
	switch {
	case err != nil:
		return err
	case len(names) > 0:
		return fmt.Errorf("%s: the fingerprints in this folder were made by\n  %s\nexpected the same of this run, which asks for\n  %s\nTake another folder, or delete %s",
			path, got.Definition, want.Definition, filepath.Dir(path))
	}
	return want.write(path)
}

func (m manifest) write(path string) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	return wholefile.WriteBytes(path, append(text, '\n'))
}
