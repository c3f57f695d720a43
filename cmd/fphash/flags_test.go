package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// complete returns the completions that a shell would offer after these words.
func complete(t *testing.T, words ...string) []string {
	t.Helper()
	code, stdout, stderr := execute(t, "", append([]string{"__complete"}, words...)...)
	if code != exitSuccess {
		t.Fatalf("%q: exit code %d: %s", words, code, stderr)
	}
	lines := strings.Split(strings.TrimSpace(stdout), "\n")
	return lines[:len(lines)-1] // the last line is a directive for the shell
}

// Every command with one of these flags offers its values.
func TestValuesAreOffered(t *testing.T) {
	wanted := strings.Fields("hash encoding indices suite format pattern family weights kernel widen tie order accept list by features documents")
	seen := map[string]bool{}
	var visit func(command *cobra.Command)
	visit = func(command *cobra.Command) {
		words := strings.Fields(command.CommandPath())[1:]
		command.Flags().VisitAll(func(flag *pflag.Flag) {
			if !slices.Contains(wanted, flag.Name) || flag.Value.Type() == "bool" {
				return
			}
			seen[flag.Name] = true
			got := complete(t, append(words, "--"+flag.Name, "")...)
			if isCommand := command.Name() == "doctor" && flag.Name == "hash"; isCommand != (len(got) == 0) {
				t.Errorf("%s --%s: %q offered", command.CommandPath(), flag.Name, got)
			}
			if value := flag.DefValue; flag.Value.Type() == "string" && value != "" && !slices.Contains(got, value) {
				t.Errorf("%s --%s: expected the default %q among %q", command.CommandPath(), flag.Name, value, got)
			}
			for _, value := range got { // the help lists the values that are offered
				if lists := strings.Contains(flag.Usage, ": "); lists && flag.Name != "kernel" && !strings.Contains(flag.Usage, value) {
					t.Errorf("%s --%s: %q is offered, but not in the help: %s", command.CommandPath(), flag.Name, value, flag.Usage)
				}
			}
		})
		for _, c := range command.Commands() {
			visit(c)
		}
	}
	visit(newRoot())
	for _, name := range wanted {
		if !seen[name] {
			t.Errorf("no command has --%s", name)
		}
	}
}

func TestCompletions(t *testing.T) {
	for _, c := range []struct {
		words string
		want  []string
	}{
		{"sketch --format ", formats},
		{"dedup --format ", []string{"text", "jsonl", "csv", "parquet"}},
		{"dedup --by ", []string{"components", "first"}},
		{"sketch --features ", []string{"words", "characters", "bytes"}},
		{"sketch --tie=", []string{"zero", "one", "alternate"}},
		{"choose --format ", []string{"text", "json"}},
		{"choose --indices ", []string{"dense", "consecutive", "random"}},
		{"data generate --weights ", []string{"unit", "counts", "tfidf"}},
	} {
		got := complete(t, strings.Split(c.words, " ")...)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", c.words, diff)
		}
	}
}
