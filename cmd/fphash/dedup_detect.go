package main

import (
	"bufio"
	"bytes"
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
	"simhashkit/datasets/columnar"
	"simhashkit/datasets/documents"
	"simhashkit/internal/decompress"
	"simhashkit/internal/dedup/fingerprints"
	"simhashkit/internal/dedup/fingerprints/parquet"
	"simhashkit/internal/scratch"
)

// inputKind is the kind of records in an input.
type inputKind int

const (
	vectorInput inputKind = iota
	textInput
	fingerprintInput
)

func (k inputKind) String() string { return [...]string{"vectors", "texts", "fingerprints"}[k] }

// record returns the noun for one record.
func (k inputKind) record() string { return [...]string{"vector", "document", "record"}[k] }

// detectedBytes is the number of bytes at the start of a file from which its kind is detected.
const detectedBytes = 256 << 10

// detect detects the kind of the input, and for texts the fields of the text and the id, unless
// flags name them.
func (d *dedupInput) detect(args []string) (inputKind, error) {
	t := &d.texts
	if t.withoutFields() {
		return textInput, nil
	}
	if !t.changed("text") { // discard the field detected in another input
		t.text = ""
	}
	if !t.changed("id") {
		t.id = ""
	}
	kind, err := d.detectKind(args)
	if t.given() {
		kind = textInput
	}
	if d.fields == nil {
		d.fields = map[string]textFields{}
	}
	d.fields[d.name(args)] = textFields{t.text, t.id}
	return kind, err
}

func (d *dedupInput) detectKind(args []string) (inputKind, error) {
	switch {
	case len(args) == 0 || len(args) == 1 && isStdin(args[0]):
		stream, err := decompress.NewReader(d.ctx, d.stdin)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", inputName(""), err)
		}
		buffered := bufio.NewReaderSize(stream, detectedBytes)
		d.stdin = buffered
		return d.detectStart("", buffered)
	case len(args) > 1 || strings.ContainsAny(args[0], "*?["):
		return textInput, d.detectFiles(args)
	}
	info, err := os.Stat(args[0])
	if err == nil && info.IsDir() {
		return textInput, d.detectFields(args)
	}
	stream, err := decompress.Open(d.ctx, args[0])
	if err != nil {
		return 0, err
	}
	defer stream.Close()
	return d.detectStart(args[0], bufio.NewReaderSize(stream, detectedBytes))
}

// detectStart detects the kind of a stream by its first bytes and the name of its file ("" for
// standard input).
func (d *dedupInput) detectStart(path string, r *bufio.Reader) (inputKind, error) {
	start, err := r.Peek(detectedBytes)
	if err != nil && len(start) == 0 && !errors.Is(err, io.EOF) {
		return 0, fmt.Errorf("%s: %w", inputName(path), err)
	}
	whole := err != nil
	if d.texts.charset != "" && fingerprints.Sniff(r) != fingerprints.Parquet {
		if start, err = documents.Decode(start, d.texts.charset); err != nil {
			return 0, err
		}
		r = bufio.NewReaderSize(bytes.NewReader(start), detectedBytes)
	}
	switch d.texts.format {
	case documents.JSONL:
		return textInput, d.jsonFields(path, start)
	case documents.CSV, documents.TSV:
		d.csvFields(path, d.texts.format, start)
		return textInput, nil
	}
	switch format := fingerprints.Sniff(r); {
	case format == fingerprints.Parquet:
		return d.detectParquet(path, r)
	case format == fingerprints.JSONL:
		if object := firstObject(start); object["fingerprint"] != nil && d.texts.text == "" {
			return fingerprintInput, nil
		}
		return textInput, d.jsonFields(path, start)
	case format != fingerprints.None:
		return fingerprintInput, nil
	case isVectors(path, start, whole):
		return vectorInput, nil
	}
	switch {
	case hasExtension(path, ".csv"):
		d.csvFields(path, documents.CSV, start)
		return textInput, nil
	case hasExtension(path, ".tsv", ".tab"):
		d.csvFields(path, documents.TSV, start)
		return textInput, nil
	}
	if path == "" {
		if column, _ := documents.TextColumn(start, documents.CSV); column != "" {
			fmt.Fprintln(d.stderr, "fphash: standard input is read as lines; if it is CSV, give --documents csv")
		}
	}
	return textInput, nil
}

// detectFiles detects the fields of several files of texts, and refuses vectors and fingerprints.
func (d *dedupInput) detectFiles(patterns []string) error {
	if !slices.ContainsFunc(patterns, readOnce) {
		file, kind, err := d.firstKind(patterns)
		if err == nil && kind != textInput {
			err = fmt.Errorf("%s holds %s: expected a single file of %s (cat joins several), or files of texts", file, kind, kind)
		}
		if err != nil {
			return err
		}
	}
	return d.detectFields(patterns)
}

