// Command neardup measures which near-duplicates fphash dedup and Python libraries find among real
// texts, which share of the texts they drop is right, and what that costs:
//
//	go build -o /tmp/fphash ./cmd/fphash
//	go -C results run ./measure/neardup -fphash /tmp/fphash -python venv/bin/python \
//	    -debian Translation-en -o CPU/DATE/neardup.txt
//
// The Python environment needs datasketch, rensa and text-dedup. Brute force finds the truth: it
// takes the texts in order, and a text is removable if its similarity to a kept one reaches the
// threshold. A program drops a text rightly if the text is that similar to one that the program
// keeps. "Found" is the number of rightly dropped texts divided by the number of removable ones.
// "Right" is the share of rightly dropped texts among all dropped ones.
//
// The programs take turns. The time is the CPU time of all cores; for Python, it excludes the
// imports.
package main

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"simhashkit/bench"
	"simhashkit/bench/gobench/resultfile"
	"simhashkit/internal/gobench/benchname"
	"simhashkit/internal/wholefile"
)

func main() {
	if len(os.Args) > 2 && os.Args[1] == "run" {
		os.Exit(runProcess(os.Args[2:]))
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return
	}
	fmt.Fprintln(os.Stderr, "neardup:", err)
	os.Exit(2)
}

// runProcess runs a command and prints its CPU time and memory. The kernel counts the memory of the
// process that starts a command as the command's, so a small process has to start it.
func runProcess(args []string) int {
	command := exec.Command(args[0], args[1:]...)
	command.Stderr = os.Stderr
	if err := command.Run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	state := command.ProcessState
	seconds := (state.UserTime() + state.SystemTime()).Seconds()
	fmt.Println(seconds, 1024*state.SysUsage().(*syscall.Rusage).Maxrss)
	return 0
}

//go:embed peers.py jobs.py
var scripts embed.FS

// program removes near-duplicates from a file.
type program struct {
	name       string
	thresholds []float64                               // thresholds at which its results are judged
	command    func(path, folder, out string) []string // writes the ids of dropped texts to out
	python     bool
}

// thresholds of similarity. The libraries are judged by the first.
var thresholds = []float64{0.9, 0.7, 0.8, 0.95, 0.98}

type options struct {
	sources
	fphash, python, out string
	jobs                bool
	limit, rounds       int
}

func parse(args []string) (o options, err error) {
	flags := flag.NewFlagSet("neardup", flag.ContinueOnError)
	flags.StringVar(&o.out, "o", "", "the `file` of results")
	flags.StringVar(&o.data, "data", "../../shared/data", "the `folder` of the reference data")
	flags.StringVar(&o.debian, "debian", "", "a Translation-en `file` of Debian; without it, its packages are left out")
	flags.StringVar(&o.html, "html", "", "a `folder` of HTML pages; without it, they are left out")
	flags.StringVar(&o.logs, "logs", "", "a `folder` of logs, whose lines are texts; without it, they are left out")
	flags.StringVar(&o.fphash, "fphash", "", "the `program` fphash")
	flags.StringVar(&o.python, "python", "", "the Python `program`; without it, the libraries are left out")
	flags.BoolVar(&o.jobs, "jobs", false, "run only the jobs of examples, for DuckDB and Spark; -python needs duckdb and pyspark")
	flags.IntVar(&o.limit, "limit", 20000, "maximum number of `texts` per collection")
	flags.IntVar(&o.rounds, "rounds", 3, "number of `rounds`; text-dedup takes part in the first")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if o.out == "" || o.fphash == "" || flags.NArg() > 0 || o.rounds < 1 || o.limit < 1 {
		return o, errors.New("expected -o FILE and -fphash PROGRAM, -rounds and -limit of 1 or more, and no other arguments than flags")
	}
	if o.fphash, err = filepath.Abs(o.fphash); err == nil && o.jobs && o.python == "" {
		err = errors.New("-jobs requires -python")
	}
	return o, err
}

