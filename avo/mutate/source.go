package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/klauspost/cpuid/v2"
)

// file is one assembly file, taken apart.
type file struct {
	path         string // absolute
	architecture *architecture
	macros       map[string]macro
	head         []string
	kernels      []*kernel
	data         map[string][]string // by constant: its DATA lines and its GLOBL line
	order        []string            // the constants as they come in the file
}

// kernel is one TEXT.
type kernel struct {
	file     *file
	name     string
	text     string   // the TEXT line
	body     []string // what follows it: instructions, labels, blank lines
	requires []string // the extensions that it needs, by the names that avo has for them
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
		return nil, fmt.Errorf("%s: no TEXT in it", path)
	}
	return f, nil
}

// isInstruction tells instructions from labels.
func isInstruction(line string) bool { return strings.HasPrefix(line, "\t") }

// instructions counts them.
func (k *kernel) instructions() (n int) {
	for _, line := range k.body {
		if isInstruction(line) {
			n++
		}
	}
	return n
}

// missing says what the kernel requires and this processor has not, or that there is nothing to run
// it with; it is empty where the kernel can run.
func (k *kernel) missing() string {
	if k.file.architecture != amd64 {
		if _, err := k.file.architecture.emulator(); err != nil {
			return err.Error()
		}
		return "" // those that are emulated have all that kernels require
	}
	var missing []string
	for _, name := range k.requires {
		switch name {
		case "MMX+":
			continue // every amd64 processor has it
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

// variant is the kernel under another name, with one line replaced, and with its own copy of a
// constant if that is given.
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

// suites says which tests to run on mutants of the kernel: first the frozen outputs of its op and
// tier, then all tests that call it. Each is a pattern for -run, which has one for each level of
// subtests; a test whose subtests have other names than those runs without them.
func (k *kernel) suites() []string {
	folder := filepath.Base(filepath.Dir(k.file.path))
	name := strings.TrimSuffix(filepath.Base(k.file.path), k.file.architecture.suffix())
	cut := strings.LastIndex(name, "_")
	if cut < 0 {
		return []string{"^Test"}
	}
	op, tier := strings.ReplaceAll(name[:cut], "_", "-"), name[cut+1:]
	// the kernel itself and by way of the dispatch; a name that comes again gets a number
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

// skipped is a pattern for the tests of ops that have no kernel for the architecture, where other
// ops of the package have some: they take long and cannot see a mutant.
func (k *kernel) skipped() string {
	if filepath.Base(filepath.Dir(k.file.path)) != "hamming" {
		return ""
	}
	var ops []string
	for _, op := range []string{"Near", "Read"} {
		files, _ := filepath.Glob(filepath.Join(filepath.Dir(k.file.path), strings.ToLower(op)+"_*"+k.file.architecture.suffix())) // the pattern is well formed
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
