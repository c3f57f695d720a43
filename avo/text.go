package main

import "strings"

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
