package main

import (
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/benchname"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/bench/terms"
	"simhashkit/internal/wholefile"
	"simhashkit/results/measure/evidence"
	"simhashkit/results/measure/madeup"
	"simhashkit/results/measure/peers"
)

// tool is what deduplicates, and how where it can be told to do it otherwise.
type tool struct {
	name, features string
	k              int // the distance that is near; 0 is the usual one
	unsure         int // bits of each fingerprint that are masked
	minhash        int // bits of 1-bit MinHash; 0 is simhash
}

// parseTool returns ours with a definition such as words,n=3,fold/k=6 , words/unsure=4 or
// words,n=3/minhash=128/k=24.
func parseTool(definition string) (tool, error) {
	t := tool{name: "fphash"}
	var options string
	t.features, options, _ = strings.Cut(definition, "/")
	for option := range strings.SplitSeq(options, "/") {
		if option == "" {
			continue
		}
		name, value, _ := strings.Cut(option, "=")
		n, err := strconv.Atoi(value)
		switch {
		case err != nil:
			return t, fmt.Errorf("-tools %s: %w", definition, err)
		case name == "k":
			t.k = n
		case name == "unsure":
			t.unsure = n
		case name == "minhash":
			t.minhash = n
		default:
			return t, fmt.Errorf("-tools %s: expected k, unsure or minhash", definition)
		}
	}
	return t, nil
}

// row returns the name of a row about the tool; the keys stand before the number of documents.
func (t tool) row(base string, n int, keys ...string) string {
	name := []string{"tool", t.name}
	if t.features != "" {
		name = append(name, "features", t.features)
	}
	if t.k > 0 {
		name = append(name, "k", strconv.Itoa(t.k))
	}
	if t.minhash > 0 {
		name = append(name, "sketch", "minhash", "f", strconv.Itoa(t.minhash))
	}
	if t.unsure > 0 {
		name = append(name, "t", strconv.Itoa(t.unsure))
	}
	return benchname.New(base, append(append(name, keys...), "n", strconv.Itoa(n))...).String()
}

// results are the rows of a result file.
type results struct {
	rows     []resultfile.Row
	versions []resultfile.Field
	known    []string // rows of what tools find
}

func (r *results) add(name, unit string, value float64) {
	r.rows = append(r.rows, resultfile.Row{Name: name, Unit: unit, Samples: []resultfile.Sample{{Iterations: 1, Value: value}}})
}

// cores are the keys that say on how many cores something ran; one is the usual number.
func cores(cpus int) []string {
	if cpus == 1 {
		return nil
	}
	return []string{"cpus", strconv.Itoa(cpus)}
}

func (r *results) stages(t tool, cpus, n int, list []peers.Stage) {
	for _, s := range list {
		name := t.row(terms.Corpus, n, append([]string{"stage", s.Name}, cores(cpus)...)...)
		r.add(name, terms.NanosecondsPerOperation, float64(s.Time.Nanoseconds()))
		if s.Bytes > 0 {
			r.add(name, evidence.PeakBytes, float64(s.Bytes))
		}
	}
}

func (r *results) found(t tool, n int, f found) {
	copies, recall := f.all()
	name := t.row(evidence.CorpusFound, n)
	r.add(name, evidence.Recall, recall)
	r.add(name, evidence.Precision, f.precision())
	r.add(name, evidence.PrecisionByJaccard, f.precisionByJaccard())
	r.add(name, evidence.Dropped, float64(f.dropped))
	r.add(name, evidence.Planted, float64(copies))
	for _, e := range madeup.Edits {
		name := t.row(evidence.CorpusFound, n, "edit", e.Name)
		r.add(name, evidence.Recall, f.recall(e.Name))
		r.add(name, evidence.Planted, float64(f.copies[e.Name]))
	}
	r.known = append(r.known, name)
}

// has says whether it is known what the tool finds among so many documents.
func (r *results) has(t tool, n int) bool {
	return slices.Contains(r.known, t.row(evidence.CorpusFound, n))
}

func (r *results) skipped(t tool, cpus, n int, why error) {
	name := t.row(terms.Corpus, n, append([]string{"stage", "total"}, cores(cpus)...)...)
	r.rows = append(r.rows, resultfile.Row{Name: name, Skipped: why.Error()})
}

func (r *results) version(name, version string) {
	for _, known := range r.versions {
		if known.Name == name {
			return
		}
	}
	r.versions = append(r.versions, resultfile.Field{Name: name, Value: version})
}

// write writes what is known so far.
func (w *work) write() error {
	var units []resultfile.Unit
	for _, name := range []string{evidence.Recall, evidence.Precision, evidence.PrecisionByJaccard, evidence.Dropped, evidence.Planted} {
		units = append(units, resultfile.Unit{Name: name, Exact: true, Better: evidence.Better(name)})
	}
	units = append(units, resultfile.Unit{Name: evidence.PeakBytes, Unjudged: true, Better: evidence.Better(evidence.PeakBytes)})
	file := resultfile.File{Head: append(bench.Head(time.Now(), "go -C results run ./measure/million "+strings.Join(w.command(), " "), nil), w.results.versions...),
		Config: bench.Config(), Rows: w.results.rows, Units: units}
	if w.out == "" {
		return resultfile.Write(os.Stdout, file)
	}
	return wholefile.Write(w.out, func(out io.Writer) error { return resultfile.Write(out, file) })
}

// command is how the results are made again, without the folders of this machine.
func (w *work) command() []string {
	command := []string{"-n", quoted(w.sizes), "-tools", quoted(w.tools), "-cpus", quoted(w.cpus), "-limit", w.limit.String()}
	if w.python != "" {
		var names []string
		for _, l := range w.beside {
			names = append(names, l.tool().name)
		}
		command = append(command, "-python", "python3", "-libraries", quoted(names))
	}
	return command
}

// quoted is a list as an argument.
func quoted[T any](list []T) string { return `"` + strings.Trim(fmt.Sprint(list), "[]") + `"` }