// firstKind returns the first file and its kind. The files of folders are texts.
func (d *dedupInput) firstKind(patterns []string) (file string, kind inputKind, err error) {
	if len(foldersOf(patterns[0])) > 0 {
		return "", textInput, nil
	}
	files, err := documents.Expand(patterns)
	if err != nil {
		return "", 0, err
	}
	before := d.stderr
	d.stderr = io.Discard // detectFields prints the field
	kind, err = d.detectKind(files[:1])
	d.stderr = before
	return files[0], kind, err
}

// detectFields detects the field of the text in the first file with records, and that of the id in
// the first file with ids. In a folder that also has other files, each file is a document, unless
// --documents names a format with fields.
func (d *dedupInput) detectFields(patterns []string) error {
	if d.texts.withoutFields() {
		return nil
	}
	files, err := documents.Expand(patterns)
	if err != nil {
		return err
	}
	hasFields := func(file string) bool {
		return d.texts.changed("documents") && d.texts.format != documents.Auto || documents.HasRecords(file)
	}
	if len(foldersOf(patterns[0])) > 0 && slices.ContainsFunc(files, func(file string) bool { return !hasFields(file) }) {
		return nil
	}
	before := d.stderr
	defer func() { d.stderr = before }()
	detected := false
	for _, file := range files {
		if !hasFields(file) {
			continue
		}
		blank, err := d.detectFile(file)
		if blank {
			continue
		}
		if err != nil && !detected { // reading later files reports their errors
			return err
		}
		if detected, d.stderr = true, io.Discard; d.texts.id != "" || d.texts.changed("id") {
			break
		}
	}
	return nil
}

// detectFile detects the fields of a file, and reports whether the file has no records.
func (d *dedupInput) detectFile(file string) (blank bool, err error) {
	stream, err := decompress.Open(d.ctx, file)
	if err != nil {
		return false, err
	}
	defer stream.Close()
	r := bufio.NewReaderSize(stream, detectedBytes)
	start, err := r.Peek(detectedBytes)
	if errors.Is(err, io.EOF) && len(bytes.TrimSpace(start)) == 0 {
		return true, nil
	}
	_, err = d.detectStart(file, r)
	return false, err
}

// detectParquet distinguishes a file of fingerprints from a file of texts.
func (d *dedupInput) detectParquet(path string, r *bufio.Reader) (inputKind, error) {
	if path == "" {
		return fingerprintInput, nil // reading it reports an error if it has none
	}
	file, size, err := scratch.At(r, path, parquet.Magic)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	names := []string{"fingerprint", "fingerprint_u64", documents.DefaultText, "id"}
	table, err := columnar.NewTable(d.ctx, file, size, path, names...)
	if err != nil {
		return 0, err
	}
	if !table.Has(2) && (table.Has(0) || table.Has(1)) {
		return fingerprintInput, nil
	}
	if d.texts.text == "" && !table.Has(2) {
		names := slices.DeleteFunc(table.Texts(), func(name string) bool { return name == "id" })
		return textInput, whichField(path, "", names)
	}
	if table.Has(3) {
		d.takeFields(path, "", "id")
	}
	return textInput, nil
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
func (d *dedupInput) jsonFields(path string, start []byte) error {
	fields, t := documents.InspectJSON(start), &d.texts
	id := ""
	if fields.ID || fields.Objects == 0 { // a first record beyond the inspected bytes may have an id
		id = "id"
	}
	names := slices.DeleteFunc(slices.Clone(fields.Strings), func(name string) bool { return name == "id" })
	text := ""
	switch {
	case fields.Objects == 0: // reading the file reports errors
	case t.text != "":
		if !fields.Has(t.text) {
			return whichField(path, t.text, names)
		}
	case slices.Contains(names, documents.DefaultText):
	case len(names) == 0 || len(names) > 1 && fields.Length(names[0]) < 3*fields.Length(names[1]):
		return whichField(path, "", names)
	default:
		text = names[0]
	}
	d.takeFields(path, text, id)
	return nil
}

// shownFields is the number of fields that whichField lists.
const shownFields = 10

// whichField returns the error of a file whose field with texts is unknown. missing is the field
// that the user gave, or "".
func whichField(path, missing string, names []string) error {
	of := inputName(path)
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

// csvFields detects the columns of the text and the id by the first lines.
func (d *dedupInput) csvFields(path, format string, start []byte) {
	column, hasID := documents.TextColumn(start, format)
	if column == documents.DefaultText {
		column = ""
	}
	id := ""
	if hasID {
		id = "id"
	}
	d.takeFields(path, column, id)
}

// takeFields sets the fields of the text and the id, unless flags name them.
func (d *dedupInput) takeFields(path, text, id string) {
	t := &d.texts
	if t.text == "" {
		t.text = text
	}
	if t.id == "" && !t.changed("id") {
		t.id = id
	}
	if text != "" && t.text == text && !t.changed("text") {
		fmt.Fprintf(d.stderr, "fphash: the texts of %s are in the field %s\n", inputName(path), text)
	}
}
