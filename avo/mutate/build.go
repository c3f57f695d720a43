package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// batchSize is the number of mutants that share a binary.
const batchSize = 500

// batch is a set of mutants of one kernel.
type batch struct {
	kernel  *kernel
	mutants []mutant
}

// batches divides the mutants whose outcome is not known yet into batches.
func (f *file) batches(k *kernel, mutants []mutant, done outcomes) (list []*batch) {
	mutants = slices.DeleteFunc(slices.Clone(mutants), func(m mutant) bool { _, known := done[m.id(k)]; return known })
	for chunk := range slices.Chunk(mutants, batchSize) {
		list = append(list, &batch{k, chunk})
	}
	return list
}

// selector is the environment variable that selects the mutant; 0 is the original kernel.
const selector = "FPHASH_MUTANT"

// otherNoise is the environment variable that, if true, fills the registers with the complements of
// the usual numbers before a mutant runs.
const otherNoise = "FPHASH_MUTANT_OTHER_NOISE"

// patienceVariable is the environment variable that limits the processor time of a mutant, in
// nanoseconds.
const patienceVariable = "FPHASH_MUTANT_PATIENCE"

// picker is a file that is added to the package. A mutant may allocate any amount of memory, so the
// file sets a limit that is far above what the tests need. A mutant may never end, so a timer for
// processor time kills it. (RLIMIT_CPU counts seconds, which is too coarse for hundreds of endless
// mutants.)
const picker = `//go:build %s && !purego

package %s

import (
	"os"
	"strconv"
	"syscall"
	"unsafe"
)

// The assembly reads the number of the selected mutant and the numbers that fill the registers.
// Without these, a register might still hold the argument that a mutant fails to load. The numbers
// differ, so that the XOR of two registers is not 0.
var (
	mutantPicked uint64
	mutantNoise  [%d]uint64
)

func init() {
	read := func(variable string) uint64 {
		n, err := strconv.ParseUint(os.Getenv(variable), 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	mutantPicked = read("` + selector + `")
	for i := range mutantNoise {
		mutantNoise[i] = 0x5a5a5a5a5a5a5a01 * uint64(i+1)
		if os.Getenv("` + otherNoise + `") == "true" {
			mutantNoise[i] = ^mutantNoise[i]
		}
	}
	const memory = 8 << 30
	if err := syscall.Setrlimit(syscall.RLIMIT_AS, &syscall.Rlimit{Cur: memory, Max: memory}); err != nil {
		panic(err)
	}
	event := struct {
		value          uintptr
		signal, notify int32
		padding        [48]byte
	}{signal: int32(syscall.SIGKILL)}
	var timer int32
	limit := [4]int64{2: int64(read("` + patienceVariable + `") / 1e9), 3: int64(read("` + patienceVariable + `") %% 1e9)}
	const processTime = 2
	if _, _, errno := syscall.RawSyscall(syscall.SYS_TIMER_CREATE, processTime, uintptr(unsafe.Pointer(&event)), uintptr(unsafe.Pointer(&timer))); errno != 0 {
		panic(errno)
	}
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_TIMER_SETTIME, uintptr(timer), 0, uintptr(unsafe.Pointer(&limit)), 0, 0, 0); errno != 0 {
		panic(errno)
	}
}
`

// assembly returns an assembly file with all mutants of the batch. owner has the index of the
// mutant that each line belongs to, or -1.
func (b *batch) assembly() (lines []string, owner []int) {
	add := func(who int, more ...string) {
		for _, line := range more {
			lines, owner = append(lines, line), append(owner, who)
		}
	}
	f, k := b.kernel.file, b.kernel
	add(-1, f.head...)
	for _, other := range f.kernels {
		if other != k {
			add(-1, other.text)
			add(-1, other.body...)
		}
	}
	add(-1, withoutFrame(k.text))
	add(-1, f.architecture.begin...)
	add(-1, k.variant(k.name+"__0", mutant{line: -1})...)
	for i, m := range b.mutants {
		add(i, k.variant(fmt.Sprintf("%s__%d", k.name, i+1), m)...)
	}
	for _, name := range f.order {
		add(-1, f.data[name]...)
	}
	for i := range len(b.mutants) + 1 {
		add(-1, fmt.Sprintf("DATA mutantTable<>+%d(SB)/8, $·%s__%d(SB)", 8*i, k.name, i))
	}
	add(-1, fmt.Sprintf("GLOBL mutantTable<>(SB), NOPTR, $%d", 8*(len(b.mutants)+1)))
	return lines, owner
}

