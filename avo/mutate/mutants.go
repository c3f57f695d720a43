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
	kind     string // delete, constant, or the kind of the change
	constant string // the changed constant, for that kind
	line     int    // position in the kernel's body, or in the lines of the constant
	ordinal  int    // position among the kernel's lines with the same text, from 1
	before   string
	after    string // empty if deleted
}

// id identifies the mutant by its kernel, its kind, and the text of the changed instruction. It
// does not depend on the rest of the file.
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

// mutants returns all mutants of the kernel.
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
			continue // without it, whatever follows in memory would run
		}
		add := func(kind, after string) {
			if after != before {
				list = append(list, mutant{kind: kind, line: i, ordinal: seen[before], before: before, after: after})
			}
		}
		op, rest, _ := strings.Cut(before, " ")
		if from, to, _ := strings.Cut(rest, ", "); !strings.HasPrefix(op, "VMOV") || from != to {
			add("delete", "") // deleting a move of a register to itself changes nothing
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
		signed, _ := strconv.ParseInt(match[1], 0, 64) // cannot fail, because the pattern matched
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

// constants returns a mutant for each item of the constants that the kernel reads. Other kernels of
// the file keep the original constant.
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
				// for a byte that a shuffle clears, only the highest bit matters
				after = fmt.Sprintf("$0x%x", v^0x80)
			}
			if mask && strings.Contains(line, "/1,") && i%4 != 3 {
				continue // masked loads read only the highest bit of an element of at least four bytes
			}
			if mask {
				after = strings.NewReplacer("0", "f", "f", "0", "$0x", "$0x").Replace("$" + m[1])
			}
			list = append(list, mutant{kind: "constant", constant: name, line: i, ordinal: 1, before: line, after: immediate.ReplaceAllLiteralString(line, after)})
		}
	}
	return list
}

// allOrNothing matches an item whose bits are all equal.
var allOrNothing = regexp.MustCompile(`\$0x(0+|f+)$`)

// isMask reports whether each item of a table is all ones or all zeros, and the table has both.
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

// choose returns the mutants of the kernel to run: all, or a sample that depends only on the
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
