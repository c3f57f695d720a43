// Package commands tests the commands of README, METHODOLOGY, the recipes and the conventions.
package commands

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
	"simhashkit/internal/testing/tools"
	"simhashkit/internal/testing/workshop"
)

const root = "../../.."

// The commands of README run in order, in a module beside a checkout, as README says. This leaves
// out commands that build or test this module. Without FPHASH_LONG, it also leaves out commands
// that measure.
func TestCommandsOfReadme(t *testing.T) {
	w := workshop.New(t, root)
	if err := os.CopyFS(filepath.Join(w.Dir, "asm"), os.DirFS(filepath.Join(root, "asm"))); err != nil {
		t.Fatal(err)
	}
	leaveOut := "^go (test|build) |^git |^fphash ab "
	if !long.Enabled() {
		leaveOut += "|fphash (bench|choose)"
	}
	w.Follow("README.md", regexp.MustCompile(leaveOut))
}

// README shows the first lines that dedup prints.
func TestOutputOfReadme(t *testing.T) {
	tools.Need(t, "go")
	bin := t.TempDir()
	tools.Fphash(t, root, bin)
	c := exec.Command(filepath.Join(bin, "fphash"), "dedup", "asm")
	c.Dir = root
	out, err := c.Output()
	if err != nil {
		t.Fatal(err)
	}
	answer, _, _ := strings.Cut(string(out), "\n\n")
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if answer == "" || !strings.Contains(string(readme), "```text\n"+answer+"\n```\n") {
		t.Errorf("README does not show what fphash dedup asm prints: %q", answer)
	}
}

// The commands of README that compare a branch run in a user's repository.
func TestGateOfReadme(t *testing.T) {
	w := workshop.New(t, root)
	w.Run("git remote add origin .", 0)
	leaveOut := "^go (run|test) "
	if !long.Enabled() { // the tool is already built
		leaveOut += "|^go build "
	}
	w.Follow("README.md", regexp.MustCompile(leaveOut))
}

func TestCommandsOfRecipes(t *testing.T) {
	long.Skip(t, "gates a change")
	w := workshop.New(t, root)
	workshop.Write(t, filepath.Join(w.Dir, "fphash-gate.conf"), "")
	w.Follow(filepath.Join("bench", "recipes", "README.md"), nil)
}

func TestCommandsOfConventions(t *testing.T) {
	w := workshop.New(t, root)
	workshop.Write(t, filepath.Join(w.Dir, "old.tsv"), "1234567890123456\tone\n")
	workshop.Write(t, filepath.Join(w.Dir, "new.jsonl"), "{\"id\": \"two\", \"text\": \"Some words to be hashed\"}\n")
	w.Follow(filepath.Join("fphash", "conventions", "README.md"), regexp.MustCompile("^hash := "))
}

func TestCommandsOfMethodology(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "METHODOLOGY.md"))
	if err != nil {
		t.Fatal(err)
	}
	if workshop.Fenced.Match(text) {
		t.Error("METHODOLOGY.md has commands now: test them with Follow")
	}
}
