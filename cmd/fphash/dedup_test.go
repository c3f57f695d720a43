package main

import (
	"bufio"
	"context"
	"errors"
	"io"
	"math"
	"math/bits"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets"
	"simhashkit/dedup"
	"simhashkit/internal/tabular"
)

// nearDuplicates is the folder of the project's real near-duplicates. It is not distributed.
const nearDuplicates = "../../../shared/data/neardup"

// dedup fails if its output cannot be written completely.
func TestFullDiskUnderDedup(t *testing.T) {
	input := strings.Repeat("00ff00ff00ff00ff\tone\n", 3000)
	for _, list := range append(dedup.Lists(), "") {
		for _, format := range tabular.Formats() {
			args := []string{"dedup", "--list", list, "--format", format}
			if list == "" {
				args = args[:1]
			}
			if list == "pairs" { // the list of pairs is long
				args = append(args, "--workers", "1")
				input = strings.Repeat("00ff00ff00ff00ff\tone\n", 100)
			}
			for _, room := range []int{0, 2} {
				err := run(args, strings.NewReader(input), &fullDisk{room}, io.Discard)
				if !errors.Is(err, errFull) || exitCode(err, io.Discard) != exitFailed {
					t.Errorf("%q, room for %d bytes: %v", args, room, err)
				}
			}
		}
	}
}

// An interrupt while a list is written ends the command and leaves no file.
func TestInterruptedList(t *testing.T) {
	dir := t.TempDir()
	out := filepath.Join(dir, "pairs.txt")
	ctx, cancel := context.WithCancelCause(t.Context())
	interrupting := writerFunc(func(p []byte) (int, error) { // missing ids are counted after the search
		cancel(errInterrupted)
		return len(p), nil
	})
	texts := `{"id":1,"text":"a text"}` + "\n" + strings.Repeat(`{"text":"a text"}`+"\n", 3000)
	err := runContext(ctx, []string{"dedup", "--list", "pairs", "--out", out}, strings.NewReader(texts), io.Discard, interrupting)
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }

// kin maps licences to the licence that they are versions of under another name.
var kin = map[string]string{
	"CUA": "MPL", "SPL": "MPL", "TPL": "MPL", "MVT": "MPL", // Mozilla's
	"UCL": "OSL", "AFL": "OSL", // Rosen's
	"CPL": "EPL", "NBPL": "OLDAP", "Nokia": "Qt", // former and other names
	"AGPL": "GPL", "LGPL": "GPL", "GCC": "GPL", "Autoconf": "GPL", "Bison": "GPL", // GNU's, and exceptions to them
}

var familyName = regexp.MustCompile(`^(?:depreciate_)?([A-Za-z]+)`)

// familyOf returns the family of a licence by the name of its file.
func familyOf(name string) string {
	family := familyName.FindStringSubmatch(name)[1]
	if of := kin[family]; of != "" {
		return of
	}
	return family
}

// dedup finds the near-duplicates among licence texts: no group mixes families, and all names of
// GPL-2.0 are in one group.
func TestLicences(t *testing.T) {
	licences := filepath.Join(nearDuplicates, "spdx_license_texts.tar.gz")
	if _, err := os.Stat(licences); err != nil {
		t.Skip("the project's real data is not available")
	}
	code, stdout, stderr := execute(t, "", "dedup", licences, "--k", "3", "--features", "words,n=3", "--list", "groups")
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	families, groups := map[string]string{}, map[string]string{}
	for line := range strings.Lines(stdout) {
		cells := strings.Split(line, "\t")
		group, name, family := cells[0], cells[1], familyOf(cells[1])
		groups[name] = group
		if known, ok := families[group]; ok && known != family {
			t.Errorf("group %s mixes %s with %s", group, known, name)
		}
		families[group] = family
	}
	if len(families) < 30 {
		t.Errorf("%d groups, expected many", len(families))
	}
	gpl := groups["GPL-2.0.txt"]
	if gpl == "" || groups["GPL-2.0-only.txt"] != gpl || groups["GPL-2.0-or-later.txt"] != gpl {
		t.Errorf("GPL-2.0 is in group %q, -only in %q, -or-later in %q", gpl, groups["GPL-2.0-only.txt"], groups["GPL-2.0-or-later.txt"])
	}
}

// dedup finds the same near-duplicates in Go's package syscall as a comparison of all pairs.
func TestGoSource(t *testing.T) {
	goTree, err := exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output()
	if err != nil {
		t.Skip(err)
	}
	folder := filepath.Join(strings.TrimSpace(string(goTree)), "src", "syscall")
	_, sketches, _ := execute(t, "", "sketch", folder)
	lines := strings.Split(strings.TrimSpace(sketches), "\n")
	want, fingerprints := map[string]float64{}, make([]uint64, len(lines))
	for i, line := range lines {
		fingerprints[i] = fingerprintOf(t, line)
	}
	for i, a := range lines {
		for j := i + 1; j < len(lines); j++ {
			if distance := bits.OnesCount64(fingerprints[i] ^ fingerprints[j]); distance <= 3 {
				want[a[17:]+"\t"+lines[j][17:]] = float64(distance)
			}
		}
	}
	if diff := cmp.Diff(want, pairsOf(t, "dedup", folder, "--k", "3", "--list", "pairs")); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if len(want) == 0 {
		t.Error("no near-duplicates, expected some")
	}
}