// programs returns what is measured. The scripts are in a folder.
func (o options) programs(scripts string) (list []program) {
	first := thresholds[:1]
	if o.jobs {
		for _, engine := range []string{"duckdb", "spark"} {
			list = append(list, program{engine, first, func(path, folder, out string) []string {
				return []string{o.python, filepath.Join(scripts, "jobs.py"), engine, path, folder, out, o.fphash, "../examples"}
			}, true})
		}
		return list
	}
	dedup := func(more ...string) func(path, folder, out string) []string {
		return func(path, _, out string) []string {
			return append([]string{o.fphash, "dedup", path, "--list", "drop", "--format", "csv", "--force", "--out", out}, more...)
		}
	}
	for _, s := range thresholds {
		list = append(list, program{name: "fphash", thresholds: []float64{s}, command: dedup("--similarity", fmt.Sprint(s))})
	}
	list = append(list, program{name: "fphash-k3", thresholds: first, command: dedup("--k", "3")})
	if o.python == "" {
		return list
	}
	for _, library := range []string{"datasketch", "rensa", "text-dedup"} {
		list = append(list, program{library, first, func(path, folder, out string) []string {
			return []string{o.python, filepath.Join(scripts, "peers.py"), library, path, folder, out}
		}, true})
	}
	return list
}

func run(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "neardup")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	if err := os.CopyFS(folder, scripts); err != nil {
		return err
	}
	command := fmt.Sprintf("go -C results run ./measure/neardup -limit %d -rounds %d", o.limit, o.rounds)
	if o.jobs {
		command += " -jobs"
	}
	r := results{head: bench.Head(time.Now(), command, nil)}
	for _, c := range collections {
		contents, err := c.read(ctx, o.sources)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if contents == nil {
			continue
		}
		if err := o.measure(ctx, &r, c.name, contents, folder); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		if err := wholefile.Write(o.out, r.write); err != nil {
			return err
		}
	}
	return nil
}

