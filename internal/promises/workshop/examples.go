package workshop

import (
	"os/exec"
	"regexp"
	"strings"
)

var (
	examplesOf    = regexp.MustCompile(`(?ms)^Examples:\n(.*?)\n\n`)
	subcommandsOf = regexp.MustCompile(`(?ms)^Available Commands:\n(.*?)\n\n`)
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
	if block := subcommandsOf.FindSubmatch(help); block != nil {
		for line := range strings.Lines(string(block[1])) {
			if name := strings.Fields(line)[0]; name != "help" && name != "completion" {
				list = append(list, w.Examples(command+" "+name)...)
			}
		}
	}
	return list
}
