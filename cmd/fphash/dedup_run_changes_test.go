package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// changes lists ways in which inputs may change while they are deduplicated. Each is atomic, so
// that a file has either the old or the new content. All but swapping change the time of the file.
var changes = []struct {
	name   string
	change func(t *testing.T, r *rand.Rand, path, other string) error
}{
	{"appended to", func(t *testing.T, r *rand.Rand, path, _ string) error {
		file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = file.WriteString(someDocuments(r, 1+r.IntN(500)))
		return errors.Join(err, file.Close())
	}},
	{"cut", func(t *testing.T, r *rand.Rand, path, _ string) error {
		info, err := os.Stat(path)
		if err != nil {
			return err
		}
		return os.Truncate(path, r.Int64N(info.Size()))
	}},
	{"replaced", func(t *testing.T, r *rand.Rand, path, _ string) error {
		return errors.Join(os.WriteFile(path+"~", []byte(someDocuments(r, r.IntN(500))), 0o666), os.Rename(path+"~", path))
	}},
	{"swapped", func(t *testing.T, r *rand.Rand, path, other string) error {
		return errors.Join(os.Rename(path, path+"~"), os.Rename(other, path), os.Rename(path+"~", other))
	}},
}

// someDocuments returns lines of the same length. Most are documents with unique ids, some of which
// have the same text; others are not JSON.
func someDocuments(r *rand.Rand, n int) string {
	var text strings.Builder
	for range n {
		if r.IntN(40) == 0 {
			text.WriteString("{\"id\": what is no document at all, and as long as one is\n")
			continue
		}
		fmt.Fprintf(&text, "{\"id\":\"%020d\",\"text\":\"copies of %03d are near\"}\n", r.Uint64()>>2, r.IntN(300))
	}
	return text.String()
}

// documentsIn returns the ids of the documents in a text, and the number of lines that are not
// JSON.
func documentsIn(text string) (ids []string, bad int) {
	for line := range strings.Lines(text) {
		var d struct{ ID string }
		if json.Unmarshal([]byte(line), &d) != nil || d.ID == "" {
			bad++
		} else {
			ids = append(ids, d.ID)
		}
	}
	return ids, bad
}

// While dedup --remove runs, an input is appended to, truncated, replaced or swapped with
// another one. If the command succeeds, its attributes and copies match either the old or the new
// content of each input. If it fails, no copy mixes both. FPHASH_CHANGES is the number of runs.
func TestInputsThatChange(t *testing.T) {
	runs := 4
	if text := os.Getenv("FPHASH_CHANGES"); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	failed := 0
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 1))
		files := map[string]string{}
		for i := range 6 {
			files[fmt.Sprintf("%d.jsonl", i)] = someDocuments(r, 400)
		}
		in, out := corpusOf(t, files), t.TempDir()
		args := []string{"dedup", in + "/*.jsonl", "--text", "text", "--id", "id", "--keep-going", "--run", out}
		if r.IntN(2) == 0 { // fingerprints have been computed before
			if code, _, stderr := execute(t, "", args...); code != exitNo {
				t.Fatal(stderr)
			}
		}
		args = append(args, "--remove", out+"-kept")
		if seed%2 == 1 {
			args = append(args, "--against", corpusOf(t, map[string]string{"old.jsonl": someDocuments(r, 400)})+"/*.jsonl")
		}
		c := changes[seed%len(changes)]
		path, other := fmt.Sprintf("%d.jsonl", 3+r.IntN(3)), fmt.Sprintf("%d.jsonl", r.IntN(3))
		// Stages are short, so the change follows soon after any file of a stage has appeared.
		moment := []string{in, out + "/fphash-run/1.jsonl.fingerprints.zst", out + "/fphash-run/4.jsonl.fingerprints.zst", out + "/0.jsonl", out + "/5.jsonl", out + "-kept/0.jsonl", out + "-kept/2.jsonl"}[r.IntN(7)]
		wait := time.Duration(r.IntN(int(10 * time.Millisecond)))
		ended, changed := make(chan struct{}), make(chan error, 1)
		go func() {
			for waiting := true; waiting; {
				select {
				case <-ended: // the command ended before
					waiting = false
				case <-time.After(time.Millisecond / 10):
					_, err := os.Stat(moment)
					waiting = err != nil
				}
			}
			time.Sleep(wait)
			changed <- c.change(t, r, filepath.Join(in, path), filepath.Join(in, other))
		}()
		code, _, stderr := execute(t, "", args...)
		close(ended)
		if err := <-changed; err != nil {
			t.Fatal(err)
		}
		if code == exitFailed {
			failed++
			if !strings.Contains(stderr, "run again") && !strings.Contains(stderr, "no such file") {
				t.Errorf("run %d, %s: %s", seed, c.name, stderr)
			}
		} else if code != exitNo {
			t.Errorf("run %d, %s: exit code %d: %s", seed, c.name, code, stderr)
		}
		for name, before := range files {
			now, err := os.ReadFile(filepath.Join(in, name))
			if err != nil {
				t.Fatal(err)
			}
			if why := accounted(t, out, name, before, string(now), code == exitFailed); why != "" {
				t.Errorf("run %d, %s %s and %s: %s: %s", seed, c.name, path, other, name, why)
			}
		}
	}
	t.Logf("%d runs with inputs that changed (%d of them failed, as they should)", runs, failed)
}

// accounted returns how the copy and the attributes of an input differ from both of its contents,
// or "" if they match one of them. After a failed run, both may be missing.
func accounted(t *testing.T, out, name, before, now string, failed bool) string {
	t.Helper()
	attributes, err := os.ReadFile(filepath.Join(out, name))
	if failed && errors.Is(err, os.ErrNotExist) {
		if _, err := os.Stat(filepath.Join(out+"-kept", name)); err == nil {
			return "a copy without attributes"
		}
		return ""
	}
	if err != nil {
		return err.Error()
	}
	copied, err := os.ReadFile(filepath.Join(out+"-kept", name))
	if err != nil && (!failed || !errors.Is(err, os.ErrNotExist)) {
		return err.Error()
	}
	var all, keep []string
	for line := range strings.Lines(string(attributes)) {
		var a struct {
			ID   string
			Keep bool `json:"is_canonical"`
		}
		if err := json.Unmarshal([]byte(line), &a); err != nil {
			return err.Error()
		}
		if all = append(all, a.ID); a.Keep {
			keep = append(keep, a.ID)
		}
	}
	kept, _ := documentsIn(string(copied))
	if err == nil && !slices.Equal(kept, keep) {
		return fmt.Sprintf("%d documents in the copy, %d to keep", len(kept), len(keep))
	}
	for _, text := range []string{before, now} {
		if ids, _ := documentsIn(text); slices.Equal(all, ids) {
			return ""
		}
	}
	return fmt.Sprintf("%d documents in the attributes, which is neither what the input was nor what it is", len(all))
}
