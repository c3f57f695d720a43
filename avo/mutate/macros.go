package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// macro is a #define of an assembly file or of a header in the same folder.
type macro struct {
	parameters []string
	body       string // statements, separated by semicolons
}

// encodes reports whether the macro encodes an instruction that the assembler has no name for. Such
// a macro is treated as an instruction.
func (m macro) encodes() bool { return strings.HasPrefix(m.body, "WORD ") }

var (
	includeLine = regexp.MustCompile(`^#include "([^"]+)"`)
	defineLine  = regexp.MustCompile(`^#define (\w+)(\([^)]*\))?\s*(.*)$`)
	nameWord    = regexp.MustCompile(`[A-Za-z_]\w*`)
	callLine    = regexp.MustCompile(`^(\w+)(?:\((.*)\))?$`)
	sum         = regexp.MustCompile(`\b(\d+)([+*])(\d+)\b`)
)

// readMacros stores the macros of the source, and of the headers that it includes, in macros. It
// returns the source without macros, except for macros that encode an instruction.
func readMacros(source, folder string, macros map[string]macro) (rest string, err error) {
	var kept []string
	lines := strings.Split(source, "\n")
	for i := 0; i < len(lines); i++ {
		if m := includeLine.FindStringSubmatch(lines[i]); m != nil && m[1] != "textflag.h" {
			header, err := os.ReadFile(filepath.Join(folder, m[1]))
			if err != nil {
				return "", err
			}
			if _, err := readMacros(string(header), folder, macros); err != nil {
				return "", err
			}
		}
		m := defineLine.FindStringSubmatch(lines[i])
		if m == nil {
			kept = append(kept, lines[i])
			continue
		}
		body := withoutComment(m[3])
		if strings.HasPrefix(body, "WORD ") {
			kept = append(kept, lines[i]) // the assembler needs it
		}
		for strings.HasSuffix(body, `\`) && i+1 < len(lines) {
			i++
			body = strings.TrimSpace(strings.TrimSuffix(body, `\`)) + " " + withoutComment(lines[i])
		}
		macros[m[1]] = macro{arguments(strings.Trim(m[2], "()")), strings.TrimSpace(body)}
	}
	return strings.Join(kept, "\n"), nil
}

func withoutComment(line string) string {
	line, _, _ = strings.Cut(line, "//")
	return strings.TrimSpace(line)
}

// arguments splits a list at its commas, except for commas in brackets.
func arguments(list string) (parts []string) {
	depth, begin := 0, 0
	for i, c := range list {
		switch c {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, strings.TrimSpace(list[begin:i]))
				begin = i + 1
			}
		}
	}
	if strings.TrimSpace(list) == "" {
		return nil
	}
	return append(parts, strings.TrimSpace(list[begin:]))
}

// expand returns the instructions to which a statement expands.
func expand(statement string, macros map[string]macro) ([]string, error) {
	call := callLine.FindStringSubmatch(statement)
	if call == nil {
		return []string{statement}, nil
	}
	m, ok := macros[call[1]]
	if !ok || m.encodes() {
		return []string{statement}, nil
	}
	values := arguments(call[2])
	if len(values) != len(m.parameters) {
		return nil, fmt.Errorf("%s: expected %d arguments", statement, len(m.parameters))
	}
	body := nameWord.ReplaceAllStringFunc(m.body, func(word string) string {
		if i := slices.Index(m.parameters, word); i >= 0 {
			return values[i]
		}
		return word
	})
	var list []string
	for part := range strings.SplitSeq(body, ";") {
		if part = folded(strings.TrimSpace(part)); part == "" {
			continue
		}
		more, err := expand(part, macros)
		if err != nil {
			return nil, err
		}
		list = append(list, more...)
	}
	return list, nil
}

// folded evaluates sums and products of numbers in expanded macros, which makes ids easier to read:
// 64+8(R0) becomes 72(R0).
func folded(text string) string {
	return sum.ReplaceAllStringFunc(text, func(s string) string {
		var a, b int
		var op rune
		fmt.Sscanf(s, "%d%c%d", &a, &op, &b) // cannot fail, because the expression matched
		if op == '*' {
			return fmt.Sprint(a * b)
		}
		return fmt.Sprint(a + b)
	})
}