// measure makes each program remove the near-duplicates of a collection, and adds the results to r.
func (o options) measure(ctx context.Context, r *results, name string, contents []string, folder string) error {
	texts := distinct(contents, o.limit)
	path := filepath.Join(folder, name+".jsonl")
	err := wholefile.Write(path, func(w io.Writer) error {
		e := json.NewEncoder(w)
		for i, t := range texts {
			if err := e.Encode(map[string]string{"id": strconv.Itoa(i), "text": t.content}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	removable := map[float64]int{}
	for _, s := range thresholds {
		for _, of := range greedy(texts, s) {
			if of >= 0 {
				removable[s]++
			}
		}
		r.add(benchname.New(nearDuplicates, "collection", name, "s", fmt.Sprint(s)), documentsUnit, float64(len(texts)), removableUnit, float64(removable[s]))
	}
	for round := range o.rounds {
		for _, p := range o.programs(folder) {
			if round > 0 && p.name == "text-dedup" {
				continue
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			out := filepath.Join(folder, "dropped")
			seconds, peak, note, err := p.run(ctx, path, folder, out)
			if err != nil {
				return fmt.Errorf("%s: %w", p.name, err)
			}
			r.note(p.name, note)
			dropped, err := readDropped(out, len(texts))
			if err != nil {
				return err
			}
			for _, s := range p.thresholds {
				n := benchname.New(nearDuplicates, "collection", name, "s", fmt.Sprint(s), "tool", p.name)
				r.add(n, cpuTime, seconds*1e9, peakBytes, peak)
				if round > 0 {
					continue
				}
				all, rightly := 0, right(texts, dropped, s)
				for _, d := range dropped {
					if d {
						all++
					}
				}
				r.add(n, droppedUnit, float64(all), rightlyDropped, float64(rightly))
				if removable[s] > 0 {
					r.add(n, recall, float64(rightly)/float64(removable[s]))
				}
				if all > 0 {
					r.add(n, precision, float64(rightly)/float64(all))
				}
				fmt.Fprintf(os.Stderr, "%s s=%v %s: %d texts, %d removable, %d dropped, %d of them rightly, %.3g s, %.0f MB\n",
					name, s, p.name, len(texts), removable[s], all, rightly, seconds, peak/1e6)
			}
		}
	}
	return nil
}

// run runs a program. It returns its CPU time in seconds, its peak memory in bytes, and the
// versions that it prints.
func (p program) run(ctx context.Context, path, folder, out string) (seconds, peak float64, note string, err error) {
	work, err := os.MkdirTemp(folder, "work")
	if err != nil {
		return 0, 0, "", err
	}
	defer os.RemoveAll(work)
	self, err := os.Executable()
	if err != nil {
		return 0, 0, "", err
	}
	command := exec.CommandContext(ctx, self, append([]string{"run"}, p.command(path, work, out)...)...)
	var stdout, stderr strings.Builder
	command.Stdout, command.Stderr = &stdout, &stderr
	if err := command.Run(); err != nil {
		return 0, 0, "", fmt.Errorf("%w: %s", err, stderr.String())
	}
	said := stdout.String()
	if p.python {
		lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
		said = lines[len(lines)-1]
	}
	if _, err := fmt.Sscan(said, &seconds, &peak); err != nil {
		return 0, 0, "", fmt.Errorf("expected seconds and bytes, found %q: %w", said, err)
	}
	if words := strings.SplitN(said, " ", 3); len(words) == 3 {
		note = words[2]
	}
	return seconds, peak, note, nil
}

// readDropped reads the numbers of dropped texts, one per line. A comma and further text may follow
// a number.
func readDropped(path string, texts int) ([]bool, error) {
	content, err := os.ReadFile(path)
	dropped := make([]bool, texts)
	for line := range strings.Lines(string(content)) {
		field, _, _ := strings.Cut(strings.TrimSpace(line), ",")
		if field == "id" {
			continue
		}
		i, err := strconv.Atoi(field)
		if err != nil || i < 0 || i >= texts || dropped[i] {
			return nil, fmt.Errorf("expected different numbers of texts below %d, found %q", texts, line)
		}
		dropped[i] = true
	}
	return dropped, err
}

// nearDuplicates begins the names of the rows.
const nearDuplicates = "NearDuplicates"

// The units of the rows.
const (
	documentsUnit  = "documents"
	removableUnit  = "removable"       // documents that are similar to a kept one, by brute force
	droppedUnit    = "dropped"         // documents that the program drops
	rightlyDropped = "rightly-dropped" // documents that are similar to one that the program keeps
	recall         = "recall"          // share of the removable documents that are rightly dropped
	precision      = "precision"       // share of the dropped documents that are rightly dropped
	cpuTime        = "cpu-ns/op"       // time of all processors together
	peakBytes      = "peak-bytes"      // maximum memory in use at any time
)

// better has the units of which higher values (+1) or lower ones (-1) are better.
var better = map[string]int{recall: +1, precision: +1, cpuTime: -1, peakBytes: -1}

// results collects the rows of the result file.
type results struct {
	head []resultfile.Field
	rows []resultfile.Row
}

// add adds figures, each preceded by its unit.
func (r *results) add(name benchname.Name, figures ...any) {
	for i := 0; i < len(figures); i += 2 {
		unit := figures[i].(string)
		sample := resultfile.Sample{Iterations: 1, Value: figures[i+1].(float64)}
		at := slices.IndexFunc(r.rows, func(row resultfile.Row) bool { return row.Name == name.String() && row.Unit == unit })
		if at < 0 {
			at, r.rows = len(r.rows), append(r.rows, resultfile.Row{Name: name.String(), Unit: unit})
		}
		r.rows[at].Samples = append(r.rows[at].Samples, sample)
	}
}

// note writes a program's versions to the head of the file, once.
func (r *results) note(program, text string) {
	if text != "" && !slices.ContainsFunc(r.head, func(f resultfile.Field) bool { return f.Name == program }) {
		r.head = append(r.head, resultfile.Field{Name: program, Value: text})
	}
}

func (r *results) write(w io.Writer) error {
	file := bench.File(r.head, r.rows)
	file.Units = nil
	for _, row := range r.rows {
		if !slices.ContainsFunc(file.Units, func(u resultfile.Unit) bool { return u.Name == row.Unit }) {
			file.Units = append(file.Units, resultfile.Unit{Name: row.Unit, Better: better[row.Unit]})
		}
	}
	return resultfile.Write(w, file)
}
