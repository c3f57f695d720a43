package corpus

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"simhashkit/dedup"
	"simhashkit/internal/english"
)

// WriteSummary writes the examples that Run.Show chose, and a summary for people. Call it after
// Complete.
func (r *Result) WriteSummary(w io.Writer) error {
	if err := r.WriteExamples(w, r.shown, r.texts); err != nil {
		return err
	}
	lead, sources := r.mostLosses()
	return r.Summary(w, dedup.Notes{Lead: lead, Sources: sources, Lists: r.outputs()})
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
