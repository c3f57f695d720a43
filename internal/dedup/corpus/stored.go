package corpus

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"regexp"
	"strings"

	"simhashkit/internal/decompress"
)

// version is the version of the file formats in the folder of a run.
const version = 4

// head is the first line of a file of fingerprints. It identifies the input, its state, and what
// else the fingerprints depend on.
type head struct {
	Version    int    `json:"version"`
	Input      string `json:"input"`
	state             // at the time of the fingerprints
	Definition string `json:"definition"`
	KeepGoing  bool   `json:"keep_going,omitempty"` // documents may have been left out
}

// headOf returns the head for an input in its current state.
func (r *Run) headOf(in Input) (head, error) {
	now, err := stateOf(in.Path)
	return head{version, in.Name, now, r.Source.Definition(), r.LeftOut != nil}, err
}

// madeAs reports whether this run, with head now, would compute the same fingerprints as those with
// head h. If now does not allow left-out documents, h must not either.
func (h head) madeAs(now head) bool {
	return h.Definition == now.Definition && (now.KeepGoing || !h.KeepGoing)
}

// idField matches the field of the ids in the definition of Documents.
var idField = regexp.MustCompile(` id=\S* `)

// checkDefinition returns an error unless h, of a file in a folder, has the definition.
func (h head) checkDefinition(folder, definition string) error {
	switch {
	case h.Version != version:
		return fmt.Errorf("%s: version %d, expected %d: another version of this program wrote it", folder, h.Version, version)
	case h.Definition == definition:
		return nil
	case idField.ReplaceAllString(definition, " id= ") == h.Definition:
		return fmt.Errorf("%s: the run in this folder has no ids, and the files have ids now: expected the same of this run. Ignore them with --id '', or use another folder", folder)
	}
	return fmt.Errorf("%s: the fingerprints in this folder were made by\n  %s\nexpected the same of this run, which has the definition\n  %s\nUse another folder, or delete this one and force the run",
		folder, h.Definition, definition)
}

// ending is the last line of a complete file of fingerprints.
type ending struct {
	Records int `json:"records"`
	LeftOut int `json:"left_out"` // unreadable documents
}

// Each record, and the ending, begins with a byte that tells what follows. A record has one of the
// first eight values: its id, as a length and bytes, the number of its features, and its
// fingerprint if it is informative. Lengths and numbers are varints.
const (
	isNumber      = 1
	isInformative = 2
	isMadeUp      = 4
	isEnding      = 8
)

// storeTo writes the head, the records, and the ending that finish returns. It calls each after
// each record.
func storeTo(w io.Writer, h head, records iter.Seq2[Record, error], each func(), finish func() (ending, error)) error {
	encoder := json.NewEncoder(w)
	if err := encoder.Encode(h); err != nil {
		return err
	}
	var b []byte
	n := 0
	for record, err := range records {
		if err != nil {
			return err
		}
		b = appendRecord(b[:0], record)
		if _, err := w.Write(b); err != nil {
			return err
		}
		n++
		each()
	}
	end, err := finish()
	if err != nil {
		return err
	}
	end.Records = n
	if _, err := w.Write([]byte{isEnding}); err != nil {
		return err
	}
	return encoder.Encode(end)
}

// appendRecord appends the stored form of a record.
func appendRecord(b []byte, r Record) []byte {
	kind := byte(0)
	if r.Number {
		kind |= isNumber
	}
	if r.Informative {
		kind |= isInformative
	}
	if r.MadeUp {
		kind |= isMadeUp
	}
	b = binary.AppendUvarint(append(b, kind), uint64(len(r.ID)))
	b = binary.AppendUvarint(append(b, r.ID...), uint64(r.Features))
	if r.Informative {
		for _, word := range r.Fingerprint {
			b = binary.LittleEndian.AppendUint64(b, word)
		}
	}
	return b
}

// storedFile is an open file of fingerprints.
type storedFile struct {
	path   string
	file   io.ReadCloser
	r      *bufio.Reader
	head   head
	ending ending // set after the last record
	buffer []byte
}

// openStored opens a file of fingerprints and reads its head.
func openStored(ctx context.Context, path string) (*storedFile, error) {
	file, err := decompress.Open(ctx, path)
	if err != nil {
		return nil, damaged(ctx, err)
	}
	s, err := newStored(path, file)
	return s, damaged(ctx, err)
}

