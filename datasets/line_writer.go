package datasets

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// lineForm writes formats that have one vector a line.
type lineForm[W Weight] struct {
	w      *bufio.Writer
	line   []byte
	append func(line []byte, row *Row[W]) ([]byte, error)
}

func newLineForm[W Weight](w io.Writer, append func(line []byte, row *Row[W]) ([]byte, error)) *lineForm[W] {
	return &lineForm[W]{w: bufio.NewWriterSize(w, 64<<10), append: append}
}

func (l *lineForm[W]) put(row *Row[W]) (err error) {
	if l.line, err = l.append(l.line[:0], row); err == nil {
		_, err = l.w.Write(append(l.line, '\n'))
	}
	return err
}

func (l *lineForm[W]) end() error   { return l.w.Flush() }
func (l *lineForm[W]) close() error { return nil }

func appendSVMLight[W Weight](line []byte, row *Row[W]) ([]byte, error) {
	if !svmlightLabel(row.Label) {
		return line, fmt.Errorf("label %q is not one printable token without # and colon", clip(row.Label))
	}
	if !svmlightID(row.ID) {
		return line, fmt.Errorf("id %q has line breaks, or white space at its ends", clip(row.ID))
	}
	if len(row.Label) == 0 {
		line = append(line, '0')
	}
	line = append(line, row.Label...)
	kind := kindOf[W]()
	for i, index := range row.Indices {
		line = strconv.AppendUint(append(line, ' '), index, 10)
		line = append(line, ':')
		if row.Weights == nil {
			line = append(line, '1')
			continue
		}
		line = appendWeight(line, kind, row.Weights[i])
	}
	if len(row.ID) > 0 {
		line = append(append(line, " # "...), row.ID...)
	}
	return line, nil
}

// svmlightLabel says whether the format holds a label.
func svmlightLabel(label []byte) bool {
	return !bytes.ContainsAny(label, " #:") && printable(label)
}

// svmlightID says whether the format holds an id.
func svmlightID(id []byte) bool {
	return len(trimSpace(id)) == len(id) && bytes.IndexByte(id, '\n') < 0
}

// appendVowpal appends label 'id| index:weight index:weight ...
func appendVowpal[W Weight](line []byte, row *Row[W]) ([]byte, error) {
	if !vowpalLabel(row.Label) {
		return line, fmt.Errorf("label %q is not one printable token without a bar, nor an apostrophe before it", clip(row.Label))
	}
	if !vowpalID(row.ID) {
		return line, fmt.Errorf("id %q is not one printable token without a bar", clip(row.ID))
	}
	if line = append(line, row.Label...); len(line) > 0 {
		line = append(line, ' ')
	}
	if len(row.ID) > 0 {
		line = append(append(line, '\''), row.ID...)
	}
	line = append(line, '|')
	kind := kindOf[W]()
	for i, index := range row.Indices {
		line = strconv.AppendUint(append(line, ' '), index, 10)
		if row.Weights != nil {
			line = appendWeight(append(line, ':'), kind, row.Weights[i])
		}
	}
	return line, nil
}

// vowpalLabel says whether the format holds a label.
func vowpalLabel(label []byte) bool { return vowpalID(label) && !bytes.HasPrefix(label, []byte("'")) }

// vowpalID says whether the format holds an id.
func vowpalID(id []byte) bool { return !bytes.ContainsAny(id, " |") && printable(id) }

func appendWeight[W Weight](line []byte, kind weightKind, weight W) []byte {
	if kind.whole {
		return strconv.AppendInt(line, int64(weight), 10)
	}
	return strconv.AppendFloat(line, float64(weight), 'g', -1, kind.bits)
}
