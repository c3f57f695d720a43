package source

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/datasets"
	"simhashkit/datasets/documents"
	"simhashkit/internal/columnar"
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/corpus"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/docformat"
	"simhashkit/internal/scratch"
)

// detectedBytes is the number of bytes at the start of a file from which its kind is detected.
const detectedBytes = 256 << 10

// detect sets Detected.
func (s *Source) detect(ctx context.Context) error {
	if s.hints.Fingerprints {
		s.Detected = Detected{Kind: Fingerprints}
		return nil
	}
	s.Detected = Detected{Kind: Texts, Text: s.hints.Text, ID: s.hints.ID}
	if !s.hints.withoutFields() {
		d, err := s.detected(ctx)
		if err != nil {
			return err
		}
		if d.Kind == Texts || !s.hints.Texts {
			s.Detected = d
		}
	}
	if s.Kind == Texts {
		s.Units, s.Code = s.units(), s.isCode()
	}
	return nil
}

// withoutFields reports whether the format is one without fields.
func (h *Hints) withoutFields() bool {
	return slices.Contains([]string{docformat.Lines, docformat.Files, docformat.Tar}, h.Format)
}

func (s *Source) detected(ctx context.Context) (Detected, error) {
	if s.stream != nil {
		stream, err := decompress.NewReader(ctx, s.stream)
		if err != nil {
			return Detected{}, fmt.Errorf("%s: %w", standardInput, err)
		}
		buffered := bufio.NewReaderSize(stream, detectedBytes)
		s.stream = buffered
		return s.hints.detectStart(ctx, "", buffered)
	}
	if path := s.paths[0]; len(s.paths) == 1 && !strings.ContainsAny(path, "*?[") && !corpus.IsFolder(path) {
		file, err := decompress.Open(ctx, path)
		if err != nil {
			return Detected{}, err
		}
		s.opened = &openedFile{bufio.NewReaderSize(file, detectedBytes), file}
		if fingerprints.Sniff(s.opened.Reader) == fingerprints.Parquet { // it is not read as a stream
			defer s.closeOpened()
		}
		return s.hints.detectStart(ctx, path, s.opened.Reader)
	}
	if err := s.refuseOthers(ctx); err != nil {
		return Detected{}, err
	}
	return s.hints.detectFields(ctx, s.paths)
}

// openedFile is a file from which the kind of the records was detected. It is read from the start.
type openedFile struct {
	*bufio.Reader
	io.Closer
}

// takeOpened returns the file from which the kind was detected, once, or nil.
func (s *Source) takeOpened() *openedFile {
	file := s.opened
	s.opened = nil
	return file
}

func (s *Source) closeOpened() {
	if file := s.takeOpened(); file != nil {
		_ = file.Close() // it was only read
	}
}

// refuseOthers refuses several files unless they have texts.
func (s *Source) refuseOthers(ctx context.Context) error {
	if s.hints.Texts || len(foldersOf(s.paths[0])) > 0 || slices.ContainsFunc(s.paths, ReadOnce) {
		return nil
	}
	files, err := documents.Expand(s.paths)
	if err != nil {
		return err
	}
	d, _, err := s.hints.detectFile(ctx, files[0])
	if err != nil {
		return err
	}
	for _, file := range s.paths {
		if kind, ok := s.hints.kindOf(ctx, file); ok && kind != d.Kind {
			return fmt.Errorf("%s has %s and %s has %s: give files of one kind", file, kind, files[0], d.Kind)
		}
	}
	if d.Kind != Texts {
		err = fmt.Errorf("%s contains %s: expected a single file of %s (cat joins several), or files of texts", files[0], d.Kind, d.Kind)
	}
	return err
}

// kindOf returns the kind of one of several files. ok is false for folders, patterns, formats of
// texts, empty files and errors, which reading the file reports.
func (h Hints) kindOf(ctx context.Context, path string) (kind Kind, ok bool) {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || docformat.HasRecords(path) {
		return 0, false
	}
	d, blank, err := h.detectFile(ctx, path)
	return d.Kind, err == nil && !blank
}