// newStored reads the head of an open file. If it fails, it closes the file.
func newStored(path string, file io.ReadCloser) (*storedFile, error) {
	s := &storedFile{path: path, file: file, r: bufio.NewReaderSize(file, 64<<10)}
	line, err := s.r.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &s.head)
	}
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("%s: expected a line that identifies the input: %w", path, inFile(err))
	}
	return s, nil
}

// inFile returns the error of a file that ends too early.
func inFile(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

// errDamaged marks the error of a damaged file of fingerprints.
var errDamaged = errors.New("without this file, the same command computes these fingerprints anew")

// damaged adds to an error how to continue without the file, unless the context or the system
// caused the error.
func damaged(ctx context.Context, err error) error {
	var system *fs.PathError
	if err == nil || ctx.Err() != nil || errors.As(err, &system) {
		return err
	}
	return fmt.Errorf("%w; %w", err, errDamaged)
}

// records yields the remaining records, and sets the ending. A record is valid until the next one
// is requested. A missing or additional record is an error.
func (s *storedFile) records(ctx context.Context, bits int) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		record := Record{Fingerprint: make([]uint64, (bits+63)/64)}
		for n := 0; ; n++ {
			ended, err := s.read(&record)
			if err == nil && ended {
				err = s.end(n)
			}
			if err != nil {
				yield(Record{}, damaged(ctx, fmt.Errorf("%s: record %d: %w", s.path, n+1, inFile(err))))
				return
			}
			if ended {
				return
			}
			if n%4096 == 4095 {
				err = context.Cause(ctx)
			}
			read := record
			if !read.Informative {
				read.Fingerprint = nil
			}
			if !yield(read, err) || err != nil {
				return
			}
		}
	}
}

// storedRecords yields the records of a file of fingerprints. Before the first one, it calls check
// with the file, or with nil if there is none.
func (r *Run) storedRecords(ctx context.Context, path string, check func(*storedFile) error) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		s, err := openStored(ctx, path)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			err = check(s)
		}
		if s != nil {
			defer s.file.Close()
		}
		if err != nil {
			yield(Record{}, err)
			return
		}
		for record, err := range s.records(ctx, r.Source.Bits()) {
			if !yield(record, err) {
				return
			}
		}
	}
}

// read reads the next record. ended says that the ending follows.
func (s *storedFile) read(record *Record) (ended bool, err error) {
	kind, err := s.r.ReadByte()
	if err != nil || kind == isEnding {
		return true, err
	}
	if kind > isEnding {
		return false, fmt.Errorf("expected a record, got the byte %#x", kind)
	}
	record.Number, record.Informative, record.MadeUp = kind&isNumber != 0, kind&isInformative != 0, kind&isMadeUp != 0
	length, err := binary.ReadUvarint(s.r)
	if err != nil {
		return false, err
	}
	if length > longestID {
		return false, fmt.Errorf("expected an id of at most %d bytes, got %d", longestID, length)
	}
	if uint64(len(s.buffer)) < length {
		s.buffer = make([]byte, length)
	}
	record.ID = s.buffer[:length]
	if _, err := io.ReadFull(s.r, record.ID); err != nil {
		return false, err
	}
	features, err := binary.ReadUvarint(s.r)
	record.Features = int(features)
	if err == nil && record.Informative {
		err = binary.Read(s.r, binary.LittleEndian, record.Fingerprint)
	}
	return false, err
}

// longestID is the length of the longest id in bytes.
const longestID = 1 << 30

// end reads the last line, after the given number of records.
func (s *storedFile) end(records int) error {
	line, err := io.ReadAll(io.LimitReader(s.r, 1<<10))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(bytes.TrimSuffix(line, []byte("\n")), &s.ending); err != nil {
		return fmt.Errorf("expected a last line with the number of records: %w", err)
	}
	if s.ending.Records != records {
		return fmt.Errorf("expected %d records, got %d", s.ending.Records, records)
	}
	return nil
}

// storedEnding is the extension of files of fingerprints, after the name of the input.
const storedEnding = ".fingerprints.zst"

// agree returns an error if the folder has fingerprints of another definition.
func (r *Run) agree(ctx context.Context) error {
	root := filepath.Join(r.Folder, kept)
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return ignoreMissing(err) // such as a temporary file of another process
		}
		if entry.IsDir() || !strings.HasSuffix(path, storedEnding) {
			return nil
		}
		s, err := openStored(ctx, path)
		if errors.Is(err, errDamaged) {
			return nil
		}
		if err != nil {
			return err
		}
		return cmp.Or(s.head.checkDefinition(root, r.Source.Definition()), s.file.Close(), fs.SkipAll)
	})
}