// withoutFrame returns a TEXT line for a function without a frame. A function that this one jumps
// to then returns to the same caller.
func withoutFrame(text string) string {
	m := frame.FindStringSubmatch(text)
	if m == nil || m[2] == "0" {
		return text
	}
	return m[1] + "|NOFRAME, $0" + m[3]
}

var frame = regexp.MustCompile(`^(.*), \$(\d+)(-\d+)$`)

var position = regexp.MustCompile(`\.s:(\d+)`)

// goRoot returns the root of the Go tree of the go command.
var goRoot = sync.OnceValues(func() (string, error) {
	out, err := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(out)), err
})

// build writes the batch into dir and builds the tests of its package. It removes mutants that do
// not assemble from the batch and returns them.
func (b *batch) build(dir string) (binary string, bad []mutant, err error) {
	root, err := goRoot()
	if err != nil {
		return "", nil, err
	}
	architecture := b.kernel.file.architecture
	source := filepath.Join(dir, "mutants"+architecture.suffix())
	for {
		lines, owner := b.assembly()
		if err := os.WriteFile(source, []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			return "", nil, err
		}
		cmd := exec.Command("go", "tool", "asm", "-e", "-p", "p", "-I", filepath.Join(root, "pkg", "include"), "-I", filepath.Dir(b.kernel.file.path),
			"-D", "GOOS_"+runtime.GOOS, "-D", "GOARCH_"+architecture.name, "-o", filepath.Join(dir, "mutants.o"), source)
		cmd.Env = architecture.environment()
		out, err := cmd.CombinedOutput()
		if err == nil {
			break
		}
		refused := map[int]bool{}
		for _, m := range position.FindAllSubmatch(out, -1) {
			if n, err := strconv.Atoi(string(m[1])); err == nil && n <= len(owner) && owner[n-1] >= 0 {
				refused[owner[n-1]] = true
			}
		}
		if len(refused) == 0 {
			return "", nil, fmt.Errorf("%s: %w\n%s", b.kernel.name, err, out)
		}
		var good []mutant
		for i, m := range b.mutants {
			if refused[i] {
				bad = append(bad, m)
			} else {
				good = append(good, m)
			}
		}
		b.mutants = good
	}
	overlay, err := b.overlay(dir, source)
	if err != nil {
		return "", nil, err
	}
	binary = filepath.Join(dir, "mutants.test")
	var stderr bytes.Buffer
	cmd := exec.Command("go", "test", "-c", "-vet=off", "-overlay", overlay, "-o", binary, ".")
	cmd.Dir = filepath.Dir(b.kernel.file.path) // its module may be a different one
	cmd.Env = architecture.environment()
	cmd.Stderr = &stderr
	if err := cmd.Run(); err != nil {
		return "", nil, fmt.Errorf("%s: %w\n%s", b.kernel.name, err, stderr.Bytes())
	}
	return binary, bad, nil
}

// overlay writes the list of files that replace files of the tree in a build, and returns its path.
func (b *batch) overlay(dir, source string) (string, error) {
	path := b.kernel.file.path
	pick := filepath.Join(dir, "pick.go")
	if err := os.WriteFile(pick, fmt.Appendf(nil, picker, b.kernel.file.architecture.name, filepath.Base(filepath.Dir(path)), b.kernel.file.architecture.noise), 0o644); err != nil {
		return "", err
	}
	data, err := json.Marshal(map[string]map[string]string{"Replace": {path: source, filepath.Join(filepath.Dir(path), "zz_mutant_picker.go"): pick}})
	if err != nil {
		return "", err
	}
	overlay := filepath.Join(dir, "overlay.json")
	return overlay, os.WriteFile(overlay, data, 0o644)
}
