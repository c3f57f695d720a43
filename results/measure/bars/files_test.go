package main

import (
	"os"
	"path/filepath"
	"testing"
)

// The bars that are kept with the project speak of cases that there are.
func TestFiledBars(t *testing.T) {
	units, err := catalog()
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("../../bars/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("files %v, error %v", files, err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		list, err := Parse(file, name, units)
		file.Close()
		if err != nil {
			t.Error(err)
		}
		t.Logf("%s: %d bars", name, len(list))
	}
}
