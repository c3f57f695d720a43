package main

import (
	"bufio"
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"simhashkit/internal/process"
	"simhashkit/results/measure/evidence"
)

// program is a program for arm64 that calls kernels, with its instructions.
type program struct {
	path   string
	dir    string // for what the emulator logs
	cases  []one
	ranges string            // the addresses of the kernels, as the emulator takes them
	own    [][2]uint64       // where functions that are no library's begin and end
	text   map[uint64]string // the instructions at these addresses, as llvm-mca takes them
}

// ours are the ops of this project that have kernels for arm64.
func ours() (list []one) {
	for _, c := range []one{
		{"unit", "", 256, 512, 100, evidence.CyclesPerFeature},
		{"f32", "", 64, 128, 100, evidence.CyclesPerFeature},
		{"i32", "", 64, 128, 100, evidence.CyclesPerFeature},
		{"i64", "", 64, 128, 100, evidence.CyclesPerFeature},
		{"f64", "", 64, 128, 100, evidence.CyclesPerFeature},
		{"minhash", "", 64, 128, 0, evidence.CyclesPerFeature},
		{"scan", "", 512, 1024, 0, evidence.CyclesPerFingerprint},
		{"split", "", 1024, 2048, 0, evidence.CyclesPerFingerprint},
	} {
		for _, c.kernel = range []string{"generic", "neon"} {
			list = append(list, c)
		}
	}
	return list
}

// build builds the program into the folder.
func build(ctx context.Context, dir, llvm string) (*program, error) {
	path := filepath.Join(dir, "program")
	command := exec.Command("go", "build", "-buildvcs=false", "-o", path, "./measure/cycles/probe")
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if _, err := process.Output(ctx, command); err != nil {
		return nil, err
	}
	p := &program{path: path, dir: dir, cases: ours()}
	return p, p.disassemble(ctx, "llvm-objdump-"+llvm, kernels)
}

// library is a program of somebody else that counts the ones of random codes by position, as unit
// weights are summed. It is called like probe.
type library struct {
	name, path string
	functions  string // a regular expression for those that are followed, by their symbols
}

// open reads the program; the folder is for what the emulator logs. Functions of assembly that only
// their own file knows have symbols without the name of a package.
func (l library) open(ctx context.Context, dir, llvm string) (*program, error) {
	functions, err := regexp.Compile(l.functions)
	if err != nil {
		return nil, err
	}
	p := &program{path: l.path, dir: dir, cases: []one{{"unit", l.name, 256, 512, 100, evidence.CyclesPerFeature}}}
	return p, p.disassemble(ctx, "llvm-objdump-"+llvm, functions)
}

// disassemble reads the instructions of the functions whose names the expression matches.
func (p *program) disassemble(ctx context.Context, objdump string, kernels *regexp.Regexp) error {
	file, err := elf.Open(p.path)
	if err != nil {
		return err
	}
	defer file.Close()
	symbols, err := file.Symbols()
	if err != nil {
		return err
	}
	var ranges []string
	for _, s := range symbols {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && kernels.MatchString(s.Name) && !strings.Contains(s.Name, ".init") {
			ranges = append(ranges, fmt.Sprintf("%#x+%#x", s.Value, s.Size))
			if !ofLibrary.MatchString(s.Name) {
				p.own = append(p.own, [2]uint64{s.Value, s.Value + s.Size})
			}
		}
	}
	if len(ranges) == 0 {
		return fmt.Errorf("%s has no function that %s matches", p.path, kernels)
	}
	p.ranges = strings.Join(ranges, ",")
	out, err := process.Output(ctx, exec.Command(objdump, "-d", "--no-show-raw-insn", "--mattr=+all", p.path))
	if err != nil {
		return err
	}
	p.text, err = instructions(out)
	return err
}

var (
	instruction = regexp.MustCompile(`^ *([0-9a-f]+): +\t?(\S.*)$`)
	target      = regexp.MustCompile(`0x[0-9a-f]+ <.*>$`)
)

// instructions reads what llvm-objdump has printed. Targets of branches are left out: they are
// addresses of another program for llvm-mca.
func instructions(listing []byte) (map[uint64]string, error) {
	text := map[uint64]string{}
	lines := bufio.NewScanner(bytes.NewReader(listing))
	lines.Buffer(nil, 1<<20) // names of generic functions are long
	for lines.Scan() {
		m := instruction.FindStringSubmatch(lines.Text())
		if m == nil {
			continue
		}
		address, err := strconv.ParseUint(m[1], 16, 64)
		if err != nil {
			return nil, err
		}
		line, _, _ := strings.Cut(m[2], "//")
		text[address] = target.ReplaceAllLiteralString(strings.TrimSpace(line), ".")
	}
	return text, lines.Err()
}
