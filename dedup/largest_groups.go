package dedup

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
)

// shownGroups is how many of the largest groups the summary has.
const shownGroups = 3

// largestGroups is a table of them.
func (r *Result) largestGroups() string {
	t := texttable.Aligned([]int{2}, "members", "farthest", "largest groups, the one to keep first")
	for _, i := range r.Groups.largest(shownGroups) {
		radius := r.Groups.radius(i)
		t.AppendRow(texttable.Row{len(r.Groups.Members(i)), fmt.Sprintf("%d %s", radius, english.Plural(radius, "bit", "bits")), r.names(r.Groups.Members(i), width-21)})
	}
	return texttable.Render(t)
}

// Named returns the records whose ids a Summary may have.
func (r *Result) Named() []int {
	if r.Groups == nil {
		return nil
	}
	var list []int
	for _, i := range r.Groups.largest(shownGroups) {
		members := r.Groups.Members(i)
		for _, m := range members[:min(len(members), width)] { // each takes a character at least
			list = append(list, r.Records.record(m))
		}
	}
	return list
}

// names lists ids, shortened, in so many characters.
func (r *Result) names(members []uint32, room int) string {
	const separator, more = ", ", ", …"
	list := ""
	for n, m := range members {
		next := shortened(r.Records.idAt(m), 27)
		if n > 0 {
			next = list + separator + next
		}
		needed := utf8.RuneCountInString(next)
		if n < len(members)-1 {
			needed += utf8.RuneCountInString(more)
		}
		if needed > room && n > 0 {
			return list + more
		}
		list = next
	}
	return list
}

// shortened cuts a long id: a path before its end, another after its beginning.
func shortened(id string, most int) string {
	runes := []rune(texttable.Printable(tabular.OneLine(id)))
	switch {
	case len(runes) <= most:
		return string(runes)
	case strings.Contains(id, "/"):
		return "…" + string(runes[len(runes)-most+1:])
	}
	return string(runes[:most-1]) + "…"
}
