// Package promises tests what the documentation promises to users who embed the module or copy asm.
// The packages below it test the documented commands and figures.
package promises

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// root is the folder of the module.
const root = "../.."

// run runs the go command in dir. It needs only modules that go test has already downloaded.
func run(t *testing.T, dir string, args ...string) string {
	t.Helper()
	tools.Need(t, "go")
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOWORK=off")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// module creates a folder with a go.mod, which has the given module name and the requirements of
// this module, and returns the folder.
func module(t *testing.T, name, more string) string {
	t.Helper()
	dir := t.TempDir()
	ours, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	requires := regexp.MustCompile(`(?ms)^require \(.*?^\)`).FindAllString(string(ours), -1)
	write(t, filepath.Join(dir, "go.mod"), "module "+name+"\n\ngo 1.26.0\n\n"+strings.Join(requires, "\n\n")+"\n\n"+more)
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "go.sum"), string(sums))
	return dir
}

// ourName returns the name of this module.
func ourName(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?m)^module (\S+)$`).FindStringSubmatch(string(text))[1]
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// An outside module that imports only fphash vendors three small libraries and what they need.
func TestEmbeddersVendorLittle(t *testing.T) {
	name, dir := ourName(t), embedder(t)
	if ours, err := filepath.Abs(root); err != nil {
		t.Fatal(err)
	} else if strings.Contains(ours, " ") { // vendor/modules.txt does not support spaces
		if err := os.Symlink(ours, filepath.Join(dir, "..", "ours")); err != nil {
			t.Fatal(err)
		}
		run(t, dir, "mod", "edit", "-replace", name+"=../ours")
	}
	run(t, dir, "mod", "vendor")
	list, err := os.ReadFile(filepath.Join(dir, "vendor", "modules.txt"))
	if err != nil {
		t.Fatal(err)
	}
	var vendored []string
	for line := range strings.SplitSeq(string(list), "\n") {
		// "# path version" begins a module, and its packages follow; a module without packages is
		// only named.
		if fields := strings.Fields(line); len(fields) == 1 && fields[0] != "##" {
			vendored = append(vendored, fields[0])
		}
	}
	// cpuid and highwayhash need x/sys
	allowed := []string{name + "/", "github.com/klauspost/cpuid/v2", "github.com/cespare/xxhash/v2", "github.com/minio/highwayhash", "golang.org/x/sys"}
	for _, pkg := range vendored {
		if !slices.ContainsFunc(allowed, func(a string) bool { return strings.HasPrefix(pkg+"/", strings.TrimSuffix(a, "/")+"/") }) {
			t.Errorf("vendored, but not promised: %s", pkg)
		}
	}
	if !slices.Contains(vendored, name+"/fphash") || !slices.Contains(vendored, "github.com/klauspost/cpuid/v2") {
		t.Errorf("packages are missing from the list of vendored packages:\n%s", list)
	}
	const want = "8e454d736b089638 and 0e444d606a088430: 9 bits differ\n"
	args := []string{"run", "-mod=mod", "."}
	if long.Enabled() {
		// -trimpath lets the build cache work for different folders, but compiles the standard library
		args = []string{"run", "-trimpath", "-mod=vendor", "."}
	}
	if out := run(t, dir, args...); out != want {
		t.Errorf("the embedder printed %q, want %q", out, want)
	}
}

// copying finds the command in design.md that rewrites the imports of a copy of asm.
var copying = regexp.MustCompile("(?s)copy `asm` alone.*?run `(find asm [^`]*)`")

// A copy of the folder asm in another module builds after the command of design.md, and passes its
// tests.
func TestAsmStandsAlone(t *testing.T) {
	tools.Need(t, "find")
	tools.Need(t, "sed")
	page, err := os.ReadFile(filepath.Join(root, "design.md"))
	if err != nil {
		t.Fatal(err)
	}
	command := copying.FindSubmatch(page)
	if command == nil {
		t.Fatal("design.md has no command for a copy of asm")
	}
	const name = "example.org/copied"
	dir := module(t, name, "")
	if err := os.CopyFS(filepath.Join(dir, "asm"), os.DirFS(filepath.Join(root, "asm"))); err != nil {
		t.Fatal(err)
	}
	rewrite := exec.Command("sh", "-c", strings.ReplaceAll(string(command[1]), "MODULE", name))
	if rewrite.Dir = dir; rewrite.Run() != nil {
		t.Fatalf("%s: %v", command[1], rewrite.ProcessState)
	}
	run(t, dir, "list", "-deps", "-test", "./...") // finds all imports
	if long.Enabled() {
		t.Setenv(long.Variable, "") // the code is the same, so fewer cases are enough
		run(t, dir, "vet", "-trimpath", "./...")
		run(t, dir, "test", "-trimpath", "-vet=off", "./...")
	}
}
