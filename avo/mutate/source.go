package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// file is a parsed assembly file.
type file struct {
	path         string // absolute
	architecture *architecture
	macros       map[string]macro
	head         []string
	kernels      []*kernel
	data         map[string][]string // the DATA lines and the GLOBL line of each constant
	order        []string            // the constants in the order of the file
}

// kernel is a function of an assembly file.
type kernel struct {
	file     *file
	name     string
	text     string   // the TEXT line
	body     []string // the lines after it: instructions, labels, blank lines
	requires []string // the extensions that it needs, by their names in avo
}

var (
	textLine   = regexp.MustCompile(`^TEXT ·(\w+)\(SB\), (.*)$`)
	dataLine   = regexp.MustCompile(`^(?:DATA|GLOBL) (\w+)<>`)
	constantOf = regexp.MustCompile(`\b(\w+)<>`)
)

func readFile(path string) (*file, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	f := &file{path: path, macros: map[string]macro{}, data: map[string][]string{}}
	if f.architecture, err = architectureOf(path); err != nil {
		return nil, err
	}
	text, err := readMacros(string(source), filepath.Dir(path), f.macros)
	if err != nil {
		return nil, err
	}
	var current *kernel
	var requires []string
	for line := range strings.SplitSeq(text, "\n") {
		if m := dataLine.FindStringSubmatch(line); m != nil {
			if f.data[m[1]] == nil {
				f.order = append(f.order, m[1])
			}
			f.data[m[1]] = append(f.data[m[1]], line)
			continue
		}
		if m := textLine.FindStringSubmatch(line); m != nil {
			current = &kernel{file: f, name: m[1], text: line, requires: requires}
			f.kernels, requires = append(f.kernels, current), nil
			continue
		}
		if list, ok := strings.CutPrefix(line, "// Requires: "); ok {
			requires = strings.Split(list, ", ")
		}
		switch {
		case current == nil && (strings.HasPrefix(line, "#") || strings.HasPrefix(line, "//go:build")):
			f.head = append(f.head, line)
			if strings.HasPrefix(line, "//") {
				f.head = append(f.head, "")
			}
		case current != nil && !isInstruction(line) && withoutComment(line) != "":
			current.body = append(current.body, line)
		case current != nil && withoutComment(line) != "":
			instructions, err := expand(withoutComment(line), f.macros)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", path, err)
			}
			for _, instruction := range instructions {
				current.body = append(current.body, "\t"+instruction)
			}
		}
	}
	if len(f.kernels) == 0 {
		return nil, fmt.Errorf("%s: no functions found", path)
	}
	return f, nil
}

// isInstruction reports whether a line is an instruction and not a label.
func isInstruction(line string) bool { return strings.HasPrefix(line, "\t") }

// instructions returns the number of instructions.
func (k *kernel) instructions() (n int) {
	for _, line := range k.body {
		if isInstruction(line) {
			n++
		}
	}
	return n
}

// missing returns "" if the kernel can run here. Otherwise it describes the missing extensions or
// the missing emulator.
func (k *kernel) missing() string {
	if k.file.architecture != amd64 {
		if _, err := k.file.architecture.emulator(); err != nil {
			return err.Error()
		}
		return "" // emulated processors have all required extensions
	}
	var missing []string
	for _, name := range k.requires {
		switch name {
		case "MMX+":
			continue // every amd64 processor has this extension
		case "BMI":
			name = "BMI1"
		case "SSE4.2":
			name = "SSE42"
		}
		if extension := cpuid.ParseFeature(name); extension == cpuid.UNKNOWN || !cpuid.CPU.Supports(extension) {
			missing = append(missing, name)
		}
	}
	if len(missing) == 0 {
		return ""
	}
	return "this processor lacks " + strings.Join(missing, ", ")
}

// variant returns the kernel with another name and with the mutant's line replaced. If the mutant
// changes a constant, the kernel gets its own copy of it.
func (k *kernel) variant(name string, m mutant) []string {
	lines := []string{strings.Replace(k.text, "·"+k.name+"(", "·"+name+"(", 1)}
	for i, line := range k.body {
		if m.constant == "" && i == m.line {
			if m.after == "" {
				continue
			}
			line = "\t" + m.after
		}
		if m.constant != "" {
			line = strings.ReplaceAll(line, m.constant+"<>", name+m.constant+"<>")
		}
		lines = append(lines, line)
	}
	if m.constant != "" {
		for i, line := range k.file.data[m.constant] {
			if i == m.line {
				line = m.after
			}
			lines = append(lines, strings.ReplaceAll(line, m.constant+"<>", name+m.constant+"<>"))
		}
	}
	return lines
}

// suites returns patterns for -run that select the tests to run on mutants of the kernel: first the
// test of the recorded outputs for its op and tier, then all tests that call it. A pattern has a
// part for each level of subtests. Of a test with other subtests, only the test function itself
// runs.
func (k *kernel) suites() []string {
	folder := filepath.Base(filepath.Dir(k.file.path))
	name := strings.TrimSuffix(filepath.Base(k.file.path), k.file.architecture.suffix())
	cut := strings.LastIndex(name, "_")
	if cut < 0 {
		return []string{"^Test"}
	}
	op, tier := strings.ReplaceAll(name[:cut], "_", "-"), name[cut+1:]
	// the kernel itself and the dispatch at its tier; repeated names of subtests get a number
	anyway := fmt.Sprintf(`^(dispatch=)?%s(#\d+)?$`, tier)
	switch folder {
	case "accumulate":
		own := strings.ToUpper(op[:1]) + op[1:] // TestUnit..., TestI32...
		if op == "unit" {
			return []string{fmt.Sprintf("^TestFrozen/^%s$/^unit$", tier), fmt.Sprintf("^(TestUnit|TestKernelsLeave)/^(unit|(dispatch=)?%s)$", tier)}
		}
		return []string{fmt.Sprintf("^TestFrozen/^%s$/^%s$", tier, op), fmt.Sprintf("^(TestWeighted|TestKernelsLeave|Test%s)/^(%s|%s)$/%s", own, op, tier, anyway)}
	case "hashing":
		return []string{fmt.Sprintf("^TestFrozenOutputs$/^%s$/^%s", tier, op), fmt.Sprintf("^Test/^%s/%s", op, anyway)}
	default:
		return []string{fmt.Sprintf("^TestFrozen/^%s$", tier), "^Test/" + anyway}
	}
}

// skipped returns a pattern for tests of ops without a kernel for the architecture. These tests are
// slow and cannot detect a mutant.
func (k *kernel) skipped() string {
	if filepath.Base(filepath.Dir(k.file.path)) != "hamming" {
		return ""
	}
	var ops []string
	for _, op := range []string{"Near", "Read"} {
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(k.file.path), strings.ToLower(op)+"_*"+k.file.architecture.suffix())) // cannot fail, because the pattern is valid
		if len(files) == 0 {
			ops = append(ops, op)
		}
	}
	if ops == nil {
		return ""
	}
	names := "(" + strings.Join(ops, "|") + ")"
	return "^Test" + names + "|^TestFrozen/./^" + strings.ToLower(names)
}
