package corpus

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"time"

	"simhashkit/fphash"
	"simhashkit/internal/decompress"
	"simhashkit/internal/filetree"
	"simhashkit/internal/tabular"
)

// head is the first line of a file of fingerprints: what they are of. An input of another size or
// time has changed.
type head struct {
	Input      string    `json:"input"`
	Bytes      int64     `json:"bytes"`
	Modified   time.Time `json:"modified"`
	Files      string    `json:"files,omitempty"` // of a folder: a hash of their names, sizes and times
	Definition string    `json:"definition"`
	KeepGoing  bool      `json:"keep_going,omitempty"` // documents may have been left out
}

// ending is the last line of a file of fingerprints from which documents were left out.
type ending struct {
	LeftOut int `json:"left_out"`
}

// headOf returns the head for an input as it is now.
func (r *Run) headOf(in Input) (head, error) {
	info, err := os.Stat(in.Path)
	if err != nil {
		return head{}, err
	}
	h := head{Input: in.Name, Bytes: info.Size(), Modified: info.ModTime().UTC(), Definition: r.Source.Definition(), KeepGoing: r.LeftOut != nil}
	if info.IsDir() {
		h.Bytes, h.Modified, h.Files, err = listing(in.Path)
	}
	return h, err
}

// listing returns the bytes of all files below a folder, the latest of their times, and a hash of
// their names, sizes and times.
func listing(folder string) (bytes int64, latest time.Time, hash string, err error) {
	paths, err := filetree.Data(context.Background(), folder, nil)
	if err != nil {
		return 0, latest, "", err
	}
	sum := sha256.New()
	for _, path := range paths {
		if filetree.Marked(path) {
			continue
		}
		info, err := os.Stat(filepath.Join(folder, filepath.FromSlash(path)))
		if err != nil {
			return 0, latest, "", err
		}
		bytes += info.Size()
		if at := info.ModTime().UTC(); at.After(latest) {
			latest = at
		}
		fmt.Fprintf(sum, "%q %d %d\n", path, info.Size(), info.ModTime().UnixNano())
	}
	return bytes, latest, hex.EncodeToString(sum.Sum(nil)[:16]), nil
}

// isOf reports whether h is of the file that now is there, in the same state, and made alike: where
// nothing may be left out, nothing was.
func (h head) isOf(now head) bool {
	return h.same(now) && (now.KeepGoing || !h.KeepGoing)
}

// same reports whether both are of the same file in the same state, and made by one definition.
func (h head) same(other head) bool {
	return h.Bytes == other.Bytes && h.Modified.Equal(other.Modified) && h.Files == other.Files && h.Definition == other.Definition
}

// storeTo writes the records behind the head, and at the end how many documents were left out.
func storeTo(w io.Writer, h head, f form, records iter.Seq2[Record, error], leftOut func() int, each func()) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return err
	}
	t := tabular.New(w, tabular.JSONLines, f.columns())
	var row []any
	var digits []byte
	hex := func(record Record, words []uint64) any {
		if !record.Informative {
			return nil
		}
		digits = fphash.AppendHex(digits[:0], words, f.bits)
		return string(digits)
	}
	for record, err := range records {
		if err != nil {
			return t.End(err)
		}
		row = append(row[:0], idValue(record.ID, record.Number), hex(record, record.Fingerprint))
		if f.masked {
			row = append(row, hex(record, record.Mask))
		}
		if err := t.Row(append(row, record.Features)...); err != nil {
			return t.End(err)
		}
		each()
	}
	if err := t.End(nil); err != nil || leftOut() == 0 {
		return err
	}
	if line, err = json.Marshal(ending{leftOut()}); err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// idValue returns an id for a table.
func idValue(id []byte, number bool) any {
	if number {
		return tabular.Raw(id)
	}
	return string(id)
}

// stored is an open file of fingerprints.
type storedFile struct {
	path    string
	file    io.ReadCloser
	scanner *bufio.Scanner
	line    int
	head    head
	leftOut int // documents, once all records are read
}

// mostLine is the longest line of such a file, in bytes: that of a very long id.
const mostLine = 1 << 30

// openStored opens the file and reads its head.
func openStored(ctx context.Context, path string) (*storedFile, error) {
	file, err := decompress.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	return newStored(path, file)
}

// newStored reads the head of a file that is open. It closes the file if there is none.
func newStored(path string, file io.ReadCloser) (*storedFile, error) {
	s := &storedFile{path: path, file: file, scanner: bufio.NewScanner(file)}
	s.scanner.Buffer(make([]byte, 0, 64<<10), mostLine)
	var err error
	switch {
	case s.scan():
		if err = json.Unmarshal(s.scanner.Bytes(), &s.head); err != nil {
			err = fmt.Errorf("expected a line that says what the fingerprints are of: %w", err)
		}
	case s.scanner.Err() != nil:
		err = s.scanner.Err()
	default:
		err = errors.New("expected a line that says what the fingerprints are of, got an empty file")
	}
	if err != nil {
		file.Close()
		return nil, s.at(err)
	}
	return s, nil
}

func (s *storedFile) scan() bool {
	s.line++
	return s.scanner.Scan()
}

func (s *storedFile) at(err error) error { return fmt.Errorf("%s:%d: %w", s.path, s.line, err) }

// damaged adds to the error of a file of fingerprints how to go on without it, unless the context
// or the system is to blame.
func damaged(ctx context.Context, err error) error {
	var system *fs.PathError
	if err == nil || ctx.Err() != nil || errors.As(err, &system) {
		return err
	}
	return fmt.Errorf("%w; without this file, the same command computes these fingerprints anew", err)
}

// records returns the records that follow. An id is valid until the next one is asked for.
func (s *storedFile) records(f form) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		for s.scan() {
			record, err := f.parseLine(s.scanner.Bytes())
			if err != nil && s.leftOut == 0 {
				var end ending
				if json.Unmarshal(s.scanner.Bytes(), &end) == nil && end.LeftOut > 0 {
					s.leftOut = end.LeftOut
					continue
				}
			}
			if err != nil {
				yield(Record{}, s.at(fmt.Errorf("expected a record with an id and %d bits: %w", f.bits, err)))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
		if err := s.scanner.Err(); err != nil {
			yield(Record{}, s.at(err))
		}
	}
}
