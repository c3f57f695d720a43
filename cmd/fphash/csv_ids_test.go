package main

import (
	"encoding/csv"
	"encoding/json"
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
