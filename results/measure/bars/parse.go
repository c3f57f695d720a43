package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"simhashkit/bench/gobench/benchname"
)

// Units tells the units of a case's figures, that of its time or rate first, or says that there is
// no such case.
type Units func(benchname.Name) (units []string, err error)

// Parse reads a bars file; see the package's comment for the format. Cases that units does not know
// are errors, whether a line is about them or refers to them. Errors carry file, line and column,
// and say what was expected; file stands for the file there.
func Parse(r io.Reader, file string, units Units) ([]Bar, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("bars: %s: %w", file, err)
	}
	var bars []Bar
	number := 0
	for raw := range strings.Lines(string(text)) {
		number++
		words := split(raw)
		if len(words) == 0 {
			continue
		}
		p := parser{units: units, words: words, line: &Line{File: filepath.Base(file), Number: number, Text: joined(words)}}
		of, err := p.parse()
		if err != nil {
			var at wrong
			errors.As(err, &at)
			return nil, fmt.Errorf("bars: %s:%d:%d: %s", file, number, at.column, at.what)
		}
		bars = append(bars, of...)
	}
	if len(bars) == 0 {
		return nil, fmt.Errorf("bars: %s: no bars in it", file)
	}
	return bars, nil
}

// word is a word of a line and the column where it begins, in characters from 1.
type word struct {
	text   string
	column int
}

// wrong is what is wrong with a line, and where.
type wrong struct {
	column int
	what   string
}

func (w wrong) Error() string { return w.what }

func (w word) wrong(format string, arguments ...any) error {
	return wrong{w.column, fmt.Sprintf(format, arguments...)}
}

// split cuts a line into words, up to a comment.
func split(line string) (words []word) {
	column := 1
	for len(line) > 0 {
		blank := line[:len(line)-len(strings.TrimLeftFunc(line, unicode.IsSpace))]
		column += utf8.RuneCountInString(blank)
		line = line[len(blank):]
		end := strings.IndexFunc(line, unicode.IsSpace)
		if end < 0 {
			end = len(line)
		}
		if end == 0 || line[0] == '#' {
			break
		}
		words = append(words, word{line[:end], column})
		column += utf8.RuneCountInString(line[:end])
		line = line[end:]
	}
	return words
}

func joined(words []word) string {
	var texts []string
	for _, w := range words {
		texts = append(texts, w.text)
	}
	return strings.Join(texts, " ")
}

// parser takes the words of one line.
type parser struct {
	units Units
	words []word
	line  *Line
	next  int
}

// take returns the next word, or an error at the end of the line.
func (p *parser) take(expected string) (word, error) {
	if p.next == len(p.words) {
		last := p.words[len(p.words)-1]
		end := word{column: last.column + utf8.RuneCountInString(last.text)}
		return end, end.wrong("expected %s, got the end of the line", expected)
	}
	p.next++
	return p.words[p.next-1], nil
}

func (p *parser) parse() ([]Bar, error) {
	subject, err := p.take("a case")
	if err != nil {
		return nil, err
	}
	cases, err := p.cases(subject)
	if err != nil {
		return nil, err
	}
	if err := p.unit(cases); err != nil {
		return nil, err
	}
	if err := p.relation(); err != nil {
		return nil, err
	}
	bars := make([]Bar, len(cases))
	for i, c := range cases {
		bars[i] = Bar{Case: c, Line: p.line}
	}
	for {
		if err := p.term(bars); err != nil {
			return nil, err
		}
		if p.next == len(p.words) {
			return bars, nil
		}
		if plus, _ := p.take(""); plus.text != "+" {
			return nil, plus.wrong("expected + or the end of the line, got %q", plus.text)
		}
	}
}

// cases returns the names that the word stands for, and notes the unit of their times.
func (p *parser) cases(w word) ([]benchname.Name, error) {
	pattern, err := benchname.Parse(w.text)
	if err != nil {
		return nil, w.wrong("expected the name of a case: %v", err)
	}
	p.line.Pattern = pattern
	texts, err := expand(w.text)
	if err != nil {
		return nil, w.wrong("%v", err)
	}
	var names []benchname.Name
	for _, text := range texts {
		name, units, err := p.name(text)
		if err != nil {
			return nil, w.wrong("%v", err)
		}
		if p.line.Unit != "" && p.line.Unit != units[0] {
			return nil, w.wrong("expected cases of one unit, got %s and %s", p.line.Unit, units[0])
		}
		p.line.Unit = units[0]
		names = append(names, name)
	}
	return names, nil
}

func (p *parser) name(text string) (name benchname.Name, units []string, err error) {
	if name, err = benchname.Parse(text); err != nil {
		return name, nil, fmt.Errorf("expected the name of a case: %w", err)
	}
	units, err = p.units(name)
	return name, units, err
}

// unit takes the word between the cases and the relation, where there is one: another of the units
// that all of the cases have figures in.
func (p *parser) unit(cases []benchname.Name) error {
	if p.next == len(p.words) {
		return nil // which the relation is missed at
	}
	w := p.words[p.next]
	for _, c := range cases {
		units, err := p.units(c)
		if err != nil {
			return w.wrong("%v", err)
		}
		if !slices.Contains(units, w.text) {
			return nil // it is the relation, or nothing that belongs there
		}
	}
	p.line.Counted = w.text != p.line.Unit
	p.line.Unit = w.text
	p.next++
	return nil
}

func (p *parser) relation() error {
	want, better := "<=", "less"
	if p.line.AtLeast() {
		want, better = ">=", "more"
	}
	w, err := p.take(want)
	if err == nil && w.text != want {
		err = w.wrong("expected %s, got %q: %s is better in %s", want, w.text, better, p.line.Unit)
	}
	return err
}
