package dedup

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
)

// width is the width of the summary in characters.
const width = 80

// Notes are sentences about a run that the summary includes. Each may be "".
type Notes struct {
	Lead    string // first, such as the input that loses most of its records
	Sources string // which inputs lose most
	Lists   string // where the lists of records are; "": refer to --list
}

// kind returns the noun for a record.
func (r *Result) kind() string { return cmp.Or(r.Kind, "record") }

// Summary writes a summary for people. It fits on one screen.
func (r *Result) Summary(w io.Writer, notes Notes) error {
	var s strings.Builder
	paragraph := func(sentences ...string) {
		said := make([]string, 0, len(sentences))
		for _, sentence := range sentences {
			if sentence != "" {
				said = append(said, sentence)
			}
		}
		if len(said) > 0 {
			s.WriteString(strings.Join(texttable.Wrap(strings.Join(said, " "), width), "\n") + "\n")
		}
	}
	paragraph(notes.Lead)
	paragraph(r.answer())
	paragraph(notes.Sources)
	paragraph(r.chained())
	if r.Groups.Len() > 0 {
		fmt.Fprintf(&s, "\n%s\n", r.largestGroups())
	}
	s.WriteByte('\n')
	if r.Similarity > 0 {
		paragraph(r.unread())
		paragraph(r.verification(), r.found())
		paragraph(r.differences())
	} else {
		paragraph(r.threshold())
	}
	paragraph(r.empty())
	switch {
	case notes.Lists != "":
		paragraph(notes.Lists)
	case r.Dropped() > 0:
		paragraph("To get them: --list drop, keep, groups or pairs.")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// name returns the shortened name of the file.
func (r *Records) name() string { return shortened(r.Name, 40) }

// answer returns the sentence with the numbers of near-duplicates and dropped records.
func (r *Result) answer() string {
	all, dropped := r.Records.Len()-r.Old, r.Dropped()
	text := fmt.Sprintf("%s of %s: ", english.Count(all, r.kind()), r.Records.name())
	if dropped == 0 {
		none := "no near-duplicates"
		if r.Old > 0 {
			none += fmt.Sprintf(" of each other, or of the %s of %s", english.Count(r.Old, r.kind()), shortened(r.OldName, 40))
		}
		return text + none + "."
	}
	if r.Old > 0 {
		old, news := r.DroppedForOld(), dropped-r.DroppedForOld()
		of := fmt.Sprintf("of one in %s", shortened(r.OldName, 40))
		also := ""
		switch {
		case old == 0:
			old, of = news, "of another new one"
		case news > 0:
			also = fmt.Sprintf(", and %d of another new one", news)
		}
		return text + fmt.Sprintf("%d %s %s%s. Dropping %s leaves %d.", old, english.Plural(old, "is a near-duplicate", "are near-duplicates"), of, also,
			english.Plural(dropped, "it", "these"), all-dropped)
	}
	what := "the first"
	if r.Prefer != nil {
		what = r.Prefer.Name
	}
	return text + fmt.Sprintf("%d are near-duplicates, in %s. Keeping %s of each group drops %s and leaves %d.",
		r.Groups.InGroups(), english.Count(r.Groups.Len(), "group"), what, english.Count(dropped, r.kind()), all-dropped)
}

// verification describes how dropped records were verified.
func (r *Result) verification() string {
	both := fmt.Sprintf("Each dropped %s and the one kept for it", r.kind())
	switch unread := r.unreadDrops(); {
	case r.Dropped() == unread:
		both = "Near-duplicates"
	case unread > 0: // the sentence before is about these
		both = fmt.Sprintf("Each other dropped %s and the one kept for it", r.kind())
	}
	words := "words"
	if r.Symbols {
		words = "words and symbols"
	}
	switch r.Measure {
	case Cosine:
		return fmt.Sprintf("%s have a cosine of at least %v.", both, r.Similarity)
	case Jaccard:
		return fmt.Sprintf("%s share at least %s%% of their distinct %s.", both, english.Hundred(r.Similarity), words)
	}
	return fmt.Sprintf("%s share at least %s%% of their %s, in the same order.", both, english.Hundred(r.Similarity), words)
}

// unreadDrops counts the records that are dropped without a comparison, for a record of which only
// the fingerprint is known.
func (r *Result) unreadDrops() (n int) {
	for i := range r.Records.Set.Len() {
		if r.IsDropped(i) && r.isUnread(r.Records.Set.ID(r.Canonical(i))) {
			n++
		}
	}
	return n
}

// unread describes the records that are dropped without a comparison.
func (r *Result) unread() string {
	n := r.unreadDrops()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Not verified: %s %s dropped for an entry of %s, which contains only fingerprints; they differ in at most %d of %d bits.",
		english.Count(n, r.kind()), english.Plural(n, "is", "are"), shortened(r.UnreadName, 40), r.limit.k, r.Records.Set.Bits)
}

// found describes the recall of the search.
func (r *Result) found() string {
	found := fmt.Sprintf("%.1f%%", math.Floor(1000*r.Recall)/10) // never rounded up to 100%
	text := fmt.Sprintf("The search finds at least %s of all such pairs, whatever the texts.", found)
	if r.Measure == Cosine {
		text = fmt.Sprintf("The search finds %s of the pairs of cosine %v, and more of those above it, but fewer if the vectors have few weights, or a few dominate.", found, r.Similarity)
	}
	if s := r.Sample; s != nil && s.Pairs > 0 {
		text += fmt.Sprintf(" Of %s with one of %s drawn at random, it found %d.", english.Count(s.Pairs, "similar pair"), english.Count(s.Drawn, r.kind()), s.Found)
	}
	return text
}

// threshold describes k, the reason for it, and the shares of pairs that it finds in theory.
func (r *Result) threshold() string {
	bits, why := r.Records.Set.Bits, cmp.Or(r.WhyK, "as given")
	if r.K == UsualK {
		why = "the default for this width"
	}
	similarities, model, of := []float64{0.99, 0.98, 0.95}, binomial.OfCosine, "cosine"
	if r.sketch() == fphash.MinHash {
		similarities, model, of = []float64{0.95, 0.9, 0.8}, binomial.OfJaccard, "Jaccard similarity"
	}
	var finds []string
	for _, s := range similarities {
		finds = append(finds, fmt.Sprintf("%s%% at %v", english.Hundred(model(bits, s)[r.limit.k]), s))
	}
	return fmt.Sprintf("Near-duplicates differ in at most k = %d of %d bits (%s). By theory k finds these shares of the pairs of a %s: %s. Nothing was verified.",
		r.limit.k, bits, why, of, strings.Join(finds, ", "))
}

// chained warns of groups that may contain unrelated records.
func (r *Result) chained() string {
	if r.Similarity > 0 || r.limit.by == First || r.Groups.Len() == 0 {
		return ""
	}
	n := r.Groups.chains(r.limit.k)
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("Look before you drop: %s of members that differ from the first in more than 2k = %d bits. Unrelated records may be among them. With --k, --by first avoids such groups.",
		english.Count(n, "group")+english.Plural(n, " is a chain", " are chains"), 2*r.limit.k)
}

// empty counts the new records without a fingerprint, which are not compared.
func (r *Result) empty() string {
	n := r.Records.WithoutFingerprint() - r.OldEmpty
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s no fingerprint (%s) and %s kept.", english.Count(n, r.kind()), english.Plural(n, "has", "have"),
		WhyWithout(r.sketch()), english.Plural(n, "is", "are"))
}

