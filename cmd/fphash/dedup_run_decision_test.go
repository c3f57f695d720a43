package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"simhashkit/internal/testing/long"
)

// decisions are the options of two runs over the same documents. The runs keep different documents
// and write different formats.
var decisions = map[string][]string{
	"A": {"--k", "3"},
	"B": {"--k", "12", "--keep", "longest", "--format", "csv"},
}

// decisionsTest makes runs with the options of decisions.
type decisionsTest struct {
	t      *testing.T
	in     string
	want   map[string]map[string]string // the files of an undisturbed run, by decision
	longer time.Duration                // duration of the slower run
}

func newDecisionsTest(t *testing.T) *decisionsTest {
	if runtime.GOOS == "windows" {
		t.Skip("processes cannot be killed in this way on this system")
	}
	files := map[string]string{}
	for i := range 12 {
		var text strings.Builder
		for j := range 100 {
			fmt.Fprintf(&text, "document %d of file %d has the words number%d and number%d%s\n", j%90, i%9, j*7%13, i*5%11, strings.Repeat(" again", j%3))
		}
		files[fmt.Sprintf("%02d.txt", i)] = text.String()
	}
	d := &decisionsTest{t: t, in: corpusOf(t, files), want: map[string]map[string]string{}}
	for name := range decisions {
		folder, start := t.TempDir(), time.Now()
		if err := d.command(folder, name, io.Discard).Run(); err != nil {
			t.Fatal(err)
		}
		d.longer = max(d.longer, time.Since(start))
		d.want[name] = filesAndText(t, folder)
	}
	if d.want["A"]["out/fphash-run/decision.zst"] == d.want["B"]["out/fphash-run/decision.zst"] {
		t.Fatal("both decisions drop the same")
	}
	return d
}

// command returns a run that writes its outputs below a folder.
func (d *decisionsTest) command(folder, decision string, stderr io.Writer) *exec.Cmd {
	args := append([]string{"dedup", d.in, "--documents", "lines", "--run", filepath.Join(folder, "out"), "--remove", filepath.Join(folder, "kept")}, decisions[decision]...)
	c := ownProcess(d.t, args...)
	c.Stderr = stderr
	return c
}

// checkMarker fails if a folder has a decision, which marks it as complete, but its outputs are not
// those of a single decision. It ignores temporary files.
func (d *decisionsTest) checkMarker(folder string) {
	d.t.Helper()
	got := filesAndText(d.t, folder)
	for name := range got {
		if strings.HasSuffix(name, ".tmp") {
			delete(got, name)
		}
	}
	if _, complete := got["out/fphash-run/decision.zst"]; !complete {
		return
	}
	if diff := cmp.Diff(d.want["A"], got); diff != "" && !cmp.Equal(d.want["B"], got) {
		d.t.Errorf("complete, but matches neither decision: -A +got\n%.3000s", diff)
	}
}

// A run with other options is killed at a random time. The next run, with either options, then
// writes the same files as in a new folder.
func TestKilledRunWithOtherOptions(t *testing.T) {
	d := newDecisionsTest(t)
	rounds := 4
	if long.Enabled() {
		rounds = 100
	}
	random := rand.New(rand.NewPCG(1, 2))
	for round := range rounds {
		folder := t.TempDir()
		if err := d.command(folder, "A", io.Discard).Run(); err != nil {
			t.Fatal(err)
		}
		c := d.command(folder, "B", io.Discard)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(d.longer))))
		_ = c.Process.Kill() // the run may have ended
		_ = c.Wait()
		d.checkMarker(folder)
		next := []string{"A", "B"}[round%2]
		if err := d.command(folder, next, io.Discard).Run(); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(d.want[next], filesAndText(t, folder)); diff != "" {
			t.Errorf("round %d, then %s: -want +got\n%.3000s", round, next, diff)
		}
	}
}

// If two runs overlap, one of them reports that the other one is running. The folder then has the
// outputs of one decision.
func TestTwoRunsAtOnce(t *testing.T) {
	d := newDecisionsTest(t)
	rounds := 3
	if long.Enabled() {
		rounds = 40
	}
	random, lost := rand.New(rand.NewPCG(3, 4)), 0
	for round := range rounds {
		folder := t.TempDir()
		var first, second bytes.Buffer
		a, b := d.command(folder, "A", &first), d.command(folder, "B", &second)
		if err := a.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(d.longer/4) + 1)))
		if err := b.Start(); err != nil {
			t.Fatal(err)
		}
		errA, errB := a.Wait(), b.Wait()
		for name, c := range map[string]struct {
			err    error
			stderr string
		}{"A": {errA, first.String()}, "B": {errB, second.String()}} {
			if c.err != nil {
				lost++
				if !strings.Contains(c.stderr, folder+"/out: another run is using this folder") {
					t.Errorf("round %d: %s: %q", round, name, c.stderr)
				}
			}
		}
		if errA != nil && errB != nil {
			t.Fatalf("round %d: both failed: %v", round, errors.Join(errA, errB))
		}
		got := filesAndText(t, folder)
		if errA != nil && !cmp.Equal(d.want["B"], got) || errB != nil && !cmp.Equal(d.want["A"], got) || !cmp.Equal(d.want["A"], got) && !cmp.Equal(d.want["B"], got) {
			t.Errorf("round %d: A: %v, B: %v; -A +got\n%.3000s", round, errA, errB, cmp.Diff(d.want["A"], got))
		}
	}
	t.Logf("%d rounds: %d runs were refused", rounds, lost)
}
