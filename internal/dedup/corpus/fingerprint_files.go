package corpus

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"simhashkit/fphash"
	"simhashkit/internal/decompress"
	"simhashkit/internal/tabular"
)

// head is the first line of a file of fingerprints. It identifies the input and its state.
type head struct {
	Input      string `json:"input"`
	state             // at the time of the fingerprints
	Definition string `json:"definition"`
	KeepGoing  bool   `json:"keep_going,omitempty"` // documents may have been left out
}

// headOf returns the head for an input in its current state.
func (r *Run) headOf(in Input) (head, error) {
	now, err := stateOf(in.Path)
	return head{Input: in.Name, state: now, Definition: r.Source.Definition(), KeepGoing: r.LeftOut != nil}, err
}

// madeAs reports whether this run, with head now, would compute the same fingerprints as those with
// head h. If now does not allow left-out documents, h must not either.
func (h head) madeAs(now head) bool {
	return h.Definition == now.Definition && (now.KeepGoing || !h.KeepGoing)
}

// ending is the last line of a complete file of fingerprints.
type ending struct {
	Records int    `json:"records"`
	LeftOut int    `json:"left_out"`          // unreadable documents
	Content string `json:"content,omitempty"` // contentOf of the input
}

// endingBegins is the prefix of an ending. No record has this prefix.
const endingBegins = `{"records":`

// storeTo writes the head, the records, and the ending that finish returns. It calls each after
// each record.
func storeTo(w io.Writer, h head, bits int, records iter.Seq2[Record, error], each func(), finish func() (ending, error)) error {
	line, err := json.Marshal(h)
	if err != nil {
		return err
	}
	if _, err := w.Write(append(line, '\n')); err != nil {
		return err
	}
	t := tabular.New(w, tabular.JSONLines, []string{"id", "fingerprint", "features"})
	var row []any
	var digits []byte
	n := 0
	for record, err := range records {
		if err != nil {
			return t.End(err)
		}
		row = append(row[:0], idValue(record.ID, record.Number), nil, record.Features)
		if record.Informative {
			digits = fphash.Fingerprint(record.Fingerprint).AppendHex(digits[:0], bits)
			row[1] = string(digits)
		}
		if err := t.Row(row...); err != nil {
			return t.End(err)
		}
		n++
		each()
	}
	if err := t.End(nil); err != nil {
		return err
	}
	end, err := finish()
	if err != nil {
		return err
	}
	end.Records = n
	if line, err = json.Marshal(end); err == nil {
		_, err = w.Write(append(line, '\n'))
	}
	return err
}

// idValue returns the id as a value for package tabular.
func idValue(id []byte, number bool) any {
	if number {
		return tabular.Raw(id)
	}
	return string(id)
}

// storedFile is an open file of fingerprints.
type storedFile struct {
	path    string
	file    io.ReadCloser
	scanner *bufio.Scanner
	line    int
	head    head
	ending  ending // set after the last record
}

