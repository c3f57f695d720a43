package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var amd64 = &architecture{name: "amd64", general: generalAMD64, changes: changesAMD64, begin: beginAMD64(), noise: len(generalAMD64) - 1}

// generalAMD64 lists the general registers that have no special role in Go's calling convention.
var generalAMD64 = []string{"AX", "BX", "CX", "DX", "SI", "DI", "R8", "R9", "R10", "R11", "R12", "R13"}

// beginAMD64 returns instructions that fill all general registers but AX, the jump target.
func beginAMD64() []string {
	lines := []string{"\tMOVQ ·mutantPicked(SB), AX", "\tLEAQ mutantTable<>(SB), CX", "\tMOVQ (CX)(AX*8), AX"}
	for i, register := range generalAMD64[1:] {
		lines = append(lines, fmt.Sprintf("\tMOVQ ·mutantNoise+%d(SB), %s", 8*i, register))
	}
	return append(lines, "\tJMP AX")
}

var (
	displacementAMD64 = regexp.MustCompile(`(^|, | )(-?\d*)\((?:[A-Z]|R\d)`)
	registerAMD64     = regexp.MustCompile(`^([XYZK])(\d+)$`)
)

// oppositeAMD64 has the inverse of each conditional jump and, for order comparisons, the jump that
// differs only for equal operands.
var oppositeAMD64 = map[string][]string{
	"JE": {"JNE"}, "JZ": {"JNZ"}, "JEQ": {"JNE"}, "JNE": {"JEQ"}, "JNZ": {"JZ"},
	"JL": {"JGE", "JLE"}, "JLT": {"JGE", "JLE"}, "JGE": {"JL", "JG"}, "JG": {"JLE", "JGE"}, "JGT": {"JLE", "JGE"}, "JLE": {"JG", "JL"},
	"JA": {"JBE", "JAE"}, "JHI": {"JBE", "JAE"}, "JAE": {"JB", "JA"}, "JB": {"JAE", "JBE"}, "JBE": {"JA", "JB"}, "JLS": {"JA", "JB"},
	"JC": {"JNC"}, "JCS": {"JCC"}, "JNC": {"JC"}, "JCC": {"JCS"}, "JS": {"JNS"}, "JNS": {"JS"}, "JMI": {"JPL"}, "JPL": {"JMI"}, "JMP": nil,
}

// commutativeAMD64 matches instructions whose result does not depend on the order of their sources.
var commutativeAMD64 = regexp.MustCompile(`^(VP?(ADD|XOR|OR|MUL|MAX|MIN|AVG|CMPEQ|SADBW|MADDWD)[A-Z0-9]*|VPAND[DQ]?|VANDP[SD]|K(AND|OR|XOR|XNOR|ADD|TEST|ORTEST)[BWDQ]) ` +
	`|^VCMPP[SD] \$0x0[04], |^VPTERNLOG[DQ] \$0x(96|e8), `)

func changesAMD64(_ *file, before string) (list []change) {
	add := func(kind, after string) { list = append(list, change{kind, after}) }
	op, rest, _ := strings.Cut(before, " ")
	for _, other := range oppositeAMD64[op] {
		add("condition", other+" "+rest)
	}
	if _, jump := oppositeAMD64[op]; jump {
		return list
	}
	for _, value := range flipped(immediate.FindStringSubmatch(before)) {
		add("immediate", immediate.ReplaceAllLiteralString(before, value))
	}
	if m := displacementAMD64.FindStringSubmatchIndex(before); m != nil {
		offset, _ := strconv.Atoi(before[m[4]:m[5]]) // a missing offset is 0
		add("displacement", before[:m[4]]+strconv.Itoa(offset+8)+before[m[5]:])
	}
	operands := strings.Split(rest, ", ")
	if len(operands) >= 3 && !commutativeAMD64.MatchString(before) {
		for first := range len(operands) - 2 {
			swapped := slices.Clone(operands)
			swapped[first], swapped[first+1] = swapped[first+1], swapped[first]
			add("swap", op+" "+strings.Join(swapped, ", "))
		}
	}
	for _, at := range []int{0, len(operands) - 1} {
		if other := neighbourAMD64(operands[at]); other != "" && (at > 0 || len(operands) > 1) {
			changed := slices.Clone(operands)
			changed[at] = other
			add("register", op+" "+strings.Join(changed, ", "))
		}
	}
	return list
}

// neighbourAMD64 returns another register of the same kind, or "" if the operand is not a register.
func neighbourAMD64(operand string) string {
	if i := slices.Index(generalAMD64, operand); i >= 0 {
		return generalAMD64[(i+1)%len(generalAMD64)]
	}
	m := registerAMD64.FindStringSubmatch(operand)
	if m == nil {
		return ""
	}
	n, _ := strconv.Atoi(m[2])
	if m[1] == "K" {
		return "K" + strconv.Itoa(n%7+1)
	}
	return m[1] + strconv.Itoa((n+1)%16)
}
