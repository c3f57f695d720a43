package corpus

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/english"
)

// WriteSummary writes the examples that Run.Show chose, and a summary for people. Call it after
// Complete.
func (r *Result) WriteSummary(w io.Writer) error {
	if _, err := io.WriteString(w, r.examples); err != nil {
		return err
	}
	r.Lead, r.Sources = r.mostLosses()
	r.Lists = r.outputs()
	return r.Summary(w)
}

// outputs describes the files that the run has written.
func (r *Result) outputs() string {
	text := fmt.Sprintf("Groups, and which document of each to keep: %s.", filepath.Join(r.run.Folder, "*."+r.run.format()))
	if r.copies == "" {
		return text
	}
	dropped := r.Dropped()
	kept := r.Records.Len() - r.Old - dropped
	leftOut := 0
	for _, p := range r.news {
		leftOut += p.leftOut
	}
	all := kept + dropped + leftOut
	text += fmt.Sprintf(" Of %d %s, the %d to keep %s in %s, %d %s dropped", all, english.Plural(all, "document", "documents"),
		kept, english.Plural(kept, "is", "are"), r.copies, dropped, english.Plural(dropped, "is", "are"))
	if leftOut > 0 {
		text += fmt.Sprintf(", and %d, which could not be read, %s left out", leftOut, english.Plural(leftOut, "is", "are"))
	}
	return text + "."
}

// shownLosses is the number of inputs that mostLosses names.
const shownLosses = 5

// mostLosses describes the inputs that lose the most records. The lead is a warning about inputs
// that lose more than half. Both are "" for a single input or without losses.
func (r *Result) mostLosses() (lead, sources string) {
	losses := r.losses()
	if len(r.news) < 2 || len(losses) == 0 {
		return "", ""
	}
	var list, halved []string
	others := 0 // records that other inputs lose
	for i, l := range losses {
		if 2*l.dropped > l.n {
			halved = append(halved, fmt.Sprintf("%s loses %d of its %s", l.input.Name, l.dropped, english.Count(l.n, "document")))
		}
		if i < shownLosses {
			list = append(list, fmt.Sprintf("%s %d of %d", l.input.Name, l.dropped, l.n))
		} else {
			others += l.dropped
		}
	}
	if len(halved) > 0 {
		lead = "Look before you drop: " + halved[0]
		if n := len(halved) - 1; n > 0 {
			lead += fmt.Sprintf(", and %d other %s more than half", n, english.Plural(n, "file loses", "files lose"))
		}
		lead += "."
	}
	sources = "Dropped by file: " + strings.Join(list, ", ")
	if n := len(losses) - len(list); n > 0 {
		sources += fmt.Sprintf("; %d in %d other %s", others, n, english.Plural(n, "file", "files"))
	}
	return lead, sources + "."
}

// loss counts the dropped records of an input.
type loss struct {
	*part
	dropped int
}

// losses returns the inputs with dropped records, those that lose most first.
func (r *Result) losses() []loss {
	var losses []loss
	for i := range r.news {
		if n := len(r.droppedOf(i)); n > 0 {
			losses = append(losses, loss{&r.news[i], n})
		}
	}
	slices.SortStableFunc(losses, func(a, b loss) int { return cmp.Compare(b.dropped, a.dropped) })
	return losses
}

// names has the ids of some records: those that dropped ones duplicate, and those that the summary
// and the examples show. In the attributes and in the summary, these name records of other files.
type names struct {
	records []int // ascending
	ids     []any // of idValue
}

// of returns the id of a record; nil if its id has not been read.
func (n *names) of(record int) any {
	i, ok := slices.BinarySearch(n.records, record)
	if !ok {
		return nil
	}
	return n.ids[i]
}

// nameRecords reads the ids of the records that need a name.
func (r *Result) nameRecords(ctx context.Context, examples []dedup.Example) error {
	records := r.Named()
	if r.shared > 0 {
		records = append(records, r.example)
	}
	for _, e := range examples {
		records = append(records, e.Dropped, e.Kept)
	}
	for position := range r.Records.Set.Len() {
		if r.IsDropped(position) {
			records = append(records, r.canonicalOf(position))
		}
	}
	slices.Sort(records)
	records = slices.Clip(slices.Compact(records))
	r.ids = names{records, make([]any, 0, len(records))}
	for _, p := range r.parts {
		end, _ := slices.BinarySearch(records, p.first+p.n)
		if end == len(r.ids.ids) {
			continue
		}
		number := p.first
		for record, err := range p.Records(ctx) {
			if err != nil {
				return err
			}
			if number == records[len(r.ids.ids)] {
				r.ids.ids = append(r.ids.ids, idValue(record))
				if len(r.ids.ids) == end {
					break
				}
			}
			number++
		}
		if len(r.ids.ids) < end {
			return fmt.Errorf("%s: %d records, expected %d: another process writes here", p.Name, number-p.first, p.n)
		}
	}
	r.Records.IDs = func(record int) string {
		return fmt.Sprint(cmp.Or(r.ids.of(record), any(record+1)))
	}
	return nil
}

// canonicalOf returns the number of the record kept in place of the one at a position.
func (r *Result) canonicalOf(position int) int {
	return int(r.Records.Set.ID(r.Canonical(position)))
}

// named is read with the names of records outside of their file.
func (r *Run) named(ctx context.Context, in Input) iter.Seq2[Record, error] {
	file := ""
	if len(r.Inputs) > 1 || in.Old {
		file = in.Path
	}
	return withNames(r.read(ctx, in, nil), file)
}

// withNames names the records of a file without an id by their number in the file, such as
// a.jsonl:3. If file is "", it changes nothing.
func withNames(records iter.Seq2[Record, error], file string) iter.Seq2[Record, error] {
	if file == "" {
		return records
	}
	return func(yield func(Record, error) bool) {
		for record, err := range records {
			if record.MadeUp {
				number := strings.TrimPrefix(string(record.ID), "#")
				record.ID, record.Number = fmt.Appendf(nil, "%s:%s", file, number), false
			}
			if !yield(record, err) {
				return
			}
		}
	}
}
