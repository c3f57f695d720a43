package main

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Ids in CSV are data for programs, which look them up elsewhere: they stay as they are, byte by
// byte, also where a spreadsheet would take them for formulas, and are read back as they were.
func TestIDsOfCSVStayAsTheyAre(t *testing.T) {
	ids := []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "'=1", `="a""b",c`}
	var input strings.Builder
	for i, id := range ids {
		line, err := json.Marshal(map[string]string{"id": id, "text": strings.Repeat(string(rune('a'+i)), 20) + " text"})
		if err != nil {
			t.Fatal(err)
		}
		input.Write(append(line, '\n'))
	}
	code, sketched, stderr := execute(t, input.String(), "sketch", "--id", "id", "--format", "csv")
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	code, kept, stderr := execute(t, sketched, "dedup", "--k", "0", "--list", "keep", "--format", "csv")
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	for what, text := range map[string]string{"sketch": sketched, "dedup": kept} {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil || len(rows) != len(ids)+1 {
			t.Fatalf("%s: %v\n%s", what, err, text)
		}
		for i, id := range ids {
			if got := rows[i+1][0]; got != id {
				t.Errorf("%s: the id is %q, want %q", what, got, id)
			}
		}
	}
}

// A document whose id is empty has its number for an id, with each command, also where others that
// come in a later batch have ids.
func TestEmptyIDsAreNumbers(t *testing.T) {
	var texts, want strings.Builder
	for i := range 5000 {
		id, number := "", fmt.Sprint(i+1)
		if i == 4998 {
			id, number = "x", "x"
		}
		fmt.Fprintf(&texts, `{"id":"%s","text":"a%d b%d c%d d%d"}`+"\n", id, i, i, i, i)
		want.WriteString(number + "\n")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "texts.jsonl")
	if err := os.WriteFile(path, []byte(texts.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	ids := func(text string) string {
		rows, err := csv.NewReader(strings.NewReader(text)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		column := slices.Index(rows[0], "id")
		var all strings.Builder
		for _, row := range rows[1:] {
			all.WriteString(row[column] + "\n")
		}
		return all.String()
	}
	for _, command := range [][]string{
		{"sketch", path, "--id", "id", "--format", "csv"},
		{"dedup", path, "--id", "id", "--list", "keep", "--format", "csv"},
		{"dedup-corpus", path, "--id", "id", "--format", "csv", "--out", filepath.Join(folder, "out")},
	} {
		code, stdout, stderr := execute(t, "", command...)
		if code != exitSuccess {
			t.Fatal(stderr)
		}
		if command[0] == "dedup-corpus" {
			attributes, err := os.ReadFile(filepath.Join(folder, "out", "texts.jsonl.csv"))
			if err != nil {
				t.Fatal(err)
			}
			stdout = string(attributes)
		}
		if got := ids(stdout); got != want.String() {
			t.Errorf("%s: ids %.60q … %.60q", command[0], got, got[max(0, len(got)-60):])
		}
	}
}
