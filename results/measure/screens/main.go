// Command screens writes the screens in cmd/fphash/screens.md anew: what the commands print on real
// data, which lies in the folder that it is given. Times are those of this machine.
package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"

	"simhashkit/results/measure/marks"
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go -C results run ./measure/screens FOLDER, that of the real data")
		os.Exit(2)
	}
	dir, err := workshop(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "screens:", err)
		os.Exit(1)
	}
	defer os.RemoveAll(dir)
	blocks := []marks.Block{{Name: "machine", Write: func(string, string) (string, error) { return machine(), nil }}}
	for _, s := range screens {
		blocks = append(blocks, marks.Block{Name: s.name, Write: func(string, string) (string, error) { return s.block(dir) }})
	}
	if err := marks.Rewrite("..", "cmd/fphash/screens.md", blocks); err != nil {
		fmt.Fprintln(os.Stderr, "screens:", err)
		os.Exit(1)
	}
}

// screen is what a command prints, or a part of it.
type screen struct {
	name, prepare, command string
	from                   string // how the first line begins that is shown; "" for all
	to                     string // how the first line begins that is not shown any more
	same                   bool   // it prints the same each time
}

var screens = []screen{
	{name: "choose", command: "fphash choose massbank_A.svm.gz"},
	{name: "bench", command: "fphash bench url_Instances_1000.svm.gz", to: "Weak and undecided"},
	{name: "calibrate", command: "fphash calibrate agaricus.txt.train.gz", to: "Near-duplicates, cosine", same: true},
	{name: "dedup", command: "fphash dedup massbank_A.svm.gz --verify cosine:0.95", same: true},
	{name: "doctor", command: "fphash doctor --family fnv1a64 --encoding dec --data agaricus.txt.test.gz", same: true},
	{name: "ab", command: "fphash ab --hash xxh64,splitmix64 --data massbank_A.svm.gz --kernel generic", from: "sec/nnz"},
	{
		name:    "compare",
		prepare: "for kernel in avx2 generic; do FPHASH_KERNEL=$kernel fphash bench url_Instances_1000.svm.gz --hash xxh64 --kernel $kernel --runs 4 --run 'Sketch.*data=' -o $kernel.txt; sed -i s/kernel=$kernel/kernel=best/ $kernel.txt; done; mv avx2.txt old.txt; mv generic.txt new.txt",
		command: "fphash compare old.txt new.txt", from: "sec/nnz",
	},
}

// workshop returns a folder with the data and the program.
func workshop(data string) (string, error) {
	dir, err := os.MkdirTemp("", "screens")
	if err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(data)); err != nil {
		return "", err
	}
	build := exec.Command("go", "build", "-C", "..", "-buildvcs=false", "-o", filepath.Join(dir, "fphash"), "./cmd/fphash")
	build.Stderr = os.Stderr
	return dir, build.Run()
}

// block is the screen as Markdown.
func (s screen) block(dir string) (string, error) {
	text, err := s.run(dir)
	return fmt.Sprintf("```text\n$ %s\n%s\n```\n", s.command, text), err
}

// run runs the command, whose answer may be no.
func (s screen) run(dir string) (string, error) {
	shell := func(line string) ([]byte, error) {
		command := exec.Command("sh", "-c", line)
		command.Dir = dir
		command.Env = append(os.Environ(), "PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))
		out, err := command.Output()
		if exit, ok := err.(*exec.ExitError); ok && exit.ExitCode() == 1 {
			err = nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", line, err)
		}
		return out, nil
	}
	if s.prepare != "" {
		if _, err := shell(s.prepare); err != nil {
			return "", err
		}
	}
	out, err := shell(s.command)
	text := strings.TrimSpace(string(out))
	if at := strings.Index("\n"+text, "\n"+s.from); s.from != "" && at >= 0 {
		text = "…\n" + text[at:]
	}
	if at := strings.Index(text, "\n"+s.to); s.to != "" && at >= 0 {
		text = strings.TrimSpace(text[:at]) + "\n…"
	}
	return text, err
}

func machine() string {
	return fmt.Sprintf("On one core of %s, %s, %s.\n", cpuid.CPU.BrandName, runtime.Version(), time.Now().UTC().Format(time.DateOnly))
}
