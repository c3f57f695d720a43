package datasets

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"simhashkit/internal/lines"
	"simhashkit/internal/syntax"
)

// svmlightReader reads svmlight text. It allocates only for lines longer than any line before.
type svmlightReader[W Weight] struct{ lineReader[W] }

func newSVMLightReader[W Weight](source io.Reader, options ReadOptions) *VectorReader[W] {
	r := &svmlightReader[W]{newLineReader[W](source, options, `svmlight lines such as "1 3:0.5 7:2 # id"`)}
	r.next, r.parse = r.nextLine, r.parseLine
	return &r.VectorReader
}

func (r *svmlightReader[W]) parseLine(line []byte) (found bool, bad *SyntaxError) {
	r.begin(r.lines.Number())
	body, at := line, skipMarks(line)
	if hash := bytes.IndexByte(line, '#'); hash >= 0 {
		body = line[:hash]
		if id := trimSpace(line[hash+1:]); len(id) > 0 {
			r.row.ID = id
		}
	}
	if at = skipSpace(body, at); at == len(body) {
		return false, nil
	}
	at, bad = r.head(body, at)
	for bad == nil {
		if at = skipSpace(body, at); at == len(body) {
			break
		}
		at, bad = r.feature(body, at)
	}
	if bad == nil {
		bad = r.sumLine(body)
	}
	return bad == nil, bad
}

// head reads the label and the qid, if present, and returns the position after them.
func (r *svmlightReader[W]) head(body []byte, at int) (int, *SyntaxError) {
	if token := tokenAt(body, at); bytes.IndexByte(token, ':') < 0 {
		if !printable(token) {
			return at, r.syntaxError(at, wantLabel, token)
		}
		at = skipSpace(body, at+len(token))
	}
	if token := tokenAt(body, at); bytes.HasPrefix(token, []byte("qid:")) {
		if _, err := strconv.ParseInt(string(token[len("qid:"):]), 10, 64); err != nil {
			return at, r.syntaxError(at, "a whole number after qid:", token)
		}
		at += len(token)
	}
	return at, nil
}

// feature reads the index:value that starts at a position, and returns the position after it.
func (r *svmlightReader[W]) feature(body []byte, at int) (int, *SyntaxError) {
	index, i, ok := scanIndex(body, at)
	if i == at || i == len(body) || body[i] != ':' {
		return at, r.notFeature(body, at)
	}
	if !ok || index < r.options.Base {
		return at, r.syntaxError(at, r.wantIndex(), body[at:i])
	}
	value := tokenAt(body, i+1)
	weight, zero, want := r.parseWeight(value, wantFeature)
	switch want {
	case "":
	case wantFeature:
		return at, r.notFeature(body, at)
	default:
		return at, r.syntaxError(i+1, want, value)
	}
	r.anyFeature = true
	if !zero {
		r.add(index-r.options.Base, weight, at)
	}
	return i + 1 + len(value), nil
}

// notFeature returns the error for a token that is not index:value. It explains the most common
// mistakes.
func (r *svmlightReader[W]) notFeature(body []byte, at int) *SyntaxError {
	token := tokenAt(body, at)
	index, _, colon := bytes.Cut(token, []byte(":"))
	if colon && len(index) > 1 && index[0] == '-' && onlyDigits(index[1:]) {
		return r.syntaxError(at, r.wantIndex(), index)
	}
	return r.syntaxError(at, wantFeature, token)
}

func onlyDigits(text []byte) bool {
	_, end, _ := scanIndex(text, 0)
	return end > 0 && end == len(text)
}

// WriteSVMLight writes all vectors of a set as svmlight text, with their ids. Weights have the
// fewest digits that read back to the same value; unit weights are written as 1. Each vector gets
// the label 0, since most readers of the format require a label. WriteSVMLight returns the
// context's cause when the context ends.
func WriteSVMLight[W Weight](ctx context.Context, w io.Writer, set *CSR[W]) error {
	if err := set.Validate(); err != nil {
		return err
	}
	buffered, kind := bufio.NewWriterSize(w, 64<<10), kindOf[W]()
	var line []byte
	for i := range set.Len() {
		if err := ended(ctx); err != nil {
			return err
		}
		indices, weights := set.Row(i)
		line = append(line[:0], '0')
		for j, index := range indices {
			line = append(strconv.AppendUint(append(line, ' '), index, 10), ':')
			switch {
			case weights == nil:
				line = append(line, '1')
			case weights[j]-weights[j] != 0:
				return fmt.Errorf("datasets: write row %d: weight %v of index %d is not finite", i+1, weights[j], index)
			case kind.whole:
				line = strconv.AppendInt(line, int64(weights[j]), 10)
			default:
				line = strconv.AppendFloat(line, float64(weights[j]), 'g', -1, kind.bits)
			}
		}
		id := set.ID(i)
		if strings.Contains(id, "\n") {
			return fmt.Errorf("datasets: write row %d: id %q has a line break", i+1, id)
		}
		if id != "" {
			line = append(append(line, " # "...), id...)
		}
		buffered.Write(append(line, '\n')) // Flush returns the error
	}
	if err := buffered.Flush(); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	return nil
}

