package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that is standard input is not replaced either.
func TestStandardInputIsNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm")
	const text = "1 1:1 5:2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	file, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var stdout, stderr bytes.Buffer
	code := exitCode(run([]string{"sketch", "--out", path}, file, &stdout, &stderr), &stderr)
	if code != exitFailed || !strings.Contains(stderr.String(), "this is standard input") {
		t.Errorf("exit code %d: %s", code, &stderr)
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}

// Nor is an input that the output names by a number of an open file, or by a second name.
func TestInputsByOtherNamesAreNotReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "x.svm")
	const text = "1 1:1 5:2\n"
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, path+".link"); err != nil {
		t.Skip(err)
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	opened := fmt.Sprintf("/dev/fd/%d", file.Fd())
	for _, names := range [][2]string{{path, opened}, {opened, path}, {path, path + ".link"}} {
		if _, err := os.Stat(opened); err != nil {
			continue // open files have no names here
		}
		code, _, stderr := execute(t, "", "sketch", names[0], "--force", "--out", names[1])
		if code != exitFailed || !strings.Contains(stderr, "which is read and would be replaced") {
			t.Errorf("%q: exit code %d: %s", names, code, stderr)
		}
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != text {
		t.Errorf("%q, %v", got, err)
	}
}
