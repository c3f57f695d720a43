package main

import (
	"bytes"
	"strings"
)

// Comments in what is generated are as wide as everywhere, tabs being 4 columns.
const columns = 100

// wrapped cuts the text into lines of at most that many columns.
func wrapped(text string, columns int) (lines []string) {
	line := ""
	for word := range strings.FieldsSeq(text) {
		switch {
		case line == "":
			line = word
		case len([]rune(line))+1+len([]rune(word)) <= columns:
			line += " " + word
		default:
			lines, line = append(lines, line), word
		}
	}
	return append(lines, line)
}

// Doc sets the documentation of the function.
func (b *builder) Doc(text string) {
	b.Context.Doc(wrapped(text, columns-len("// "))...)
}

// Comment emits a comment in front of the next instruction.
func (b *builder) Comment(text string) {
	b.Context.Comment(wrapped(text, columns-4-len("// "))...)
}

// narrowed wraps the comments that avo makes of declarations.
func narrowed(text []byte) []byte {
	var out bytes.Buffer
	for line := range strings.Lines(string(text)) {
		if declaration, ok := strings.CutPrefix(line, "// func "); ok {
			line = "// " + strings.Join(wrapped("func "+declaration, columns-len("// ")), "\n// ") + "\n"
		}
		out.WriteString(line)
	}
	return out.Bytes()
}
