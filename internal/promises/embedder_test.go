package promises

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
)

// embedder copies testdata/embedder, a module that uses package fphash, and returns its folder.
func embedder(t *testing.T) (dir string) {
	t.Helper()
	ours, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	name := ourName(t)
	dir = module(t, "example.com/embedder", "require "+name+" v0.0.0\n\nreplace "+name+" => "+strconv.Quote(ours)+"\n")
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", "embedder"))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// The embedder's module passes its tests here, in pure Go, under the race detector, and on other
// architectures, with an emulator if necessary.
func TestEmbeddersModule(t *testing.T) {
	dir := embedder(t)
	t.Run("here", func(t *testing.T) {
		run(t, dir, "vet", ".")
		wantAllRun(t, run(t, dir, "test", "-vet=off", "-v", "."), "TestMisuseIsSeen")
	})
	t.Run("race", func(t *testing.T) {
		long.Skip(t, "builds the standard library for the race detector")
		build := exec.Command("go", "build", "-race", "-o", os.DevNull, ".")
		build.Dir, build.Env = dir, append(os.Environ(), "GOWORK=off")
		if out, err := build.CombinedOutput(); err != nil {
			tools.Missing(t, fmt.Sprintf("the race detector is not available: %s", out))
		}
		wantAllRun(t, run(t, dir, "test", "-vet=off", "-v", "-race", "."))
	})
	t.Run("purego", func(t *testing.T) {
		wantAllRun(t, run(t, dir, "test", "-vet=off", "-v", "-tags=purego", "."), "TestMisuseIsSeen")
	})
	for _, c := range []struct{ system, architecture, emulator string }{
		{runtime.GOOS, "386", ""}, {"linux", "arm64", "qemu-aarch64"}, {"linux", "s390x", "qemu-s390x"},
	} {
		t.Run(c.architecture, func(t *testing.T) { elsewhere(t, dir, c.system, c.architecture, c.emulator) })
	}
	t.Run("wasm", func(t *testing.T) { // only compiled
		long.Skip(t, elsewhereTakes)
		t.Setenv("GOOS", "js")
		t.Setenv("GOARCH", "wasm")
		run(t, dir, "vet", ".")
	})
}

const elsewhereTakes = "compiles the standard library for another architecture"

// elsewhere builds the tests of the module for another architecture, and runs them if the machine
// or an emulator can.
func elsewhere(t *testing.T, dir, system, architecture, emulator string) {
	long.Skip(t, elsewhereTakes)
	t.Setenv("GOOS", system)
	t.Setenv("GOARCH", architecture)
	t.Setenv("CGO_ENABLED", "0")
	binary := filepath.Join(t.TempDir(), "embedder.test")
	run(t, dir, "test", "-vet=off", "-c", "-o", binary, ".")
	command := []string{binary, "-test.v"}
	switch {
	case emulator != "":
		tools.Need(t, emulator)
		t.Setenv("EMBEDDER_EMULATOR", emulator)
		command = append([]string{emulator}, command...)
	case runtime.GOARCH != "amd64" || runtime.GOOS != "linux":
		t.Logf("built, but not run: %s does not run here", architecture)
		return
	}
	out, err := exec.Command(command[0], command[1:]...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantAllRun(t, string(out), "TestMisuseIsSeen")
}

// wantAllRun checks that all tests of the module passed, except those that should be skipped.
func wantAllRun(t *testing.T, output string, skipped ...string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("testdata", "embedder", "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, test := range regexp.MustCompile(`(?m)^func (Test\w+)\(t `).FindAllStringSubmatch(string(source), -1) {
			want := "--- PASS: " + test[1] + " "
			if slices.Contains(skipped, test[1]) {
				want = "--- SKIP: " + test[1] + " "
			}
			if !strings.Contains(output, want) {
				t.Errorf("expected %q in\n%s", want, output)
			}
		}
	}
}

// The program in README is the one of the embedder's module. TestEmbeddersVendorLittle checks its
// output.
func TestProgramOfReadme(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(filepath.Join("testdata", "embedder", "main.go"))
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(readme), "\n## Use it in Go\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var shown []string
	for _, block := range tools.Blocks(section) {
		if block.Language == "go" {
			shown = append(shown, block.Code)
		}
	}
	if len(shown) != 1 || shown[0] != string(program) {
		t.Errorf("README does not show testdata/embedder/main.go, but %q", shown)
	}
}
