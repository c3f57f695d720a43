package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"simhashkit/cmd/fpbeam/pipeline"
	"simhashkit/dedup/corpus"
	"simhashkit/internal/wholefile"
)

// claim refuses to replace files that no run of fpbeam has written, unless --force is given, and
// notes beside them which ones this run writes. Addresses are not looked at.
func (f *flags) claim(inputs []pipeline.Input) error {
	if pipeline.IsAddress(f.out) {
		return nil
	}
	path := filepath.Join(f.out, "_fpbeam")
	own := map[string]bool{}
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &own)
	}
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s: expected the names of what fpbeam has written: %w", path, err)
	}
	for _, in := range inputs {
		name := corpus.AttributesOf(in.Name, f.format)
		if at := filepath.Join(f.out, filepath.FromSlash(name)); !own[name] && !f.force && wholefile.Replaces(at) {
			return fmt.Errorf("--out %s: %s is there, and no run of fpbeam has written it; --force replaces it", f.out, at)
		}
		own[name] = true
	}
	if err := os.MkdirAll(f.out, 0o777); err != nil {
		return err
	}
	if text, err = json.MarshalIndent(own, "", " "); err != nil {
		return err
	}
	return wholefile.WriteBytes(path, append(text, '\n'))
}
