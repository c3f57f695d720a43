package corpus

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/dedup"
	"simhashkit/internal/wholefile"
)

// copyAny is copyLines that also copies all files of a folder.
func copyAny(ctx context.Context, in, out string, c Copying) error {
	if !IsFolder(in) {
		return copyLines(ctx, in, out, c)
	}
	record := 0
	return errors.Join(eachFile(in, func(name, path string) error {
		c.Keep(record)
		record++
		text, err := os.ReadFile(path)
		to := filepath.Join(out, name)
		return errors.Join(err, makeFolderOf(to), writeReady(to, string(text), c))
	}), c.Whole(0))
}

// Damaged or forged notes do not lead to files outside of the folders of the command.
func TestBadNotes(t *testing.T) {
	in, folder := t.TempDir(), t.TempDir()
	out, keep := filepath.Join(folder, "out"), filepath.Join(folder, "kept")
	write(t, in, lineFiles)
	r := runOn(t, in, out)
	mustFinish(t, r)
	write(t, folder, map[string]string{"kept/own": "own"})
	var notes []byte
	mine := []string{"mine0", "mine1", "mine2", "mine3"} // one for each note, because only the first note of a file counts
	for i, file := range []string{"../" + mine[0], "./../" + mine[1], "../kept/../" + mine[2], filepath.Join(folder, mine[3])} {
		write(t, folder, map[string]string{mine[i]: "mine"})
		info, err := os.Stat(filepath.Join(folder, mine[i]))
		if err != nil {
			t.Fatal(err)
		}
		for _, isCopy := range []bool{false, true} {
			notes = append(notes, note{Input: "gone", Copy: isCopy, File: file, Bytes: info.Size(), Modified: info.ModTime()}.line()...)
		}
	}
	if err := os.WriteFile(r.notesFile(), notes, 0o666); err != nil {
		t.Fatal(err)
	}
	n, err := r.notes()
	if err != nil {
		t.Fatal(err)
	}
	if others := append(n.others(out, false), n.others(keep, true)...); len(others) > 0 {
		t.Errorf("reported as outputs: %q", others)
	}
}