// WhyWithout returns the possible reasons why a record has no fingerprint.
func WhyWithout(sketch fphash.Kind) string {
	if sketch == fphash.MinHash {
		return "empty"
	}
	return "empty, or all sums zero"
}

// shownGroups is how many of the largest groups the summary shows.
const shownGroups = 3

// largestGroups returns a table of the largest groups.
func (r *Result) largestGroups() string {
	farthest := "farthest"
	if r.Groups.similarity != nil {
		farthest = "similarity"
	}
	t := texttable.Aligned([]int{2}, "members", farthest, "largest groups, the one to keep first")
	for _, i := range r.Groups.largest(shownGroups) {
		of := ""
		if r.Groups.similarity != nil && r.Groups.leastSimilarity(i) > 0 {
			of = roundedDown(float64(r.Groups.leastSimilarity(i)))
		} else {
			of = english.Count(r.Groups.radius(i), "bit")
		}
		t.AppendRow(texttable.Row{len(r.Groups.Members(i)), of, r.names(r.Groups.Members(i), width-23)})
	}
	return t.Render()
}

// Named returns the records whose ids a Summary may show.
func (r *Result) Named() []int {
	var list []int
	for _, i := range r.Groups.largest(shownGroups) {
		members := r.Groups.Members(i)
		for _, m := range members[:min(len(members), width)] { // each id takes at least one column
			list = append(list, r.Records.record(m))
		}
	}
	return list
}