// lineReader is the common part of the readers of formats with one vector per line.
type lineReader[W Weight] struct {
	VectorReader[W]
	lines *lines.Reader
	parse func(line []byte) (found bool, bad *SyntaxError) // fills the row if found
	want  string                                           // expected content of the file

	rows       int
	anyFeature bool   // some feature with a value was read
	bars       bool   // the format has bars
	firstLine  []byte // the first line that holds a vector
}

func newLineReader[W Weight](r io.Reader, options ReadOptions, want string) lineReader[W] {
	options = options.withDefaults()
	return lineReader[W]{VectorReader: newReader[W](options), lines: lines.NewReader(r, options.MaxLine), want: want}
}

// nextLine fills the row from the next line that holds a vector. It returns a SyntaxError if that
// line is malformed.
func (r *lineReader[W]) nextLine() (*SyntaxError, error) {
	for {
		line, err := readLine(r.lines, &r.options)
		bad, tooLong := err.(*SyntaxError)
		if err == io.EOF {
			return nil, r.end()
		}
		if err != nil && !tooLong {
			return nil, err
		}
		found := false
		if !tooLong {
			found, bad = r.parse(line)
		}
		if bad != nil {
			r.hint(bad, line)
			return bad, nil
		}
		if found {
			r.look(line)
			return nil, nil
		}
	}
}

// readLine returns the next line. If the line is too long, it returns the beginning of the line and
// a SyntaxError.
func readLine(from *lines.Reader, options *ReadOptions) ([]byte, error) {
	line, err := from.Next()
	switch err {
	case nil, io.EOF:
		return line, err
	case lines.ErrTooLong:
		return line, syntax.New(options.Name, from.Number(), 1, fmt.Sprintf("a line of at most %d bytes", options.MaxLine), line)
	}
	return nil, fmt.Errorf("datasets: %s: after line %d: %w", options.Name, from.Number(), err)
}

func (r *lineReader[W]) syntaxError(at int, want string, got []byte) *SyntaxError {
	return syntax.New(r.options.Name, r.lines.Number(), at+1, want, got)
}

// sumLine sums the repeated features of the row at the end of a line.
func (r *lineReader[W]) sumLine(line []byte) *SyntaxError {
	if place, ok := r.sum(); !ok {
		return r.syntaxError(place, "a sum of repeated features that fits "+r.kind.name, tokenAt(line, place))
	}
	return nil
}

func (r *lineReader[W]) wantIndex() string {
	return fmt.Sprintf("an index from %d to %d", r.options.Base, uint64(math.MaxUint64))
}

// scanIndex reads digits from body[at:] and returns the position after the last one, or at if there
// are none. ok is false if the number overflows.
func scanIndex(body []byte, at int) (index uint64, end int, ok bool) {
	overflow := false
	i := at
	for ; i < len(body) && body[i]-'0' <= 9; i++ {
		high, low := bits.Mul64(index, 10)
		sum, carry := bits.Add64(low, uint64(body[i]-'0'), 0)
		overflow = overflow || high+carry != 0
		index = sum
	}
	return index, i, !overflow
}

const byteOrderMark = "\xef\xbb\xbf"

// skipMarks returns the position after the byte order marks at the start of a line. Concatenated
// files have several marks in a row.
func skipMarks(line []byte) (at int) {
	for bytes.HasPrefix(line[at:], []byte(byteOrderMark)) {
		at += len(byteOrderMark)
	}
	return at
}

// isSpace reports whether a byte is ASCII white space.
func isSpace(b byte) bool { return b == ' ' || b-'\t' <= '\r'-'\t' }

