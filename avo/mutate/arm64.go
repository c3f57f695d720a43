package main

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

var arm64 = &architecture{name: "arm64", general: generalARM64, changes: changesARM64, begin: beginARM64(), noise: len(generalARM64)}

// generalARM64 lists the general registers that have no special role in Go's calling convention.
// R16 and R17 are missing: beginARM64 uses them.
var generalARM64 = []string{"R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7", "R8", "R9", "R10", "R11", "R12", "R13", "R14", "R15"}

// beginARM64 also fills the vector registers.
func beginARM64() []string {
	lines := []string{"\tMOVD ·mutantPicked(SB), R16", "\tMOVD $mutantTable<>(SB), R17", "\tMOVD (R17)(R16<<3), R17"}
	for i, register := range generalARM64 {
		lines = append(lines, fmt.Sprintf("\tMOVD ·mutantNoise+%d(SB), %s", 8*i, register))
	}
	for i := range 32 {
		lines = append(lines, fmt.Sprintf("\tVDUP %s, V%d.D2", generalARM64[i%len(generalARM64)], i))
	}
	return append(lines, "\tJMP (R17)")
}

// oppositeARM64 has the inverse of each conditional branch and, for order comparisons, the branch
// that differs only for equal operands.
var oppositeARM64 = map[string][]string{
	"BEQ": {"BNE"}, "BNE": {"BEQ"}, "CBZ": {"CBNZ"}, "CBNZ": {"CBZ"}, "TBZ": {"TBNZ"}, "TBNZ": {"TBZ"}, "BMI": {"BPL"}, "BPL": {"BMI"},
	"BLT": {"BGE", "BLE"}, "BGE": {"BLT", "BGT"}, "BGT": {"BLE", "BGE"}, "BLE": {"BGT", "BLT"},
	"BLO": {"BHS", "BLS"}, "BHS": {"BLO", "BHI"}, "BHI": {"BLS", "BHS"}, "BLS": {"BHI", "BLO"}, "B": nil,
}

// sibling has, for each instruction, a different one with the same operands.
var sibling = map[string]string{
	"ADD": "SUB", "SUB": "ADD", "ADDS": "SUBS", "SUBS": "ADDS", "AND": "ORR", "ORR": "AND", "EOR": "ORR", "LSL": "LSR", "LSR": "LSL", "UBFX": "SBFX", "CMP": "CMN",
	"MOVW": "MOVWU", "MOVWU": "MOVW", "MOVHU": "MOVH", "FMOVQ": "FMOVD",
	"VADD": "VSUB", "VSUB": "VADD", "VAND": "VORR", "VORR": "VAND", "VEOR": "VORR", "VBIT": "VBIF", "VBIF": "VBIT", "VUMIN": "VUMAX", "VUMAX": "VUMIN", "VADDP": "VADD",
	"VZIP1": "VZIP2", "VZIP2": "VZIP1", "VUZP1": "VUZP2", "VUZP2": "VUZP1", "VTRN1": "VTRN2", "VTRN2": "VTRN1", "VSHL": "VUSHR", "VUSHR": "VSHL",
	"FADD_S4": "FSUB_S4", "FSUB_S4": "FADD_S4", "FADD_D2": "FSUB_D2", "FSUB_D2": "FADD_D2",
	"ADD_S4": "SUB_S4", "SUB_S4": "ADD_S4", "ADD_D2": "SUB_D2", "SUB_D2": "ADD_D2",
}

// siblingBits has the bits in which the encoding by a macro differs from that of a sibling without
// a macro: CMHS and CMHI, UMINV and UMAXV, SSHR and USHR.
var siblingBits = map[string]uint64{"CMHS_B16": 1 << 11, "UMINV_B16": 1 << 16, "FOLD_SIGN": 1 << 29}

// commutativeARM64 matches instructions whose result does not depend on the order of their sources.
var commutativeARM64 = regexp.MustCompile(`^(ADDS?|AND|ORR|EOR|VADD|VAND|VORR|VEOR|VUMIN|VUMAX|VCMEQ|F?ADD_[SD]\d)$`)

var (
	memoryARM64   = regexp.MustCompile(`^(-?\d*)\((R\d+)\)$`)
	shiftedARM64  = regexp.MustCompile(`^R\d+(<<|>>|->|@>)(\d+)$`)
	laneARM64     = regexp.MustCompile(`\.([BHSD])\[(\d+)\]$`)
	generalNumber = regexp.MustCompile(`^R(\d+)`)
	vectorOperand = regexp.MustCompile(`^\[?[VF]\d`)
	vectorNumber  = regexp.MustCompile(`[VF]\d+`)
)

