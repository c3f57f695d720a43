package datasets

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
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