// detectFields detects the field of the text in the first file with records, and that of the id in
// the first file with ids. In a folder that also has other files, each file is a document, unless
// the hints name a format with fields.
func (h Hints) detectFields(ctx context.Context, paths []string) (Detected, error) {
	all := Detected{Kind: Texts, Text: h.Text, ID: h.ID}
	files, err := documents.Expand(paths)
	if err != nil {
		return all, err
	}
	hasFields := func(file string) bool {
		return h.Format != "" && h.Format != docformat.Auto || docformat.HasRecords(file)
	}
	if len(foldersOf(paths[0])) > 0 && slices.ContainsFunc(files, func(file string) bool { return !hasFields(file) }) {
		return all, nil
	}
	first := true
	for _, file := range files {
		if !hasFields(file) {
			continue
		}
		d, blank, err := h.detectFile(ctx, file)
		switch {
		case blank:
			continue
		case err != nil && first:
			return all, err
		case err != nil: // reading later files reports their errors
			continue
		case first:
			all.Text, all.TextFrom = d.Text, d.TextFrom
			h.Text = d.Text
		}
		first = false
		if all.ID = d.ID; all.ID != "" || h.NoID {
			break
		}
	}
	return all, nil
}

// detectFile detects the kind and the fields of a file, and reports whether it has no records.
func (h Hints) detectFile(ctx context.Context, path string) (d Detected, blank bool, err error) {
	stream, err := decompress.Open(ctx, path)
	if err != nil {
		return d, false, err
	}
	defer stream.Close()
	r := bufio.NewReaderSize(stream, detectedBytes)
	start, err := r.Peek(detectedBytes)
	blank = errors.Is(err, io.EOF) && len(bytes.TrimSpace(start)) == 0
	d, err = h.detectStart(ctx, path, r)
	return d, blank, err
}

// detectStart detects the kind and the fields of a stream by its first bytes and the name of its
// file ("" for standard input).
func (h Hints) detectStart(ctx context.Context, path string, r *bufio.Reader) (Detected, error) {
	start, err := r.Peek(detectedBytes)
	if err != nil && len(start) == 0 && !errors.Is(err, io.EOF) {
		return Detected{}, fmt.Errorf("%s: %w", cmp.Or(path, standardInput), err)
	}
	whole := err != nil
	if h.Charset != "" && fingerprints.Sniff(r) != fingerprints.Parquet {
		if start, err = (documents.Options{Charset: h.Charset}).Decode(start); err != nil {
			return Detected{}, err
		}
		r = bufio.NewReaderSize(bytes.NewReader(start), detectedBytes)
	}
	switch h.Format {
	case docformat.JSONL:
		return h.jsonFields(path, start)
	case docformat.CSV, docformat.TSV:
		return h.csvFields(path, h.Format, start)
	}
	switch format := fingerprints.Sniff(r); {
	case format == fingerprints.Parquet:
		return h.detectParquet(ctx, path, r)
	case format == fingerprints.JSONL:
		if object := firstObject(start); object["fingerprint"] != nil && h.Text == "" {
			return Detected{Kind: Fingerprints}, nil
		}
		return h.jsonFields(path, start)
	case format != fingerprints.None:
		return Detected{Kind: Fingerprints}, nil
	case isVectors(path, start, whole):
		return Detected{Kind: Vectors}, nil
	}
	switch {
	case hasExtension(path, ".csv"):
		return h.csvFields(path, docformat.CSV, start)
	case hasExtension(path, ".tsv", ".tab"):
		return h.csvFields(path, docformat.TSV, start)
	}
	d := h.fields(path, "", "")
	if path == "" {
		column, _ := docformat.TextColumn(start, docformat.CSV)
		d.MaybeCSV = column != ""
	}
	return d, nil
}

