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

// goSourceSample is the number of files that goSource takes at most.
const goSourceSample = 512

// ErrNoGoTree is the error of Load (errors.Is) when this machine has no Go source tree; Generate
// can take its place.
var ErrNoGoTree = errors.New("datasets: no Go source tree found")

// goSource makes vectors of .go files of this machine's Go installation, as Load says. The
// description depends on the version of Go, and so do the vectors.
func goSource[W Weight](ctx context.Context, onError func(error)) (set CSR[W], description string, err error) {
	root, err := goTree(ctx)
	if err != nil {
		return set, "", err
	}
	set, err = filesOf[W](ctx, root, fileChoice{suffix: ".go", sample: goSourceSample, onError: onError})
	return set, "8-byte windows of the .go files of " + goVersion(root) + ", every k-th by path", err
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

// goTree returns the folder of the Go installation: the output of `go env GOROOT`, or else the
// environment variable GOROOT. The error is ErrNoGoTree if there is none with sources.
func goTree(ctx context.Context) (string, error) {
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
		if info, err := os.Stat(filepath.Join(root, "src", "fmt")); root != "" && err == nil && info.IsDir() {
			return root, nil
		}
	}
	return "", fmt.Errorf("%w (neither by go env GOROOT nor in the environment)", ErrNoGoTree)
}
