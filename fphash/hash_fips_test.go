package fphash

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// If FIPS 140 is enforced, New refuses the hashes for which the standard library would panic, and
// other hashes work. The setting is read at program start, so this test runs itself in another
// process.
func TestFIPSRefusesWhatWouldPanic(t *testing.T) {
	if os.Getenv("FPHASH_TEST_CHILD") != "" {
		for _, hash := range []string{"md5", "sha1"} {
			if _, err := New(Definition{Hash: hash}); err == nil || !strings.HasPrefix(err.Error(), "fphash: hash "+hash+": not allowed under GODEBUG=fips140=only") {
				t.Errorf("%s: %v", hash, err)
			}
		}
		for _, hash := range []string{DefaultHash, "sha256", "highway256"} {
			if _, _, err := AppendUnit(mustNew(t, Definition{Hash: hash}), nil, []string{"a", "b"}); err != nil {
				t.Error(err)
			}
		}
		return
	}
	self, err := os.Executable()
	if err != nil {
		t.Skip("no way to run this program again: ", err)
	}
	command := exec.Command(self, "-test.run=^TestFIPSRefusesWhatWouldPanic$", "-test.v")
	command.Env = append(os.Environ(), "FPHASH_TEST_CHILD=1", "GODEBUG=fips140=only")
	out, err := command.CombinedOutput()
	if errors.Is(err, syscall.ENOEXEC) {
		t.Skip("this processor is emulated for this process alone: ", err)
	}
	if text := string(out); strings.Contains(text, "FIPS 140-3 mode") && !strings.Contains(text, "=== RUN") {
		t.Skip("FIPS cannot be enforced here: ", text)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS") {
		t.Errorf("%v\n%s", err, out)
	}
}