// Files that no run in the folder has written are not replaced, unless Force is set.
func TestForeignFilesAreNotReplaced(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	foreign := map[string]string{"a.txt": "mine", "b/c.txt.jsonl": "mine", "empty.txt.jsonl": ""}
	write(t, out, foreign)
	write(t, keep, foreign)
	if _, err := finish(runOn(t, in, out)); !errors.Is(err, fs.ErrExist) {
		t.Errorf("attributes: error %v", err)
	}
	if diff := cmp.Diff(foreign, contents(t, out)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	r := runOn(t, in, out)
	r.Force = true
	result := mustFinish(t, r)
	r.Force = false
	if err := result.Remove(t.Context(), keep, copyLines); !errors.Is(err, fs.ErrExist) {
		t.Errorf("copies: error %v", err)
	}
	if diff := cmp.Diff(foreign, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	r.Force = true
	if err := result.Remove(t.Context(), keep, copyLines); err != nil {
		t.Error(err)
	}
	if got := contents(t, keep)["a.txt"]; got != lineFiles["a.txt"] {
		t.Errorf("the copy is %q", got)
	}
	r.Force = false // forced files are now noted
	if err := mustFinish(t, r).Remove(t.Context(), keep, copyLines); err != nil {
		t.Errorf("copies again: error %v", err)
	}
}

// A former input in a folder that a later run removes to is not a copy: Remove does not change it.
func TestRemoveLeavesInputs(t *testing.T) {
	old, in, out := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, old, lineFiles)
	write(t, in, map[string]string{"new": "1\n"})
	mustFinish(t, runOn(t, old, out))
	r := runOn(t, in, out)
	result := mustFinish(t, r)
	var notices []string
	r.Notice = func(text string) { notices = append(notices, text) }
	if err := result.Remove(t.Context(), old, copyLines); err != nil || len(notices) > 0 {
		t.Errorf("error %v, notices %q", err, notices)
	}
	got := contents(t, old)
	delete(got, "new")
	if diff := cmp.Diff(lineFiles, got); diff != "" {
		t.Errorf("old inputs: -want +got\n%s", diff)
	}
}

// copyLines is a Copier for the documents of these tests.
func copyLines(_ context.Context, in, out string, c Copying) error {
	text, err := os.ReadFile(in)
	if err != nil {
		return err
	}
	var lines []string
	for i, line := range slices.Collect(strings.Lines(string(text))) {
		if c.Keep(i) {
			lines = append(lines, line)
		}
	}
	if err := c.Whole(0); err != nil {
		return err
	}
	return writeReady(out, strings.Join(lines, ""), c)
}

func writeReady(out, text string, c Copying) error {
	return wholefile.WriteReady(out, func(w io.Writer) error {
		_, err := io.WriteString(w, text)
		return err
	}, func(temp string) error { return c.Ready(out, temp) })
}

func TestRemove(t *testing.T) {
	in, out, keep := t.TempDir(), t.TempDir(), t.TempDir()
	write(t, in, lineFiles)
	result := mustFinish(t, runOn(t, in, out))
	kept, dropped, err := removeTo(t, result, keep, copyLines)
	if err != nil || kept != 4 || dropped != 3 {
		t.Errorf("%d kept, %d dropped, error %v; want 4, 3, none", kept, dropped, err)
	}
	want := map[string]string{"a.txt": lineFiles["a.txt"], "b/c.txt": "three ffff000000000000\n", "b/d.txt": "", "empty.txt": ""}
	if diff := cmp.Diff(want, contents(t, keep)); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if err := result.Remove(t.Context(), in, copyLines); err == nil || !strings.Contains(err.Error(), "would replace the input") {
		t.Errorf("into the folder of the inputs: error %v", err)
	}
	if diff := cmp.Diff(lineFiles, contents(t, in)); diff != "" {
		t.Errorf("the inputs: -want +got\n%s", diff)
	}
}

// Removable detects in advance that Remove cannot write to a folder.
func TestRemovable(t *testing.T) {
	folder := t.TempDir()
	write(t, folder, map[string]string{"in/x": "1\n", "in/x.jsonl": "2\n", "in/p/y": "3\n", "in/p/p/y": "4\n", "file": ""})
	at := func(name string) string { return filepath.Join(folder, name) }
	for name, c := range map[string]struct {
		inputs []Input
		to     string
		want   string
	}{
		"elsewhere":                     {[]Input{{Path: at("in/x"), Name: "x"}}, at("kept/of/it"), ""},
		"the attributes":                {[]Input{{Path: at("in/x"), Name: "x"}}, at("out"), "expected another folder for the kept documents than that of the attributes"},
		"the fingerprints":              {[]Input{{Path: at("in/x"), Name: "x"}}, at("out/fphash-run/kept"), "than that of the attributes"},
		"its own input":                 {[]Input{{Path: at("in/x"), Name: "x"}}, at("in"), "would replace the input"},
		"another input":                 {[]Input{{Path: at("in/p/y"), Name: "y"}, {Path: at("in/p/p/y"), Name: "p/y"}}, at("in/p/p"), at("in/p/p/y") + ": the kept documents of "},
		"attributes of another input":   {[]Input{{Path: at("in/x"), Name: "q/x"}, {Path: at("in/x.jsonl"), Name: "x.jsonl"}}, at("out/q"), "would replace the attributes of " + at("in/x")},
		"a file":                        {[]Input{{Path: at("in/x"), Name: "x"}}, at("file"), "expected a folder"},
		"below a folder that is a file": {[]Input{{Path: at("in/x"), Name: "x"}}, at("file/kept"), "expected a folder"},
	} {
		r := &Run{Folder: at("out"), Inputs: c.inputs}
		if err := r.Removable(c.to); fmt.Sprint(err) != "<nil>" && c.want == "" || !strings.Contains(fmt.Sprint(err), c.want) {
			t.Errorf("%s: error %v, want %q", name, err, c.want)
		}
	}
	if info, err := os.Stat(at("kept/of/it")); err != nil || !info.IsDir() {
		t.Errorf("the folder was not created: %v", err)
	}
}

// Outputs, results and final progress do not depend on the number of inputs processed at a time.
func TestInputsAtATime(t *testing.T) {
	in := t.TempDir()
	write(t, in, manyDocuments())
	type outcome struct {
		attributes, kept map[string]string
		numbers          [2]int
		told             map[string]dedup.Progress
	}
	outcomes := map[int]outcome{}
	for _, workers := range []int{1, 2, 8} {
		r := runOn(t, in, t.TempDir())
		o := outcome{told: map[string]dedup.Progress{}}
		r.Workers, r.Progress = workers, func(p dedup.Progress) { o.told[p.Step] = p }
		result, keep := mustFinish(t, r), t.TempDir()
		var err error
		if o.numbers[0], o.numbers[1], err = removeTo(t, result, keep, copyLines); err != nil {
			t.Fatal(err)
		}
		o.attributes, o.kept = attributes(t, r.Folder), contents(t, keep)
		if p := o.told["attributes"]; p.Done != 1 || p.Count != 2100 {
			t.Errorf("%d workers: %+v at the end, expected 2100 records and all bytes", workers, p)
		}
		outcomes[workers] = o
	}
	for _, workers := range []int{2, 8} {
		if diff := cmp.Diff(outcomes[1], outcomes[workers], cmp.AllowUnexported(outcome{})); diff != "" {
			t.Errorf("%d workers: -1 +%d\n%s", workers, workers, diff)
		}
	}
}

// removing returns the result for four inputs, a.txt to empty.txt, and a folder for the copies.
func removing(t *testing.T, workers int) (*Result, string) {
	in := t.TempDir()
	write(t, in, lineFiles)
	r := runOn(t, in, t.TempDir())
	result := mustFinish(t, r)
	r.Workers, r.Memory = workers, int64(workers)*smallInput
	return result, t.TempDir()
}

// Several inputs are processed at a time, but only as many as memory allows.
func TestWorkersOfRemove(t *testing.T) {
	result, folder := removing(t, 3)
	var all sync.WaitGroup
	all.Add(3)
	var begun atomic.Int64
	err := result.Remove(t.Context(), folder, func(context.Context, string, string, Copying) error {
		if begun.Add(1) <= 3 {
			all.Done()
		}
		all.Wait()
		return nil
	})
	if err != nil || begun.Load() != 4 {
		t.Errorf("%d inputs, error %v", begun.Load(), err)
	}
}

// Large inputs among small ones are limited by the number of workers.
func TestLargeInputsAtATime(t *testing.T) {
	result, _ := removing(t, 2)
	result.news = make([]part, 200)
	for i := range result.news {
		result.news[i].head.Bytes = small + int64(i%2)
	}
	result.run.Memory = 2 * largeInput
	var large, most atomic.Int64
	err := result.eachInput(t.Context(), func(i int) error {
		if i%2 == 1 {
			now := large.Add(1)
			for before := most.Load(); now > before && !most.CompareAndSwap(before, now); before = most.Load() {
			}
			time.Sleep(100 * time.Microsecond) // give other inputs time to begin
			large.Add(-1)
		}
		return nil
	})
	if err != nil || most.Load() > 2 {
		t.Errorf("%d large inputs at a time, expected 2; error %v", most.Load(), err)
	}
}

// If several inputs fail, the error of the first input is returned, and no more inputs are begun.
func TestErrorsOfRemoveAreInOrder(t *testing.T) {
	result, folder := removing(t, 2)
	second := make(chan struct{})
	err := result.Remove(t.Context(), folder, func(_ context.Context, in, _ string, _ Copying) error {
		switch filepath.Base(in) {
		case "a.txt":
			<-second
		case "c.txt":
			close(second)
		default:
			t.Errorf("%s was begun", in)
		}
		return errors.New(filepath.Base(in))
	})
	if err == nil || err.Error() != "a.txt" {
		t.Errorf("error %v, expected a.txt", err)
	}
}

// An interrupt ends the active copies, and no more copies are begun.
func TestInterruptOfRemove(t *testing.T) {
	stop := errors.New("stop")
	for _, ends := range []bool{true, false} { // a copier may finish despite the interrupt
		result, folder := removing(t, 1)
		ctx, cancel := context.WithCancelCause(t.Context())
		calls := 0
		err := result.Remove(ctx, folder, func(ctx context.Context, _, _ string, _ Copying) error {
			calls++
			cancel(stop)
			if ends {
				return nil
			}
			return context.Cause(ctx)
		})
		if !errors.Is(err, stop) || calls != 1 {
			t.Errorf("%d inputs were begun, error %v; want 1, stop", calls, err)
		}
	}
}

// If an input is appended to, cut or replaced between the comparison and the end of its copy, there
// is no copy, and the error names the input.
func TestRemoveOfChangedInputs(t *testing.T) {
	for name, change := range map[string]func(path string) error{
		"appended to": func(path string) error { return os.WriteFile(path, []byte(lineFiles["a.txt"]+"new 0f\n"), 0o666) },
		"cut":         func(path string) error { return os.Truncate(path, 21) },
		"emptied":     func(path string) error { return os.Truncate(path, 0) },
		"with a record fewer, of the same size and time": func(path string) error {
			before, err := stateOf(path)
			for now := before; err == nil && now.Changed == before.Changed; { // file clocks are coarse
				err = errors.Join(os.WriteFile(path, []byte(strings.Replace(lineFiles["a.txt"], "\n", " ", 1)), 0o666), os.Chtimes(path, time.Time{}, time.Unix(0, before.Modified)))
				if err == nil {
					now, err = stateOf(path)
				}
			}
			return err
		},
	} {
		for _, late := range []bool{false, true} { // change it before and after it is read
			result, folder := removing(t, 1)
			err := result.Remove(t.Context(), folder, func(ctx context.Context, in, out string, c Copying) error {
				if filepath.Base(in) != "a.txt" {
					return copyLines(ctx, in, out, c)
				}
				if !late {
					if err := change(in); err != nil {
						return err
					}
				}
				whole := c.Whole
				c.Whole = func(leftOut int) error {
					if late {
						if err := change(in); err != nil {
							return err
						}
					}
					return whole(leftOut)
				}
				return copyLines(ctx, in, out, c)
			})
			if err == nil || !strings.Contains(err.Error(), "a.txt: ") || !strings.HasSuffix(err.Error(), "; run again") {
				t.Errorf("%s, late: %t: error %v", name, late, err)
			}
			if _, err := os.Stat(filepath.Join(folder, "a.txt")); err == nil {
				t.Errorf("%s, late: %t: there is a copy", name, late)
			}
		}
	}
}

// If a copy has fewer or more records than were compared, or others were left out, it gets no final
// name, even if the state of the input is unchanged.
func TestRemoveCountsRecords(t *testing.T) {
	for _, c := range []struct{ records, leftOut int }{{2, 0}, {4, 0}, {3, 1}, {2, 1}} {
		result, folder := removing(t, 1)
		err := result.Remove(t.Context(), folder, func(_ context.Context, _, out string, copying Copying) error {
			for i := range c.records { // a.txt has 3 records
				copying.Keep(i)
			}
			if err := copying.Whole(c.leftOut); err != nil {
				return err
			}
			return writeReady(out, "", copying)
		})
		want := fmt.Sprintf("a.txt: %d records and %d that cannot be read, expected the 3 and 0", c.records, c.leftOut)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %q", err, want)
		}
		if files := contents(t, folder); len(files) > 0 {
			t.Errorf("%d records: there is a copy", c.records)
		}
	}
}
