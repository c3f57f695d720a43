package corpus

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"simhashkit/internal/wholefile"
)

// manifest defines the fingerprints of a run.
type manifest struct {
	Version    int    `json:"version"`
	Definition string `json:"definition"`
}

// version is the version of the files in the folder of a run.
const version = 2

// agree writes the manifest of a new run, and refuses a run with another one. A run without
// fingerprints, such as one that ended at its first document, counts as new.
func (r *Run) agree() error {
	path := ManifestOf(r.Folder)
	want := manifest{version, r.Source.Definition()}
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return want.write(path)
	}
	if err != nil {
		return err
	}
	if err = want.check(text, path); !errors.Is(err, errOtherDefinition) {
		return err
	}
	if names, listErr := r.storedNames(); listErr != nil || len(names) > 0 {
		return cmp.Or(listErr, err)
	}
	return want.write(path)
}

// text returns the manifest as it is written.
func (want manifest) text() ([]byte, error) {
	text, err := json.MarshalIndent(want, "", "  ")
	return append(text, '\n'), err
}

func (want manifest) write(path string) error {
	text, err := want.text()
	if err != nil {
		return err
	}
	if err := makeFolderOf(path); err != nil {
		return err
	}
	return wholefile.WriteBytes(path, text)
}

// errOtherDefinition says that a manifest is valid, but defines other fingerprints.
var errOtherDefinition = errors.New("expected the same of this run")

// check returns an error unless the text, read from that path, is this manifest.
func (want manifest) check(text []byte, path string) error {
	var got manifest
	if err := json.Unmarshal(text, &got); err != nil {
		return fmt.Errorf("%s: expected the manifest of a run: %w; without this file, the same command writes it anew", path, err)
	}
	if got.Version != version {
		return fmt.Errorf("%s: version %d, expected %d: another version of this program wrote it", path, got.Version, version)
	}
	if got != want {
		return fmt.Errorf("%s: the fingerprints in this folder were made by\n  %s\n%w, which asks for\n  %s\nTake another folder, or delete %s and force the run",
			path, got.Definition, errOtherDefinition, want.Definition, filepath.Dir(path))
	}
	return nil
}
