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

// agree writes the manifest of a run that is new, and refuses one that was made otherwise.
func (r *Run) agree() error {
	path := filepath.Join(r.Folder, kept, "manifest.json")
	want := manifest{version, r.Source.Definition()}
	if err := makeFolderOf(path); err != nil {
		return err
	}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		if text, err = json.MarshalIndent(want, "", "  "); err != nil {
			return err
		}
		return wholefile.WriteBytes(path, append(text, '\n'))
	}
	if err != nil {
		return err
	}
	var got manifest
	if err := json.Unmarshal(text, &got); err != nil {
		return fmt.Errorf("%s: expected the manifest of a run: %w", path, err)
	}
	if got.Version != version {
		return fmt.Errorf("%s: version %d, expected %d: another version of this program wrote it", path, got.Version, version)
	}
	if got != want {
		return fmt.Errorf("%s: the fingerprints in this folder were made by\n  %s\nexpected the same of this run, which asks for\n  %s\nTake another folder, or delete %s",
			path, got.Definition, want.Definition, filepath.Dir(path))
	}
	return nil
}
