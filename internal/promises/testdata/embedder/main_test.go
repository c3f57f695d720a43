package main

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// role is the environment variable that makes this program a child process of a test.
const role = "EMBEDDER_ROLE"

func TestMain(m *testing.M) {
	roles := map[string]func(argument string) error{"map": mapShard, "reduce": reduceShards, "misuse": misuse}
	name, argument, _ := strings.Cut(os.Getenv(role), ":")
	if name == "" {
		os.Exit(m.Run())
	}
	if err := roles[name](argument); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// process runs this program as a child process with a role. EMBEDDER_EMULATOR is the emulator for
// the program, if one is needed.
func process(as, argument string) (output string, exitCode int, err error) {
	program, err := os.Executable()
	if err != nil {
		return "", 0, err
	}
	command := append(strings.Fields(os.Getenv("EMBEDDER_EMULATOR")), program)
	cmd := exec.Command(command[0], command[1:]...)
	cmd.Env = append(os.Environ(), role+"="+as+":"+argument, "GORACE=")
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), cmd.ProcessState.ExitCode(), err
}
