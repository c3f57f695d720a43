package dedup

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/cespare/xxhash/v2"

	"simhashkit/fphash"
	"simhashkit/internal/binomial"
	"simhashkit/internal/english"
	"simhashkit/internal/tabular"
	"simhashkit/internal/texttable"
)

// width is the width of the summary in characters.
const width = 80

// kind returns the noun for a record.
func (r *Result) kind() string { return cmp.Or(r.Kind, "record") }

// Summary writes a summary for people. It fits on one screen.
func (r *Result) Summary(w io.Writer) error {
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
	paragraph(r.Lead)
	paragraph(r.answer())
	paragraph(r.Sources)
	paragraph(r.chained())
	if r.groups.number() > 0 {
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
	case r.Lists != "":
		paragraph(r.Lists)
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
		what = r.PreferName
	}
	return text + fmt.Sprintf("%d are near-duplicates, in %s. Keeping %s of each group drops %s and leaves %d.",
		len(r.groups.members), english.Count(r.groups.number(), "group"), what, english.Count(dropped, r.kind()), all-dropped)
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
	if s := r.sample; s != nil && s.pairs > 0 {
		text += fmt.Sprintf(" Of %s with one of %s drawn at random, it found %d.", english.Count(s.pairs, "similar pair"), english.Count(s.drawn, r.kind()), s.found)
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
	if r.Records.Sketch() == fphash.MinHash {
		similarities, model, of = []float64{0.95, 0.9, 0.8}, func(bits int, j float64) []float64 { return binomial.AtMost(bits, (1-j)/2) }, "Jaccard similarity"
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
	if r.Similarity > 0 || r.limit.first || r.groups.number() == 0 {
		return ""
	}
	n := r.groups.chains(r.limit.k)
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
		WhyWithout(r.Records.Sketch()), english.Plural(n, "is", "are"))
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
	if r.groups.similarity != nil {
		farthest = "similarity"
	}
	t := texttable.Aligned([]int{2}, "members", farthest, "largest groups, the one to keep first")
	for _, i := range r.groups.largest(shownGroups) {
		of := ""
		if r.groups.similarity != nil && r.groups.leastSimilarity(i) > 0 {
			of = roundedDown(float64(r.groups.leastSimilarity(i)))
		} else {
			of = english.Count(r.groups.radius(i), "bit")
		}
		t.AppendRow(texttable.Row{len(r.groups.at(i)), of, r.names(r.groups.at(i), width-23)})
	}
	return t.Render()
}

// Named returns the records whose ids a Summary may show.
func (r *Result) Named() []int {
	var list []int
	for _, i := range r.groups.largest(shownGroups) {
		members := r.groups.at(i)
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

// knowsDifferences reports whether the differences of dropped records are known: those of texts
// that were compared.
func (r *Result) knowsDifferences() bool { return r.groups.differs != nil && r.Measure != Cosine }

// differences counts the dropped records that differ from the one kept for them in a way that their
// similarity hardly weighs.
func (r *Result) differences() string {
	count := map[string]int{}
	for _, d := range r.groups.differs {
		count[d.String()]++
	}
	meaning, punctuation := count["number"]+count["negation"], count["punctuation"]
	if meaning+punctuation == 0 {
		return ""
	}
	text := fmt.Sprintf("Of %s dropped, ", english.Count(r.Dropped(), r.kind()))
	if meaning > 0 {
		text += fmt.Sprintf("%d %s from the kept one in a number or a negation", meaning, english.Plural(meaning, "differs", "differ"))
	}
	switch {
	case punctuation == 0:
	case meaning > 0:
		text += fmt.Sprintf(", and %d only in punctuation", punctuation)
	default:
		text += fmt.Sprintf("%d %s from the kept one only in punctuation", punctuation, english.Plural(punctuation, "differs", "differ"))
	}
	return text + ": see --show differences."
}

// SharedID returns an id that several new records share and at least one of them is in a group, and
// the number of such ids. They make lists ambiguous. Ids that lists write alike count as equal.
func (r *Result) SharedID() (id string, n int) {
	all := r.Records
	if all.idEnds == nil {
		return "", 0
	}
	var hashes []uint64
	for record := r.Old; record < all.Len(); record++ {
		hashes = append(hashes, xxhash.Sum64String(tabular.OneLine(all.ID(record))))
	}
	record, n := r.Shared(hashes)
	if n > 0 {
		id = tabular.OneLine(all.ID(record))
	}
	return id, n
}

// Shared is SharedID for hashes of the ids of all new records, or of the first ones. It returns a
// record with such an id.
func (r *Result) Shared(hashes []uint64) (record, n int) {
	records := map[uint64]int{} // by the hash of an id in a group
	for _, m := range r.groups.members {
		if i := r.Records.record(m) - r.Old; i >= 0 && i < len(hashes) {
			records[hashes[i]] = 0
		}
	}
	for i, hash := range hashes {
		if _, ok := records[hash]; !ok {
			continue
		}
		if records[hash]++; records[hash] != 2 {
			continue
		}
		if n++; n == 1 {
			record = r.Old + i
		}
	}
	return record, n
}
