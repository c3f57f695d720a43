package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"strconv"
	"strings"
)

// mutant is one change of a kernel.
type mutant struct {
	kind     string // delete, constant, or that of the change
	constant string // the changed constant, for that kind
	line     int    // position in the kernel's body, or in the lines of the constant
	ordinal  int    // among the kernel's lines of the same text, from 1
	before   string
	after    string // empty if deleted
}

// id says what the mutant is, whatever else changes in the file: kernel, kind, and the changed
// instruction by its text.
func (m mutant) id(k *kernel) string {
	after := m.after
	if after == "" {
		after = "nothing"
	}
	return fmt.Sprintf("%s: %s: %s #%d -> %s", k.name, m.kind, m.before, m.ordinal, after)
}

var (
	spaces    = regexp.MustCompile(`\s+`)
	immediate = regexp.MustCompile(`\$(0x[0-9a-fA-F]+|-?\d+)`)
)

// mutants lists all that can be done to the kernel.
func (k *kernel) mutants() []mutant {
	var list []mutant
	seen := map[string]int{}
	for i, line := range k.body {
		if !isInstruction(line) {
			continue
		}
		before := spaces.ReplaceAllString(strings.TrimSpace(line), " ")
		seen[before]++
		if before == "RET" {
			continue // what follows in memory would run
		}
		add := func(kind, after string) {
			if after != before {
				list = append(list, mutant{kind: kind, line: i, ordinal: seen[before], before: before, after: after})
			}
		}
		op, rest, _ := strings.Cut(before, " ")
		if from, to, _ := strings.Cut(rest, ", "); !strings.HasPrefix(op, "VMOV") || from != to {
			add("delete", "") // a register moved to itself would not be missed
		}
		for _, c := range k.file.architecture.changes(k.file, before) {
			add(c.kind, c.after)
		}
	}
	return append(list, k.constants()...)
}

// flipped returns the immediate with its lowest and with its highest one bit flipped.
func flipped(match []string) []string {
	if match == nil {
		return nil
	}
	v, err := strconv.ParseUint(match[1], 0, 64)
	if err != nil {
		signed, _ := strconv.ParseInt(match[1], 0, 64) // the pattern allows nothing else
		return []string{"$" + strconv.FormatInt(signed^1, 10)}
	}
	values := []string{fmt.Sprintf("$0x%x", v^1)}
	for high := uint64(1) << 63; high > 1; high >>= 1 {
		if v&high != 0 {
			return append(values, fmt.Sprintf("$0x%x", v^high))
		}
	}
	return values
}

// constants lists changes of the constants that the kernel reads, one for each item. Other kernels
// of the file keep the constant as it is.
func (k *kernel) constants() (list []mutant) {
	mine := map[string]bool{}
	for _, line := range k.body {
		for _, m := range constantOf.FindAllStringSubmatch(line, -1) {
			mine[m[1]] = true
		}
	}
	for _, name := range k.file.order {
		if !mine[name] {
			continue
		}
		lines := k.file.data[name]
		mask := isMask(lines)
		for i, line := range lines {
			m := immediate.FindStringSubmatch(line)
			if !strings.HasPrefix(line, "DATA ") || m == nil {
				continue
			}
			after := flipped(m)[0]
			if v, err := strconv.ParseUint(m[1], 0, 8); err == nil && v >= 0x80 && strings.Contains(line, "/1,") {
				// a byte shuffle that puts a zero looks at no other bit
				after = fmt.Sprintf("$0x%x", v^0x80)
			}
			if mask && strings.Contains(line, "/1,") && i%4 != 3 {
				continue // loads look at the highest bit of an element, of four bytes or more
			}
			if mask {
				after = strings.NewReplacer("0", "f", "f", "0", "$0x", "$0x").Replace("$" + m[1])
			}
			list = append(list, mutant{kind: "constant", constant: name, line: i, ordinal: 1, before: line, after: immediate.ReplaceAllLiteralString(line, after)})
		}
	}
	return list
}

// allOrNothing is an item with all of its bits alike.
var allOrNothing = regexp.MustCompile(`\$0x(0+|f+)$`)

// isMask tells a table whose items are all ones or all zeros, both of them.
func isMask(lines []string) bool {
	ones, zeros := false, false
	for _, line := range lines {
		if !strings.HasPrefix(line, "DATA ") {
			continue
		}
		m := allOrNothing.FindStringSubmatch(line)
		if m == nil {
			return false
		}
		ones, zeros = ones || m[1][0] == 'f', zeros || m[1][0] == '0'
	}
	return ones && zeros
}

// choose returns the mutants of the kernel that are to be run: all, or a sample that depends on the
// kernel's name.
func (o *options) choose(k *kernel) []mutant {
	list := k.mutants()
	if k.instructions() <= o.every || len(list) <= o.sample {
		return list
	}
	h := fnv.New64a()
	h.Write([]byte(k.name))
	r := rand.New(rand.NewPCG(1, h.Sum64()))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:o.sample]
}
