package main

import (
	"runtime"
	"strings"
	"testing"
)

func TestVersion(t *testing.T) {
	code, stdout, stderr := execute(t, "", "--version")
	if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "fphash version ") || !strings.HasSuffix(stdout, ", "+runtime.Version()+" "+runtime.GOOS+"/"+runtime.GOARCH+"\n") {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}
