package asm_test

import (
	"bufio"
	"os"
	"regexp"
	"strings"
)

// function is one TEXT of an assembly file.
type function struct {
	Name     string
	Flags    string         // "NOSPLIT, $0-56"
	Requires []string       // the extensions in its "// Requires:" comment
	Lines    []assemblyLine // instructions, without labels and comments
}

// assemblyLine is one instruction with its line number.
type assemblyLine struct {
	Number int
	Text   string
}

var textLine = regexp.MustCompile(`^TEXT ·(\w+)\(SB\), (.*)$`)

// readAssembly returns the functions of the file.
func readAssembly(path string) ([]function, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var functions []function
	var requires []string
	scanner := bufio.NewScanner(f)
	for number := 1; scanner.Scan(); number++ {
		line := strings.TrimSpace(scanner.Text())
		if list, ok := strings.CutPrefix(line, "// Requires: "); ok {
			requires = strings.Split(list, ", ")
			continue
		}
		if m := textLine.FindStringSubmatch(line); m != nil {
			functions = append(functions, function{Name: m[1], Flags: m[2], Requires: requires})
			requires = nil
			continue
		}
		if len(functions) == 0 || line == "" || strings.HasPrefix(line, "//") || strings.HasSuffix(line, ":") ||
			strings.HasPrefix(line, "DATA ") || strings.HasPrefix(line, "GLOBL ") {
			continue
		}
		last := &functions[len(functions)-1]
		last.Lines = append(last.Lines, assemblyLine{number, line})
	}
	return functions, scanner.Err()
}