// names lists shortened ids in at most room characters.
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

// shortened shortens a long id to most characters. It keeps the end of a path, and the beginning of
// other ids.
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

// SharedID returns an id that several new records share and at least one of them is in a group, and
// the number of such ids. They make lists ambiguous. Ids that lists write alike count as equal.
func (r *Result) SharedID() (id string, n int) {
	if r.Records.idEnds == nil {
		return "", 0
	}
	seen := map[string]int{}
	for _, m := range r.Groups.members {
		seen[tabular.OneLine(r.Records.idAt(m))] = 0
	}
	from := 0
	for record, end := range r.Records.idEnds {
		key := tabular.OneLine(string(r.Records.ids[from:end]))
		from = end
		count, ok := seen[key]
		if !ok || record < r.Old {
			continue
		}
		if seen[key] = count + 1; count != 1 {
			continue
		}
		if n++; n == 1 {
			id = key
		}
	}
	return id, n
}

// Example is a dropped record and the record kept in its place, by their numbers.
type Example struct {
	Dropped, Kept int
	Distance      int     // in bits
	Similarity    float64 // 0 if nothing was verified
	Differs       Difference
}

// Apart describes how similar the two records are.
func (e Example) Apart() string {
	if e.Similarity > 0 {
		text := "similarity " + roundedDown(e.Similarity)
		switch e.Differs {
		case PunctuationDiffers:
			text += ", only punctuation differs"
		case NumberDiffers:
			text += ", a number differs"
		case NegationDiffers:
			text += ", a negation differs"
		}
		return text
	}
	return english.Count(e.Distance, "bit") + " apart"
}

// roundedDown returns a similarity with two digits, rounded down so that only equal texts have 1.00.
// Similarities are stored as float32, so 0.9 may be slightly less.
func roundedDown(similarity float64) string {
	return fmt.Sprintf("%.2f", math.Floor(100*similarity+1e-4)/100)
}

// Examples returns up to n dropped records with the records kept in their place, the most similar
// first. They are spread evenly over the similarities that occur, or over the distances if nothing
// was verified.
func (r *Result) Examples(n int) []Example { return r.examples(n, false) }

// Differing is Examples for the dropped texts that have a Difference, some of each kind.
func (r *Result) Differing(n int) []Example { return r.examples(n, true) }

func (r *Result) examples(n int, differing bool) []Example {
	if n <= 0 {
		return nil
	}
	// Up to n for each hundredth of similarity, for each distance or for each difference.
	byRank := map[int][]Example{}
	for i := range r.Groups.canonical {
		position := uint32(i)
		if !r.IsDropped(i) || r.isUnread(uint64(r.Records.record(r.Groups.canonical[position]))) {
			continue // the text of an unread record cannot be shown
		}
		e := Example{Dropped: r.Records.record(position), Kept: r.Records.record(r.Groups.canonical[position]), Distance: r.Groups.distance(position)}
		rank := e.Distance
		if r.Groups.similarity != nil {
			e.Similarity = float64(r.Groups.similarity[position])
			rank = 100 - int(100*e.Similarity)
		}
		if r.Groups.differs != nil {
			e.Differs = r.Groups.differs[position]
		}
		if differing {
			if rank = int(e.Differs); e.Differs == NoDifference {
				continue
			}
		}
		if len(byRank[rank]) < n {
			byRank[rank] = append(byRank[rank], e)
		}
	}
	ranks := slices.Sorted(maps.Keys(byRank))
	if len(ranks) > n {
		ranks = spread(ranks, n)
	}
	slices.Reverse(ranks) // less similar ones come first: the last round may be incomplete
	var examples []Example
	for round, before := 0, -1; before < len(examples) && len(examples) < n; round++ {
		before = len(examples)
		for _, rank := range ranks {
			if list := byRank[rank]; round < len(list) && len(examples) < n {
				examples = append(examples, list[round])
			}
		}
	}
	slices.SortStableFunc(examples, func(a, b Example) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), a.Distance-b.Distance, a.Dropped-b.Dropped)
	})
	return examples
}

// spread returns n evenly spread elements. They include the last and, if n > 1, the first.
func spread(all []int, n int) []int {
	if n == 1 {
		return all[len(all)-1:]
	}
	var list []int
	for i := range n {
		list = append(list, all[i*(len(all)-1)/(n-1)])
	}
	return list
}
