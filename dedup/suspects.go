package dedup

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"simhashkit/internal/english"
)

// A group of this part of all records, and of so many at least, is suspicious.
const (
	largePart    = 0.01
	largeMembers = 20
)

// suspicious warns, before the answer, of groups that may hold strangers: chains in which members
// are so far from the first that nothing at all is within k of both, and groups of many records
// that chains have joined.
func (r *Result) suspicious(texts bool) string {
	if r.Groups == nil || r.By == First || r.Groups.Len() == 0 {
		return ""
	}
	chains := r.Groups.chains(r.K)
	first := r.Groups.largest(1)[0]
	size, radius := len(r.Groups.Members(first)), r.Groups.radius(first)
	large := size >= largeMembers && float64(size) > largePart*float64(r.Records.Len()) && radius > r.K
	if chains == 0 && !large {
		return ""
	}
	words := fmt.Sprintf("Look before you drop: the largest group has %s, up to %d bits from its first", records(size), radius)
	if chains > 0 {
		words += fmt.Sprintf("; %d %s wider than 2k = %d", chains, english.Plural(chains, "group is a chain", "groups are chains"), 2*r.K)
	}
	words += ". They may hold strangers. --by first has no chains"
	if texts {
		words += "; --verify sequence:0.9 compares texts, too"
	}
	return words + "."
}

// Suspects returns, where the Summary warns of groups, the record that is kept and the farthest
// from it, of the largest group if that is wider than k, and of the widest one. There are none
// otherwise.
func (r *Result) Suspects() []Example {
	if r.suspicious(false) == "" {
		return nil
	}
	largest := r.Groups.largest(1)[0]
	widest, radius := largest, r.Groups.radius(largest)
	for i := range r.Groups.Len() {
		if wider := r.Groups.radius(i); wider > radius {
			widest, radius = i, wider
		}
	}
	var list []Example
	if r.Groups.radius(largest) > r.K {
		list = append(list, r.farthest(largest))
	}
	if widest != largest {
		list = append(list, r.farthest(widest))
	}
	return list
}

// farthest returns the first member of a group that is farthest from the canonical one.
func (r *Result) farthest(group int) Example {
	members := r.Groups.Members(group)
	far := members[0]
	for _, m := range members {
		if r.Groups.distance(m) > r.Groups.distance(far) {
			far = m
		}
	}
	return Example{Dropped: r.Records.record(far), Kept: r.Records.record(members[0]), Distance: r.Groups.distance(far)}
}

// suspectTexts shows two texts of each suspect group, a line each.
func (r *Result) suspectTexts(texts map[int]string) string {
	var s strings.Builder
	suspects := r.Suspects()
	if len(suspects) == 0 {
		return ""
	}
	largest := r.Records.record(r.Groups.Members(r.Groups.largest(1)[0])[0])
	for _, e := range suspects {
		group := "widest"
		if e.Kept == largest {
			group = "largest"
		}
		fmt.Fprintf(&s, "In the %s group, %d bits apart:\n", group, e.Distance)
		kept, dropped := shortened(r.Records.ID(e.Kept), 20), shortened(r.Records.ID(e.Dropped), 20)
		idWidth := max(utf8.RuneCountInString(kept), utf8.RuneCountInString(dropped))
		shown := around(texts[e.Kept], texts[e.Dropped], width-6-idWidth)
		fmt.Fprintf(&s, "    %-*s  %s\n    %-*s  %s\n", idWidth, kept, shown[0], idWidth, dropped, shown[1])
	}
	return s.String()
}
