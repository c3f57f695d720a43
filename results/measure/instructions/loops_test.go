package main

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"simhashkit/bench/gobench/resultfile"
	"simhashkit/results/measure/evidence"
)

// The file that METHODOLOGY shows has what the assembly has now.
func TestFileIsOfTheAssembly(t *testing.T) {
	rows, err := counted("../../..")
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("../../instructions.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	file, err := resultfile.Read(f, "instructions.txt")
	if err != nil {
		t.Fatal(err)
	}
	got, want := evidence.NewIndex(resultfile.Summarize(file.Rows)), evidence.NewIndex(resultfile.Summarize(rows))
	if !reflect.DeepEqual(got, want) {
		t.Errorf("the assembly has changed; run go -C results run ./measure/instructions and ./measure/pages: %v, expected %v", got, want)
	}
}

// Only what is executed for many keys counts, and comments do not.
func TestLoops(t *testing.T) {
	dir := t.TempDir()
	text := "#include \"textflag.h\"\n" +
		"TEXT ·oneAVX512(SB), NOSPLIT, $0-56\n\tMOVQ AX, CX\n\nmany:\n\t// A comment.\n\tVPMULLQ Z1, Z3, Z3\n\tVPXORQ Z1, Z3, Z3\n\tSUBQ      $0x10, DX\n\tJGE many\n\nsingle:\n\tSUBQ $0x08, DX\n\tRET\n" +
		"TEXT ·otherAVX512(SB), NOSPLIT, $0-56\nnext:\n\tSUBQ $0x02, DX\n\tJMP next\n" +
		"TEXT ·noneAVX512(SB), NOSPLIT, $0-56\n\tRET\n"
	if err := os.WriteFile(filepath.Join(dir, "one_amd64.s"), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := loopsIn(dir)
	if err != nil || len(got) != 2 || got["oneAVX512"] != (loop{3, 1, 16}) || got["otherAVX512"] != (loop{1, 0, 2}) {
		t.Errorf("%v, %v", got, err)
	}
	if _, err := loopsIn(t.TempDir()); err == nil {
		t.Error("loops of no assembly")
	}
}
