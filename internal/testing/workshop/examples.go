package workshop

import (
	"os/exec"
	"regexp"
	"strings"
)

var (
	examplesOf    = regexp.MustCompile(`(?ms)^Examples:\n(.*?)\n\n`)
	subcommandsOf = regexp.MustCompile(`(?m)^  ([a-z][a-z-]*) +[A-Z]`) // in lists, below "Usage:"
)

// Examples returns the examples in the help of a command and those below it.
func (w *Workshop) Examples(command string) (list []string) {
	w.t.Helper()
	c := exec.Command("sh", "-c", command+" --help")
	c.Env = w.env
	help, err := c.Output()
	if err != nil {
		w.t.Fatal(err)
	}
	if block := examplesOf.FindSubmatch(help); block != nil {
		for line := range strings.Lines(strings.ReplaceAll(string(block[1]), "\\\n", "")) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	_, lists, _ := strings.Cut(string(help), "\nUsage:\n")
	_, lists, _ = strings.Cut(lists, "\n") // the line of usage
	lists, _, _ = strings.Cut(lists, "\nTopics of fphash help:\n")
	for _, found := range subcommandsOf.FindAllStringSubmatch(lists, -1) {
		if name := found[1]; name != "help" && name != "completion" {
			list = append(list, w.Examples(command+" "+name)...)
		}
	}
	return list
}
