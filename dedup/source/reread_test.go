package source

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// It is an error if a file has changed before its texts are read again, or changes meanwhile.
func TestTextsAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "texts.jsonl")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	const lines = "{\"text\": \"one\"}\n\n{\"text\": \"two\"}\n{\"text\": \"three\"}\n"
	write(lines)
	s, err := Open(t.Context(), []string{path}, Hints{})
	if err != nil {
		t.Fatal(err)
	}
	read := s.textsAgain()
	got := map[uint64]string{}
	take := func(record uint64, text []byte) error {
		got[record] = string(text)
		return nil
	}
	if err := read(t.Context(), []uint64{0, 2}, take); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(map[uint64]string{0: "one", 2: "three"}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	errStop := errors.New("stop")
	if err := read(t.Context(), []uint64{1}, func(uint64, []byte) error { return errStop }); !errors.Is(err, errStop) {
		t.Errorf("error %v, expected %v", err, errStop)
	}
	later := func() { // replace the file, as an editor does
		write(strings.Replace(lines, "three", "drei!", 1))
		if err := os.Chtimes(path, time.Time{}, time.Now().Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	meanwhile := func(uint64, []byte) error {
		later()
		return nil
	}
	for _, take := range []func(uint64, []byte) error{meanwhile, take} { // in the second call, the file has changed before
		if err := read(t.Context(), []uint64{0}, take); err == nil || !strings.Contains(err.Error(), "texts.jsonl: it has changed since it was read first: run again") {
			t.Errorf("error %v", err)
		}
	}
}
