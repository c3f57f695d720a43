package main

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// The fields of a Parquet file are detected or listed, and the strings of its lists are joined.
func TestTextFieldsOfParquet(t *testing.T) {
	type message struct {
		Content string `parquet:"content"`
	}
	type chat struct {
		ID       string    `parquet:"id"`
		Title    string    `parquet:"title"`
		Messages []message `parquet:"messages,list"`
	}
	path := filepath.Join(t.TempDir(), "chats.parquet")
	err := parquet.WriteFile(path, []chat{
		{"a", "x", []message{{"the first message of this chat"}, {"the second message of it"}}},
		{"b", "y", []message{{"the first message of this chat"}, {"The second message of it!"}}},
		{"c", "z", nil},
	})
	if err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := execute(t, "", "dedup", path, "--text", "messages[].content", "--list", "drop")
	if code != 0 || stdout != "b\n" || !strings.Contains(stderr, "1 document without a text") {
		t.Errorf("exit code %d, %q\n%s", code, stdout, stderr)
	}
	code, _, stderr = execute(t, "", "dedup", path)
	if want := "chats.parquet: which field has the text? --text FIELD, one of: title, messages[].content\n"; code != exitFailed || !strings.HasSuffix(stderr, want) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
	code, _, stderr = execute(t, "", "dedup", path, "--text", "body")
	if want := `chats.parquet: expected a column "body", got id, title, messages[].content` + "\n"; code != exitFailed || !strings.HasSuffix(stderr, want) {
		t.Errorf("exit code %d, %q", code, stderr)
	}
}