// detectParquet distinguishes a file of fingerprints from a file of texts.
func (h Hints) detectParquet(ctx context.Context, path string, r *bufio.Reader) (Detected, error) {
	if path == "" {
		return Detected{Kind: Fingerprints}, nil // reading it reports an error if it has none
	}
	file, size, err := scratch.At(r, path, fingerprints.Magic)
	if err != nil {
		return Detected{}, fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	names := []string{"fingerprint", "fingerprint_u64", docformat.DefaultText, "id"}
	table, err := columnar.NewTable(ctx, file, size, path, names...)
	if err != nil {
		return Detected{}, err
	}
	if !table.Has(2) && (table.Has(0) || table.Has(1)) {
		return Detected{Kind: Fingerprints}, nil
	}
	if h.Text == "" && !table.Has(2) {
		names := slices.DeleteFunc(table.Texts(), func(name string) bool { return name == "id" })
		return Detected{Kind: Texts}, whichField(path, "", names)
	}
	id := ""
	if table.Has(3) {
		id = "id"
	}
	return h.fields(path, "", id), nil
}

// isVectors reports whether the first lines of a stream are vectors.
func isVectors(path string, start []byte, whole bool) bool {
	if bytes.HasPrefix(start, []byte("PK\x03\x04")) || bytes.HasPrefix(start, []byte("%%MatrixMarket")) {
		return true
	}
	if last := bytes.LastIndexByte(start, '\n'); !whole && last >= 0 {
		start = start[:last]
	} else if !whole { // part of a very long line
		start = start[:bytes.LastIndexByte(start, ' ')+1]
	}
	// A malformed line among vectors is an error that the reader reports; it does not make the file
	// a file of texts.
	const lines = 20
	vectors, others := 0, 0
	for line := range bytes.Lines(start) {
		if line = bytes.TrimSpace(line); len(line) == 0 || line[0] == '#' {
			continue
		}
		if isVector(path, line) {
			vectors++
		} else {
			others++
		}
		if vectors+others == lines {
			break
		}
	}
	return vectors > 0 && vectors >= others || hasExtension(path, ".svm", ".svmlight", ".libsvm", ".vw")
}

// isVector reports whether a line is a nonempty vector.
func isVector(path string, line []byte) bool {
	rows, err := datasets.NewVectorReader[float64](context.Background(), bytes.NewReader(line), "", datasets.ReadOptions{Name: path})
	if err != nil {
		return false
	}
	defer rows.Close()
	var row datasets.Row[float64]
	return rows.Read(&row) == nil && len(row.Indices) > 0
}

// hasExtension reports whether a file name has one of the extensions, ignoring .gz, .zst and .bz2.
func hasExtension(path string, extensions ...string) bool {
	for _, packed := range []string{".gz", ".zst", ".bz2"} {
		path = strings.TrimSuffix(path, packed)
	}
	return slices.Contains(extensions, strings.ToLower(filepath.Ext(path)))
}

// firstObject returns the fields of the first JSON object.
func firstObject(start []byte) map[string]json.RawMessage {
	var object map[string]json.RawMessage
	_ = json.NewDecoder(bytes.NewReader(start)).Decode(&object) // reading the file reports errors
	return object
}

// jsonFields detects the fields of the text and the id in JSON objects: the text is in the field
// "text", or in the only field with long strings.
func (h Hints) jsonFields(path string, start []byte) (Detected, error) {
	fields := docformat.InspectJSON(start)
	id := ""
	if fields.ID || fields.Objects == 0 { // a first record beyond the inspected bytes may have an id
		id = "id"
	}
	names := slices.DeleteFunc(slices.Clone(fields.Strings), func(name string) bool { return name == "id" })
	text := ""
	switch {
	case fields.Objects == 0: // reading the file reports errors
	case h.Text != "":
		if !fields.Has(h.Text) {
			return Detected{Kind: Texts}, whichField(path, h.Text, names)
		}
	case slices.Contains(names, docformat.DefaultText):
	case len(names) == 0 || len(names) > 1 && fields.Length(names[0]) < 3*fields.Length(names[1]):
		return Detected{Kind: Texts}, whichField(path, "", names)
	default:
		text = names[0]
	}
	return h.fields(path, text, id), nil
}

// shownFields is the number of fields that whichField lists.
const shownFields = 10

// whichField returns the error of a file whose field with texts is unknown. missing is the field
// that the user gave, or "".
func whichField(path, missing string, names []string) error {
	of := cmp.Or(path, standardInput)
	if missing != "" {
		of += fmt.Sprintf(" has no field %q", missing)
	}
	if len(names) == 0 {
		return fmt.Errorf("%s: expected a field with texts, but no field has strings", of)
	}
	list := strings.Join(names[:min(len(names), shownFields)], ", ")
	if more := len(names) - shownFields; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	return fmt.Errorf("%s: which field has the text? --text FIELD, one of: %s", of, list)
}

// csvFields detects the columns of the text and the id by the first lines. It refuses fingerprints,
// which would be compared as texts.
func (h Hints) csvFields(path, format string, start []byte) (Detected, error) {
	column, hasID := docformat.TextColumn(start, format)
	header, _, _ := strings.Cut(string(start), "\n")
	names := strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(",\t\"\r", r) })
	if h.Text == "" && column != docformat.DefaultText && slices.Contains(names, "fingerprint") {
		return Detected{}, fmt.Errorf("%s: expected fingerprints as lines HEX<TAB>ID, JSON lines or Parquet, got CSV; for texts, name their column with --text", cmp.Or(path, standardInput))
	}
	if column == docformat.DefaultText {
		column = ""
	}
	id := ""
	if hasID {
		id = "id"
	}
	return h.fields(path, column, id), nil
}

// fields returns texts with the detected fields, or those of the hints.
func (h Hints) fields(path, text, id string) Detected {
	d := Detected{Kind: Texts, Text: cmp.Or(h.Text, text), ID: h.ID}
	if d.ID == "" && !h.NoID {
		d.ID = id
	}
	if h.Text == "" && text != "" {
		d.TextFrom = cmp.Or(path, standardInput)
	}
	return d
}
