package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mutant is one change of a kernel.
type mutant struct {
	kind     string // delete, condition, immediate, displacement, swap, register, constant
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
	spaces       = regexp.MustCompile(`\s+`)
	immediate    = regexp.MustCompile(`\$(0x[0-9a-fA-F]+|-?\d+)`)
	displacement = regexp.MustCompile(`(^|, | )(-?\d*)\((?:[A-Z]|R\d)`)
	registerName = regexp.MustCompile(`^([XYZK])(\d+)$`)
)

// opposite is the other way of a condition, and next to it.
var opposite = map[string][]string{
	"JE": {"JNE"}, "JZ": {"JNZ"}, "JEQ": {"JNE"}, "JNE": {"JEQ"}, "JNZ": {"JZ"},
	"JL": {"JGE", "JLE"}, "JLT": {"JGE", "JLE"}, "JGE": {"JL", "JG"}, "JG": {"JLE", "JGE"}, "JGT": {"JLE", "JGE"}, "JLE": {"JG", "JL"},
	"JA": {"JBE", "JAE"}, "JHI": {"JBE", "JAE"}, "JAE": {"JB", "JA"}, "JB": {"JAE", "JBE"}, "JBE": {"JA", "JB"}, "JLS": {"JA", "JB"},
	"JC": {"JNC"}, "JCS": {"JCC"}, "JNC": {"JC"}, "JCC": {"JCS"}, "JS": {"JNS"}, "JNS": {"JS"}, "JMI": {"JPL"}, "JPL": {"JMI"}, "JMP": nil,
}

// commutative instructions give the same whatever the order of their sources.
var commutative = regexp.MustCompile(`^(VP?(ADD|XOR|OR|MUL|MAX|MIN|AVG|CMPEQ|SADBW|MADDWD)[A-Z0-9]*|VPAND[DQ]?|VANDP[SD]|K(AND|OR|XOR|XNOR|ADD|TEST|ORTEST)[BWDQ]) ` +
	`|^VCMPP[SD] \$0x0[04], |^VPTERNLOG[DQ] \$0x(96|e8), `)

// general registers that a mutant may use instead of one another: those that belong to no
// convention.
var general = []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}

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
		for _, other := range opposite[op] {
			add("condition", other+" "+rest)
		}
		if _, jump := opposite[op]; jump {
			continue
		}
		for _, value := range flipped(immediate.FindStringSubmatch(before)) {
			add("immediate", immediate.ReplaceAllLiteralString(before, value))
		}
		if m := displacement.FindStringSubmatchIndex(before); m != nil {
			offset, _ := strconv.Atoi(before[m[4]:m[5]]) // none is zero
			add("displacement", before[:m[4]]+strconv.Itoa(offset+8)+before[m[5]:])
		}
		operands := strings.Split(rest, ", ")
		if len(operands) >= 3 && !commutative.MatchString(before) {
			for first := range len(operands) - 2 {
				swapped := slices.Clone(operands)
				swapped[first], swapped[first+1] = swapped[first+1], swapped[first]
				add("swap", op+" "+strings.Join(swapped, ", "))
			}
		}
		for _, at := range []int{0, len(operands) - 1} {
			if other := neighbour(operands[at]); other != "" && (at > 0 || len(operands) > 1) {
				changed := slices.Clone(operands)
				changed[at] = other
				add("register", op+" "+strings.Join(changed, ", "))
			}
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

// neighbour returns another register of the same kind, or nothing if the operand is no register.
func neighbour(operand string) string {
	if i := slices.Index(general, operand); i >= 0 {
		return general[(i+1)%len(general)]
	}
	m := registerName.FindStringSubmatch(operand)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[2])
	if m[1] == "K" {
		return "K" + strconv.Itoa(n%7+1)
	}
	return m[1] + strconv.Itoa((n+1)%16)
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
// seed and the kernel's name.
func (o *options) choose(k *kernel) []mutant {
	list := k.mutants()
	if k.instructions() <= o.every || len(list) <= o.sample {
		return list
	}
	h := fnv.New64a()
	h.Write([]byte(k.name))
	r := rand.New(rand.NewPCG(o.seed, h.Sum64()))
	r.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:o.sample]
}