// skipSpace returns the position of the first byte in text[at:] that is not white space.
func skipSpace(text []byte, at int) int {
	for at < len(text) && isSpace(text[at]) {
		at++
	}
	return at
}

func trimSpace(text []byte) []byte { return bytes.Trim(text, " \t\n\v\f\r") }

// tokenAt returns the run of non-space bytes that starts at position at.
func tokenAt(text []byte, at int) []byte {
	end := at
	for end < len(text) && !isSpace(text[end]) {
		end++
	}
	return text[at:end]
}

// printable reports whether a label can be read back. It rejects control characters, so that a
// binary file does not pass as a label, and a byte order mark at the start, which line readers
// drop.
func printable(label []byte) bool {
	if bytes.HasPrefix(label, []byte(byteOrderMark)) {
		return false
	}
	for _, b := range label {
		if b < ' ' || b == 0x7f {
			return false
		}
	}
	return true
}

// notFinite reports whether a word is a spelling of infinity or NaN.
func notFinite(text []byte) bool {
	if len(text) > len("+infinity") {
		return false
	}
	f, err := strconv.ParseFloat(string(text), 64)
	return err == nil && (math.IsInf(f, 0) || math.IsNaN(f))
}

// ended returns an error once the context has ended.
func ended(ctx context.Context) error {
	if ctx.Err() == nil {
		return nil
	}
	return fmt.Errorf("datasets: %w", context.Cause(ctx))
}

// endingReader reads from r until the context is done.
type endingReader struct {
	ctx context.Context
	r   io.Reader
}

func (e *endingReader) Read(p []byte) (int, error) {
	if e.ctx.Err() != nil {
		return 0, context.Cause(e.ctx)
	}
	return e.r.Read(p)
}

// vectorForms are other vector formats with their first bytes, for hints in error messages.
var vectorForms = []struct{ begins, like string }{
	{npyMagic, "a NumPy array; scipy.sparse.save_npz writes sparse matrices that are read here"},
	{"\x89HDF", "an HDF5 file"},
	{"\x80", "a Python pickle"},
	{"%%MatrixMarket", "a Matrix Market file; scipy.sparse.save_npz writes sparse matrices that are read here"},
}

// looksLike returns the format that a malformed line looks like, or "" if it recognizes none.
func looksLike(line []byte) string {
	line = trimSpace(line[:min(len(line), maxLooked)])
	for _, form := range vectorForms {
		if bytes.HasPrefix(line, []byte(form.begins)) {
			return form.like
		}
	}
	if like := syntax.LikeLine(line); like != "" || !bytes.Contains(line, []byte("|")) {
		return like
	}
	return "values separated by bars"
}

// maxLooked is the number of bytes of a line that are inspected.
const maxLooked = 1000

// end returns io.EOF, or an error if vectors were read, but none has a feature. For example, a list
// of words reads as labels alone, and a table with bars between its columns as namespaces alone.
func (r *lineReader[W]) end() error {
	if r.rows == 0 || r.anyFeature {
		return io.EOF
	}
	like := looksLike(r.firstLine)
	if like == "" {
		like = "a list of words"
		if _, err := strconv.ParseFloat(string(trimSpace(r.firstLine)), 64); err == nil {
			like = "a list of numbers"
		}
	}
	return &SyntaxError{File: r.options.Name, Want: r.want, Like: like, NoVector: true}
}

// Expected tokens, in errors of lines that are not vectors.
const (
	wantFeature = "index:value"
	wantLabel   = "a label or index:value"
	wantBar     = "a bar before the features"
	wantTag     = "a number, or a tag such as 'name"
	wantNumber  = "a number after the colon"
)

// look records that a line holds a vector, and keeps the first such line for end.
func (r *lineReader[W]) look(line []byte) {
	if r.rows == 0 {
		r.firstLine = append(r.firstLine, line[:min(len(line), maxLooked)]...)
	}
	r.rows++
}

// hint adds the probable format of the file to an error, unless a feature was read before.
func (r *lineReader[W]) hint(bad *SyntaxError, line []byte) {
	bad.NoVector = !r.anyFeature && r.bad == 0 && slices.Contains([]string{wantFeature, wantLabel, wantBar, wantTag}, bad.Want)
	if !r.anyFeature && r.bad == 0 && !(r.bars && bytes.IndexByte(line, '|') >= 0) {
		bad.Like = looksLike(line)
	}
}
