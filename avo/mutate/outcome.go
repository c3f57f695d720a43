package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// outcome is the result of running a mutant.
type outcome string

const (
	killed       outcome = "killed"
	endless      outcome = "killed: no end"
	notAssembled outcome = "does not assemble"
	survived     outcome = "survived"
)

// outcomes maps the ids of mutants to their outcomes.
type outcomes map[string]outcome

// readOutcomes reads the outcomes of an earlier run. It skips survivors, because tests may have
// been added, and endless mutants, because a process killed by something else looks the same. If
// the file does not exist, readOutcomes returns no outcomes.
func readOutcomes(path string) (outcomes, error) {
	done := outcomes{}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return done, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		// An interruption may have cut off the last line. Its outcome is then not recognised,
		// because no outcome is a prefix of another.
		o, id, ok := strings.Cut(scanner.Text(), "\t")
		if ok && slices.Contains([]outcome{killed, notAssembled}, outcome(o)) {
			done[id] = outcome(o)
		}
	}
	return done, scanner.Err()
}

// log writes each outcome at once, so that an interrupted run can be resumed.
type log struct {
	f   *os.File
	err error
}

// newLog creates or truncates the file, or appends to it if resume is set. Without a path, the log
// writes nothing.
func newLog(path string, resume bool) (*log, error) {
	l := &log{}
	if path == "" {
		return l, nil
	}
	flags := os.O_CREATE | os.O_WRONLY | os.O_TRUNC
	if resume {
		flags = os.O_CREATE | os.O_WRONLY | os.O_APPEND
	}
	var err error
	if l.f, err = os.OpenFile(path, flags, 0o644); err == nil && resume {
		_, err = l.f.WriteString("\n") // ends a line that was cut off
	}
	return l, err
}

func (l *log) add(id string, o outcome) {
	if l.f != nil && l.err == nil {
		_, l.err = fmt.Fprintf(l.f, "%s\t%s\n", o, id)
	}
}

func (l *log) close() error {
	if l.f == nil {
		return nil
	}
	return errors.Join(l.err, l.f.Close())
}

// report writes the numbers for each kernel and the survivors that are not on the reviewed list,
// and returns the number of these survivors.
func report(w io.Writer, done, now outcomes, list []review) (fresh int) {
	type line struct{ killed, endless, refused, reviewed, survived int }
	numbers := map[string]*line{}
	var names, survivors []string
	for _, results := range []outcomes{done, now} {
		for id, o := range results {
			name, _, _ := strings.Cut(id, ":")
			n := numbers[name]
			if n == nil {
				n = &line{}
				numbers[name] = n
				names = append(names, name)
			}
			switch {
			case o == killed:
				n.killed++
			case o == endless:
				n.endless++
			case o == notAssembled:
				n.refused++
			case isReviewed(list, id):
				n.reviewed++
			default:
				n.survived++
				survivors = append(survivors, id)
			}
		}
	}
	slices.Sort(names)
	slices.Sort(survivors)
	fmt.Fprintf(w, "%-28s %8s %8s %8s %9s %9s\n", "kernel", "killed", "no end", "refused", "reviewed", "survived")
	var sum line
	for _, name := range names {
		n := numbers[name]
		fmt.Fprintf(w, "%-28s %8d %8d %8d %9d %9d\n", name, n.killed, n.endless, n.refused, n.reviewed, n.survived)
		sum = line{sum.killed + n.killed, sum.endless + n.endless, sum.refused + n.refused, sum.reviewed + n.reviewed, sum.survived + n.survived}
	}
	fmt.Fprintf(w, "%-28s %8d %8d %8d %9d %9d\n", "all", sum.killed, sum.endless, sum.refused, sum.reviewed, sum.survived)
	for _, id := range survivors {
		fmt.Fprintln(w, "SURVIVED", id)
	}
	return len(survivors)
}

// review is a class of mutants that may survive, with the reason.
type review struct {
	mutant *regexp.Regexp // matches whole ids
	reason string
}

// readReviews reads the lists for the mutated files: one list for each package and architecture.
func (o *options) readReviews() (all []review, err error) {
	var names []string
	for _, path := range o.files {
		a, err := architectureOf(path)
		if err != nil {
			return nil, err
		}
		names = append(names, a.reviews(path))
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		list, err := readReviewed(filepath.Join(o.reviewed, name))
		if err != nil {
			return nil, err
		}
		all = append(all, list...)
	}
	return all, nil
}

// readReviewed reads a list. It consists of blocks of lines: a reason after "# ", then regular
// expressions for the ids that the reason explains, one per line.
func readReviewed(path string) (list []review, err error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	reason := ""
	afterReason := false
	for i, line := range strings.Split(string(source), "\n") {
		line = strings.TrimRight(line, " \r")
		comment, isComment := strings.CutPrefix(line, "#")
		switch {
		case line == "":
			reason = ""
		case isComment && afterReason:
			reason += comment
		case isComment:
			reason = strings.TrimSpace(comment)
		case reason == "":
			return nil, fmt.Errorf("%s:%d: a pattern without a reason above it", path, i+1)
		default:
			pattern, err := regexp.Compile("^(?:" + line + ")$")
			if err != nil {
				return nil, fmt.Errorf("%s:%d: %w", path, i+1, err)
			}
			list = append(list, review{pattern, reason})
		}
		afterReason = isComment
	}
	return list, nil
}

func isReviewed(list []review, id string) bool {
	for _, r := range list {
		if r.mutant.MatchString(id) {
			return true
		}
	}
	return false
}
