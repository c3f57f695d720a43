package workshop

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// Fenced matches the blocks of code in a document, with their language.
var Fenced = regexp.MustCompile("(?ms)^```([a-z]*)\n(.*?)^```$")

// Follow does what a document shows: blocks without a language are commands, those of conf are for
// the configuration of the gate. Commands that leaveOut matches are left out, unless it is nil.
func (w *Workshop) Follow(document string, leaveOut *regexp.Regexp) {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(w.root, document))
	if err != nil {
		w.t.Fatal(err)
	}
	tried := 0
	for _, block := range Fenced.FindAllStringSubmatch(string(text), -1) {
		switch block[1] {
		case "":
			for command := range strings.Lines(block[2]) {
				if command = strings.TrimSpace(command); command != "" && (leaveOut == nil || !leaveOut.MatchString(command)) {
					w.Try(command)
					tried++
				}
			}
		case "conf":
			former, err := os.ReadFile(filepath.Join(w.Dir, "fphash-gate.conf"))
			if err != nil {
				w.t.Fatal(err)
			}
			Write(w.t, filepath.Join(w.Dir, "fphash-gate.conf"), string(former)+block[2])
		}
	}
	if tried == 0 {
		w.t.Errorf("%s shows no commands", document)
	}
}
