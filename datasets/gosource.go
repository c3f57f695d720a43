package datasets

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// GoSourceSample is the number of files that GoSource takes at most by default.
const GoSourceSample = 512

// ErrNoGoTree is what GoSource's error is (errors.Is) when this machine has no Go source tree;
// Generate can take its place.
var ErrNoGoTree = errors.New("datasets: no Go source tree found")

// GoSource makes a vector of each of a sample of the .go files of this machine's Go installation,
// as Files does: some 11,000 real files, many of them near-duplicates, of which it takes every k-th
// of the list sorted by path, beginning with the first, with the smallest k that leaves no more
// than GoSourceSample. A Sample in options replaces that number, a negative one takes all files;
// Suffix is always ".go".
//
// The tree is what `go env GOROOT` prints, or else the environment variable GOROOT. The vectors
// depend on the Go version and on nothing else. It ends with the context's cause when the context
// ends.
func GoSource[W Weight](ctx context.Context, options FilesOptions) (CSR[W], error) {
	root, err := GoTree(ctx)
	if err != nil {
		return CSR[W]{}, err
	}
	return goSourceIn[W](ctx, root, options)
}

func goSourceIn[W Weight](ctx context.Context, root string, options FilesOptions) (CSR[W], error) {
	options.Suffix = ".go"
	if options.Sample == 0 {
		options.Sample = GoSourceSample
	}
	return Files[W](ctx, root, options)
}

// goVersion returns the version of a tree, such as go1.26.8.
func goVersion(root string) string {
	text, err := os.ReadFile(filepath.Join(root, "VERSION"))
	version, _, _ := strings.Cut(string(text), "\n")
	if err != nil || version == "" {
		return "an unknown version of Go"
	}
	return version
}

// GoTree returns the folder of this machine's Go installation. The error is ErrNoGoTree when there
// is none with sources in it.
func GoTree(ctx context.Context) (string, error) {
	roots := []string{os.Getenv("GOROOT")}
	if tool, err := exec.LookPath("go"); err == nil {
		command := exec.CommandContext(ctx, tool, "env", "GOROOT")
		// Not in the present folder, whose go.mod could ask for another toolchain.
		command.Dir = os.TempDir()
		command.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOWORK=off")
		if output, err := command.Output(); err == nil {
			roots = append([]string{strings.TrimSpace(string(output))}, roots...)
		}
	}
	if err := ended(ctx); err != nil {
		return "", err
	}
	for _, root := range roots {
		if root == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(root, "src", "fmt")); err == nil && info.IsDir() {
			return root, nil
		}
	}
	return "", fmt.Errorf("%w (neither by go env GOROOT nor in the environment)", ErrNoGoTree)
}
