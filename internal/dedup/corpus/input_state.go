package corpus

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/internal/filetree"
)

// state identifies the content of an input without reading it. A new file has another inode. A
// write updates the change time, which, unlike the modification time, cannot be set back.
type state struct {
	Bytes    int64     `json:"bytes"`
	Modified time.Time `json:"modified"`
	Changed  time.Time `json:"changed,omitzero"` // like the inode, only on systems that have it
	Inode    uint64    `json:"inode,omitempty"`
	Files    string    `json:"files,omitempty"` // hash of names and states of the files in a folder
}

// stateOf returns the current state of an input.
func stateOf(path string) (state, error) {
	info, err := os.Stat(path)
	if err != nil {
		return state{}, err
	}
	if info.IsDir() {
		return stateOfFolder(path)
	}
	s := state{Bytes: info.Size(), Modified: info.ModTime().UTC()}
	s.Changed, s.Inode, err = identityOf(path)
	return s, err
}

// stateOfFolder returns the total size of the files below a folder, their latest times, and a hash.
// A name that is not UTF-8 is an error, because it cannot be an id or be noted.
func stateOfFolder(folder string) (state, error) {
	var all state
	hash := xxhash.New()
	err := eachFile(folder, func(name, path string) error {
		if !utf8.ValidString(name) {
			return fmt.Errorf("corpus: %q: expected a file name in UTF-8, since it is the id of a document: rename the file", path)
		}
		s, err := stateOf(path)
		if err != nil {
			return err
		}
		all.Bytes += s.Bytes
		if s.Modified.After(all.Modified) {
			all.Modified = s.Modified
		}
		if s.Changed.After(all.Changed) {
			all.Changed = s.Changed
		}
		_, err = fmt.Fprintf(hash, "%q %d %d %d %d\n", name, s.Bytes, s.Modified.UnixNano(), s.Changed.UnixNano(), s.Inode)
		return err
	})
	all.Files = fmt.Sprintf("%016x", hash.Sum64())
	return all, err
}

// eachFile calls do for each document file below a folder, in the order of their names.
func eachFile(folder string, do func(name, path string) error) error {
	names, err := filetree.Files(context.Background(), folder, nil)
	if err != nil {
		return err
	}
	for _, name := range names {
		if filetree.Marked(name) {
			continue
		}
		if err := do(name, filepath.Join(folder, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	return nil
}

// identifies reports whether the state has a change time. Without one, a different file of the same
// size and modification time would have the same state.
func (s state) identifies() bool { return !s.Changed.IsZero() }

// same reports whether two states are equal.
func (s state) same(other state) bool {
	return s.Bytes == other.Bytes && s.Modified.Equal(other.Modified) && s.Changed.Equal(other.Changed) && s.Inode == other.Inode && s.Files == other.Files
}

// check returns the error wrong if the state of an input has changed.
func (s state) check(path, wrong string) error {
	now, err := stateOf(path)
	if err == nil && !now.same(s) {
		err = fmt.Errorf("%s: %s", path, wrong)
	}
	return err
}

// stateKey is equal for equal states and for links to the same file.
type stateKey struct {
	bytes, modified int64
	inode           uint64
}

func (s state) key() stateKey { return stateKey{s.Bytes, s.Modified.UnixNano(), s.Inode} }

// contentOf returns the XXH64 of the bytes of a file, or of the names and bytes of all files in a
// folder. It returns "" for an input that can be read only once, such as a pipe.
func contentOf(ctx context.Context, path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	hash := xxhash.New()
	buffer := make([]byte, 64<<10)
	switch {
	case info.IsDir():
		err = eachFile(path, func(name, path string) error {
			info, err := os.Stat(path)
			if err == nil {
				_, err = fmt.Fprintf(hash, "%q %d\n", name, info.Size())
			}
			if err == nil {
				err = copyTo(ctx, hash, path, buffer)
			}
			return err
		})
	case info.Mode().IsRegular():
		err = copyTo(ctx, hash, path, buffer)
	default:
		return "", nil
	}
	return fmt.Sprintf("%016x", hash.Sum64()), err
}

func copyTo(ctx context.Context, w io.Writer, path string, buffer []byte) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	for {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		n, err := file.Read(buffer)
		if _, err := w.Write(buffer[:n]); err != nil {
			return err
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// Watch returns a function that returns an error if a file, or a file in a folder, has changed or
// been replaced since the call of Watch.
func Watch(paths ...string) (unchanged func() error, err error) {
	before := make([]state, len(paths))
	for i, path := range paths {
		if before[i], err = stateOf(path); err != nil {
			return nil, err
		}
	}
	return func() error {
		for i, path := range paths {
			if err := before[i].check(path, "it has changed since it was read first: run again"); err != nil {
				return err
			}
		}
		return nil
	}, nil
}
