package corpus

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"simhashkit/internal/wholefile"
)

// Sketched counts what Sketch did.
type Sketched struct {
	Files, Records int // fingerprinted by this call
	Before         int // files that already had fingerprints
}

// Sketch computes the fingerprints of all inputs that have none or have changed. Processes on
// several machines can share the work in one folder, but not while a run writes its outputs there:
// shard i, from 0, processes every shards-th input. With one shard, Sketch processes all inputs.
func (r *Run) Sketch(ctx context.Context, shard, shards int) (Sketched, error) {
	var done Sketched
	if shards < 1 || shard < 0 || shard >= shards {
		return done, fmt.Errorf("corpus: shard %d of %d, expected 1 to %d", shard+1, shards, max(shards, 1))
	}
	if err := r.refuse(); err != nil {
		return done, err
	}
	if err := r.agree(); err != nil {
		return done, err
	}
	r.known = map[string]state{}
	p := Progress{Stage: StageFingerprints}
	for i := shard; i < len(r.Inputs); i += shards {
		s, err := stateOf(r.Inputs[i].Path)
		if err != nil {
			return done, err
		}
		p.Total += s.Bytes
	}
	for i := shard; i < len(r.Inputs); i += shards {
		in := r.Inputs[i]
		r.tell(p)
		if err := context.Cause(ctx); err != nil {
			return done, err
		}
		h, err := r.headOf(in)
		if err != nil {
			return done, err
		}
		fresh, err := r.fresh(ctx, in, h)
		if err != nil {
			return done, err
		}
		if fresh {
			done.Before++
			p.Done += h.Bytes
			continue
		}
		before := p.Records
		if err := r.sketchOne(ctx, in, h, &p); err != nil {
			return done, err
		}
		p.Done += h.Bytes
		done.Files++
		done.Records += p.Records - before
	}
	r.tell(p)
	return done, nil
}

// fresh reports whether the fingerprints of an input exist and are up to date. It reads a small file
// of fingerprints to its end: it was not synced, so a system crash may have damaged it. An input
// whose state differs may still have the same content.
func (r *Run) fresh(ctx context.Context, in Input, now head) (bool, error) {
	path := r.stored(in)
	info, err := os.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	small, same, sameSize := info.Size() < wholefile.Small, false, false
	s, err := openStored(ctx, path)
	if err == nil {
		defer s.file.Close()
		same, sameSize = s.head.same(now.state) && now.identifies(), s.head.Bytes == now.Bytes
		if small || !same && sameSize {
			err = s.readAll(ctx, r.Source.Bits())
		}
	}
	if small && errors.Is(err, errDamaged) {
		r.notice("%s: its fingerprints are damaged, as a crash of the system can leave them: they are computed anew", in.Path)
		return false, nil
	}
	if err == nil && !same && sameSize && s.ending.Content != "" {
		var content string
		content, err = contentOf(ctx, in.Path)
		same = content == s.ending.Content
	}
	switch {
	case err != nil:
		return false, err
	case !same:
		r.notice("%s has changed since its fingerprints were computed: they are computed anew", in.Path)
	case !s.head.madeAs(now):
		r.notice("%s: documents may have been left out of its fingerprints, but not in this run: they are computed anew", in.Path)
	default:
		r.known[in.Name] = now.state
		return true, nil
	}
	return false, nil
}

func (r *Run) leftOut() int {
	if r.LeftOut == nil {
		return 0
	}
	return r.LeftOut()
}

// sketchOne computes and writes the fingerprints of one input.
func (r *Run) sketchOne(ctx context.Context, in Input, h head, p *Progress) error {
	path := r.stored(in)
	if err := makeFolderOf(path); err != nil {
		return err
	}
	before := r.leftOut()
	each := func() {
		if p.Records++; p.Records%512 == 0 {
			r.tell(*p)
		}
	}
	finish := func() (ending, error) {
		end := ending{LeftOut: r.leftOut() - before}
		var err error
		if end.Content, err = contentOf(ctx, in.Path); err != nil {
			return end, err
		}
		return end, h.state.check(in.Path, "it changed while it was read: run again")
	}
	err := wholefile.WriteRestorable(path, func(w io.Writer) error {
		return storeTo(w, h, r.Source.Bits(), r.Source.Records(ctx, in.Path), each, finish)
	})
	if err == nil {
		r.known[in.Name] = h.state
	}
	return err
}

// manifest defines the fingerprints of a run.
type manifest struct {
	Version    int    `json:"version"`
	Definition string `json:"definition"`
}

// version is the version of the file formats in the folder of a run.
const version = 3

// agree writes the manifest of a new run, and returns an error if there is a different manifest. A
// run without any stored fingerprints counts as new.
func (r *Run) agree() error {
	path := manifestOf(r.Folder)
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

func (want manifest) write(path string) error {
	if err := makeFolderOf(path); err != nil {
		return err
	}
	return writeJSON(path, want)
}

// errOtherDefinition is the error for a manifest of other fingerprints.
var errOtherDefinition = errors.New("expected the same of this run")

// idField matches the field of the ids in the definition of Documents.
var idField = regexp.MustCompile(` id=\S* `)

// check returns an error unless text, the content of path, is the manifest want.
func (want manifest) check(text []byte, path string) error {
	var got manifest
	if err := json.Unmarshal(text, &got); err != nil {
		return fmt.Errorf("%s: expected the manifest of a run: %w; without this file, the same command writes it anew", path, err)
	}
	if got.Version != version {
		return fmt.Errorf("%s: version %d, expected %d: another version of this program wrote it", path, got.Version, version)
	}
	if got != want {
		if idField.ReplaceAllString(want.Definition, " id= ") == got.Definition {
			return fmt.Errorf("%s: the run in this folder has no ids, and the files have ids now: %w. Ignore them with --id '', or use another folder", path, errOtherDefinition)
		}
		return fmt.Errorf("%s: the fingerprints in this folder were made by\n  %s\n%w, which has the definition\n  %s\nUse another folder, or delete %s and force the run",
			path, got.Definition, errOtherDefinition, want.Definition, filepath.Dir(path))
	}
	return nil
}