func changesARM64(f *file, before string) (list []change) {
	add := func(kind, after string) { list = append(list, change{kind, after}) }
	op, rest, _ := strings.Cut(before, " ")
	name, bracket, encoded := strings.Cut(before, "(")
	encoded = encoded && f.macros[name].encodes()
	text := func(op string, operands []string) string { return op + " " + strings.Join(operands, ", ") }
	if encoded {
		op, rest = name, strings.TrimSuffix(bracket, ")")
		text = func(op string, operands []string) string { return op + "(" + strings.Join(operands, ", ") + ")" }
	}
	operands := arguments(rest)
	with := func(at int, operand string) string {
		changed := slices.Clone(operands)
		changed[at] = operand
		return text(op, changed)
	}
	for _, other := range oppositeARM64[op] {
		add("condition", text(other, operands))
	}
	_, jump := oppositeARM64[op]
	base, increment := strings.CutSuffix(op, ".P")
	if other := sibling[base]; other != "" {
		add("opcode", text(other+op[len(base):], operands))
	}
	if bits := siblingBits[op]; encoded && bits != 0 {
		add("opcode", f.encoded(op, operands, bits))
	}
	for at, operand := range operands {
		if strings.HasPrefix(operand, "$") {
			for _, value := range flipped(immediate.FindStringSubmatch(operand)) {
				add("immediate", with(at, value))
			}
		}
		if m := shiftedARM64.FindStringSubmatch(operand); m != nil {
			n, _ := strconv.Atoi(m[2]) // digits
			add("shift", with(at, strings.TrimSuffix(operand, m[2])+strconv.Itoa(n^1)))
		}
		if m := laneARM64.FindStringSubmatch(operand); m != nil {
			n, _ := strconv.Atoi(m[2])
			add("lane", with(at, strings.TrimSuffix(operand, m[2]+"]")+strconv.Itoa(n^1)+"]"))
		}
		if m := memoryARM64.FindStringSubmatch(operand); m != nil {
			offset, _ := strconv.Atoi(m[1]) // a missing offset is 0
			step := 8
			if strings.HasPrefix(op, "FLDPQ") || strings.HasPrefix(op, "FSTPQ") {
				step = 16
			}
			add("displacement", with(at, fmt.Sprintf("%d(%s)", offset+step, m[2])))
			if increment {
				changed := slices.Clone(operands)
				changed[at] = "(" + m[2] + ")"
				add("increment", text(base, changed))
			}
		}
		if pair := pairOf(operand); pair != nil && pair[0] != pair[1] {
			add("swap", with(at, "("+pair[1]+", "+pair[0]+")"))
		}
	}
	if len(operands) >= 3 && !jump && !commutativeARM64.MatchString(op) {
		for first := range len(operands) - 2 {
			if operands[first] == operands[first+1] {
				continue
			}
			swapped := slices.Clone(operands)
			swapped[first], swapped[first+1] = swapped[first+1], swapped[first]
			add("swap", text(op, swapped))
		}
	}
	for at, operand := range operands {
		if at > 0 && at < len(operands)-1 || jump && at == len(operands)-1 {
			continue
		}
		if other := neighbourARM64(operand, encoded); other != "" {
			add("register", with(at, other))
		}
	}
	return list
}

// pairOf returns the two registers of a pair, or nil if the operand is not a pair.
func pairOf(operand string) []string {
	inner, ok := strings.CutPrefix(operand, "(")
	if list := arguments(strings.TrimSuffix(inner, ")")); ok && len(list) == 2 {
		return list
	}
	return nil
}

// neighbourARM64 returns the operand with another register of the same kind, or "" if the operand
// is not a register. In a list it replaces all registers, and in a pair the second.
func neighbourARM64(operand string, encoded bool) string {
	if pair := pairOf(operand); pair != nil {
		if other := neighbourARM64(pair[1], encoded); other != "" {
			return "(" + pair[0] + ", " + other + ")"
		}
		return ""
	}
	next := func(n string) int { i, _ := strconv.Atoi(n); return (i + 1) % 32 } // digits
	switch {
	case encoded:
		return strconv.Itoa(next(operand))
	case generalNumber.MatchString(operand):
		m := generalNumber.FindString(operand)
		i := slices.Index(generalARM64, m)
		if i < 0 {
			return ""
		}
		return generalARM64[(i+1)%len(generalARM64)] + operand[len(m):]
	case vectorOperand.MatchString(operand):
		return vectorNumber.ReplaceAllStringFunc(operand, func(v string) string { return v[:1] + strconv.Itoa(next(v[1:])) })
	}
	return ""
}

// encoded returns the instruction that a macro encodes, with the given bits flipped.
func (f *file) encoded(name string, operands []string, bits uint64) string {
	m := f.macros[name]
	body := nameWord.ReplaceAllStringFunc(m.body, func(word string) string {
		if i := slices.Index(m.parameters, word); i >= 0 {
			return operands[i]
		}
		return word
	})
	return immediateOfWord.ReplaceAllStringFunc(body, func(number string) string {
		n, err := strconv.ParseUint(number, 0, 64)
		if err != nil {
			return number // impossible for numbers of eight digits
		}
		return fmt.Sprintf("0x%08X", n^bits)
	})
}

var immediateOfWord = regexp.MustCompile(`0x[0-9A-Fa-f]{8}\b`)