// fingerprintOf returns the fingerprint in an output line of fphash sketch.
func fingerprintOf(t *testing.T, line string) uint64 {
	fingerprint, err := strconv.ParseUint(line[:16], 16, 64)
	if err != nil {
		t.Fatal(err)
	}
	return fingerprint
}

// dedup finds the pairs of mass spectra whose exact cosine, computed here in another way, reaches
// the threshold. They include all copies.
func TestMassSpectra(t *testing.T) {
	spectra := filepath.Join(realData, "massbank_A.svm.gz")
	if _, err := os.Stat(spectra); err != nil {
		t.Skip("the project's real data is not available")
	}
	set, _, err := datasets.Load[float32](t.Context(), spectra, datasets.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	positions, copies := map[string]int{}, map[string]string{}
	wantedCopies := map[string]bool{}
	for i := range set.Len() {
		positions[set.ID(i)] = i
		key := spectrum(&set, i)
		if of, ok := copies[key]; ok {
			wantedCopies[of+"\t"+set.ID(i)] = true
		} else {
			copies[key] = set.ID(i)
		}
	}
	all := pairsOf(t, "dedup", spectra, "--list", "pairs", "--k", "26", "--bits", "128", "--widen", "mix")
	similar := pairsOf(t, "dedup", spectra, "--list", "pairs", "--similarity", "0.95")
	want := map[string]float64{}
	for pair := range all {
		a, b, _ := strings.Cut(pair, "\t")
		if cosine := exactCosine(&set, positions[a], positions[b]); cosine >= 0.95 {
			want[pair] = cosine
		}
	}
	missed := 0
	for pair, cosine := range want {
		if got, ok := similar[pair]; !ok {
			missed++
		} else if math.Abs(got-cosine) > 1e-6 {
			t.Errorf("%q: similarity %v, want %v", pair, got, cosine)
		}
	}
	if len(similar) != len(want)-missed || missed > len(want)/50 {
		t.Errorf("%d pairs, %d of %d missed", len(similar), missed, len(want))
	}
	for pair := range wantedCopies {
		if _, ok := similar[pair]; !ok {
			t.Errorf("the copies %q are not a pair", pair)
		}
	}
	if len(wantedCopies) == 0 || len(want) == 0 || len(want) == len(all) {
		t.Errorf("%d copies, %d of %d pairs real: expected some of each", len(wantedCopies), len(want), len(all))
	}
}

// spectrum returns the features of a vector as a key.
func spectrum(set *datasets.CSR[float32], i int) string {
	var key strings.Builder
	indices, weights := set.Row(i)
	for n, index := range indices {
		key.WriteString(strconv.FormatUint(index, 10) + ":" + strconv.FormatFloat(float64(weights[n]), 'g', -1, 32) + " ")
	}
	return key.String()
}

// pairsOf runs a command that lists pairs, and returns the last column by pair.
func pairsOf(t *testing.T, args ...string) map[string]float64 {
	t.Helper()
	code, stdout, stderr := execute(t, "", args...)
	if code != exitSuccess {
		t.Fatal(stderr)
	}
	pairs := map[string]float64{}
	scanner := bufio.NewScanner(strings.NewReader(stdout))
	for scanner.Scan() {
		cells := strings.Split(scanner.Text(), "\t")
		value, err := strconv.ParseFloat(cells[len(cells)-1], 64)
		if err != nil {
			t.Fatal(err)
		}
		pairs[cells[0]+"\t"+cells[1]] = value
	}
	return pairs
}

func exactCosine(set *datasets.CSR[float32], a, b int) float64 {
	weights := map[uint64]float64{}
	var dot, aa, bb float64
	indices, values := set.Row(a)
	for i, index := range indices {
		weights[index] = float64(values[i])
		aa += float64(values[i]) * float64(values[i])
	}
	indices, values = set.Row(b)
	for i, index := range indices {
		dot += weights[index] * float64(values[i])
		bb += float64(values[i]) * float64(values[i])
	}
	return dot / math.Sqrt(aa) / math.Sqrt(bb)
}

// dedup distinguishes Parquet files of documents from those of fingerprints.
func TestDedupOfDocumentsInParquet(t *testing.T) {
	code, stdout, stderr := execute(t, "", "dedup", "../../internal/columnar/testdata/pandas.parquet")
	if code != exitSuccess || !strings.Contains(stdout, "5 documents of ") || !strings.Contains(stdout, "leaves 4.") {
		t.Errorf("exit code %d\n%s%s", code, stdout, stderr)
	}
}