// mostLine is the largest length of a line in bytes. Only a very long id needs so many.
const mostLine = 1 << 30

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
	s := &storedFile{path: path, file: file, scanner: bufio.NewScanner(file)}
	s.scanner.Buffer(make([]byte, 0, 64<<10), mostLine)
	var err error
	switch {
	case s.scan():
		if err = json.Unmarshal(s.scanner.Bytes(), &s.head); err != nil {
			err = fmt.Errorf("expected a line that identifies the input: %w", err)
		}
	case s.scanner.Err() != nil:
		err = s.scanner.Err()
	default:
		err = errors.New("expected a line that identifies the input, got an empty file")
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

// readAll reads the remaining records and the ending.
func (s *storedFile) readAll(ctx context.Context, bits int) error {
	for _, err := range s.records(ctx, bits) {
		if err != nil {
			return err
		}
	}
	return nil
}

// records yields the remaining records. An id is valid until the next record is requested. Missing
// lines are an error.
func (s *storedFile) records(ctx context.Context, bits int) iter.Seq2[Record, error] {
	return func(yield func(Record, error) bool) {
		fail := func(err error) { yield(Record{}, damaged(ctx, s.at(err))) }
		n := 0
		for s.scan() {
			if bytes.HasPrefix(s.scanner.Bytes(), []byte(endingBegins)) {
				if err := s.end(n); err != nil {
					fail(err)
				}
				return
			}
			record, err := parseLine(s.scanner.Bytes(), bits)
			if err != nil {
				fail(fmt.Errorf("expected a record with an id and %d bits: %w", bits, err))
				return
			}
			if n++; n%4096 == 0 {
				err = context.Cause(ctx)
			}
			if !yield(record, err) || err != nil {
				return
			}
		}
		err := s.scanner.Err()
		if err == nil {
			err = errors.New("expected a last line with the number of records, got the end of the file")
		}
		fail(err)
	}
}

// end parses the last line, after the given number of records.
func (s *storedFile) end(records int) error {
	if err := json.Unmarshal(s.scanner.Bytes(), &s.ending); err != nil {
		return fmt.Errorf("expected a last line with the number of records: %w", err)
	}
	if s.ending.Records != records {
		return fmt.Errorf("expected %d records, got %d", s.ending.Records, records)
	}
	if s.scan() {
		return errors.New("expected the end of the file after the number of records")
	}
	return s.scanner.Err()
}

// errLine is the error for a line that storeTo has not written.
var errLine = errors.New(`got a line other than {"id":…,"fingerprint":…,"features":…}`)

// parseLine parses a line that storeTo wrote; the JSON decoder would be several times slower. The
// id may share memory with the line. A record without features has no fingerprint.
func parseLine(line []byte, bits int) (record Record, err error) {
	line, begins := bytes.CutPrefix(line, []byte(`{"id":`))
	id, line, hasID := bytes.Cut(line, []byte(`,"fingerprint":`)) // the quotes in a string are escaped
	digits, line, hasDigits := bytes.Cut(line, []byte(`,"features":`))
	features, ends := bytes.CutSuffix(line, []byte("}"))
	if !begins || !hasID || !hasDigits || !ends {
		return record, errLine
	}
	if record.ID, record.Number, err = idOf(id); err != nil {
		return record, err
	}
	if record.Features, err = strconv.Atoi(string(features)); err != nil || !isNumber(features) {
		return record, errLine
	}
	if record.Informative = string(digits) != "null"; record.Informative {
		if digits, err = unquoted(digits); err == nil {
			record.Fingerprint, err = fphash.ParseHex(string(digits), bits)
		}
	}
	return record, err
}

// idOf returns the text of an id and whether it is a number.
func idOf(value []byte) (id []byte, number bool, err error) {
	if bytes.HasPrefix(value, []byte(`"`)) {
		id, err = unquoted(value)
		return id, false, err
	}
	if !isNumber(value) {
		return nil, false, errLine
	}
	return value, true, nil
}

// isNumber reports whether a text is a JSON number, without surrounding space.
func isNumber(text []byte) bool {
	isDigit := func(c byte) bool { return '0' <= c && c <= '9' }
	return len(text) > 0 && (isDigit(text[0]) || text[0] == '-') && isDigit(text[len(text)-1]) && json.Valid(text)
}

// unquoted returns the text of a JSON string. If it contains no escapes, the result shares memory
// with value.
func unquoted(value []byte) (text []byte, err error) {
	plain := len(value) >= 2 && value[0] == '"' && value[len(value)-1] == '"' && utf8.Valid(value)
	if plain && !bytes.ContainsFunc(value[1:len(value)-1], func(c rune) bool { return c < ' ' || c == '"' || c == '\\' }) {
		return value[1 : len(value)-1], nil
	}
	var decoded string
	err = json.Unmarshal(value, &decoded)
	return []byte(decoded), err
}

// storedEnding is the extension of files of fingerprints, after the name of the input.
const storedEnding = ".jsonl.zst"

// storedNames returns the names of all inputs that have fingerprints in the folder of the run.
func (r *Run) storedNames() (names []string, err error) {
	root := filepath.Join(r.Folder, kept)
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist): // a temporary file of another process
			return nil
		case err != nil:
			return err
		}
		if name, ok := strings.CutSuffix(path, storedEnding); ok && !entry.IsDir() {
			if name, err = filepath.Rel(root, name); err == nil {
				names = append(names, filepath.ToSlash(name))
			}
		}
		return err
	})
	return names, err
}

// byName returns the inputs by name.
func (r *Run) byName() map[string]Input {
	inputs := map[string]Input{}
	for _, in := range r.Inputs {
		inputs[in.Name] = in
	}
	return inputs
}
