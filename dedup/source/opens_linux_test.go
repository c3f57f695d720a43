package source

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// opens returns a function that returns how often a file has been opened since this call.
func opens(t *testing.T, path string) func() int {
	t.Helper()
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		t.Fatal(err)
	}
	events := os.NewFile(uintptr(fd), "inotify")
	// The kernel joins equal events that follow each other; reading and closing lie between two
	// opens.
	if _, err := unix.InotifyAddWatch(fd, path, unix.IN_OPEN|unix.IN_ACCESS|unix.IN_CLOSE); err != nil {
		t.Fatal(err)
	}
	var n atomic.Int64
	ended := make(chan bool)
	go func() {
		defer close(ended)
		buffer := make([]byte, 4096)
		for {
			size, err := events.Read(buffer)
			if err != nil {
				return
			}
			for event := buffer[:size]; len(event) > 0; event = event[unix.SizeofInotifyEvent+binary.NativeEndian.Uint32(event[12:]):] {
				mask := binary.NativeEndian.Uint32(event[4:])
				if mask&unix.IN_OPEN != 0 {
					n.Add(1)
				}
				if mask&unix.IN_IGNORED != 0 { // the file is removed: this is the last event
					return
				}
			}
		}
	}()
	return func() int {
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		<-ended
		events.Close()
		return int(n.Load())
	}
}

// A file is opened once, and once more if candidates are compared by their texts or vectors.
func TestFilesAreOpenedOnce(t *testing.T) {
	for _, c := range []struct {
		name, content string
		want          int
	}{
		{"near.jsonl", `{"text":"one two three"}` + "\n" + `{"text":"One, two, three"}` + "\n", 2},
		{"other.jsonl", `{"text":"one two three"}` + "\n" + `{"text":"four five six"}` + "\n", 1},
		{"lines.txt", "one two three\none two three\n", 2},
		{"vectors.svm", "1:1 2:1\n1:1 2:1\n", 2},
		{"fingerprints.tsv", "a\t0123456789abcdef\nb\t0123456789abcdef\n", 1},
	} {
		path := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(path, []byte(c.content), 0o666); err != nil {
			t.Fatal(err)
		}
		count := opens(t, path)
		s, err := Open(t.Context(), []string{path}, Hints{})
		if err != nil {
			t.Fatal(err)
		}
		r, err := Find(t.Context(), s, Options{})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		if got := count(); got != c.want {
			t.Errorf("%s was opened %d times, want %d", c.name, got, c.want)
		}
	}
}
