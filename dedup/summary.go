package dedup

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"simhashkit/internal/english"
	"simhashkit/internal/texttable"
)

// width is that of the summary, in characters.
const width = 80

// Finds is what part of the pairs of a similarity a threshold finds.
type Finds struct{ Similarity, Part float64 }

// Notes is what the summary says besides the result.
type Notes struct {
	WhyK  string // "the default"
	Finds []Finds
	Of    string // which similarity that is: "cosine"

	// Chance is the probability that two unrelated records are within k.
	Chance float64

	// Without says why a record has no fingerprint; "" is "empty, or all sums zero".
	Without string

	// NoVerify says that the records cannot be read again, as those of standard input.
	NoVerify bool

	// Finder says how to learn what each k finds in the user's own data.
	Finder string

	// Short says that texts are too short for k; "" where they are not.
	Short string

	// Features says what of texts counts for nothing; "" where all does.
	Features string

	// Sources says which sources lose most; "" where there is one.
	Sources string

	// Texts has those of the Suspects, by the number of the record; nil where there are no texts.
	Texts map[int]string

	// Lists says where the records to keep and to drop are; "" means that --list writes them.
	Lists string
}

// Summary writes what was found, for people, on one screen.
func (r *Result) Summary(w io.Writer, notes Notes) error {
	var s strings.Builder
	paragraph := func(words string) {
		s.WriteString(strings.Join(texttable.Wrap(words, width), "\n") + "\n")
	}
	warning, texts := r.suspicious(notes.Texts != nil), ""
	if notes.Texts != nil {
		texts = r.suspectTexts(notes.Texts)
	}
	if warning != "" {
		paragraph(warning)
		s.WriteString(texts + "\n")
	}
	paragraph(r.answer())
	if notes.Sources != "" {
		paragraph(notes.Sources)
	}
	if r.Verify != nil {
		paragraph(r.verified())
	}
	if r.Recall > 0 {
		paragraph(r.recall())
	}
	if texts == "" && r.Groups != nil && r.Groups.Len() > 0 {
		fmt.Fprintf(&s, "\n%s\n", r.largestGroups())
	}
	s.WriteByte('\n')
	paragraph(r.threshold(notes))
	for _, warning := range []string{notes.Features, notes.Short, r.byChance(notes), r.empty(notes.Without)} {
		if warning != "" {
			paragraph(warning)
		}
	}
	if notes.Lists != "" {
		paragraph(notes.Lists)
	} else if r.Dropped() > 0 {
		lists := "drop, keep, groups or pairs"
		if r.Against != nil {
			lists = "drop, keep or pairs"
		}
		paragraph("To have them: --list " + lists + ".")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// name is that of a file in sentences.
func (r *Records) name() string { return shortened(r.Name, 40) }

func records(n int) string { return fmt.Sprintf("%d %s", n, english.Plural(n, "record", "records")) }

// answer is the first sentence.
func (r *Result) answer() string {
	all, dropped := r.Records.Len(), r.Dropped()
	if r.Against != nil {
		near := dropped - r.among
		return fmt.Sprintf("%s of %s: %d %s near one of the %s of %s%s. Dropping %s leaves %d.", records(all), r.Records.name(),
			near, english.Plural(near, "is", "are"), records(r.Against.Len()), r.Against.name(), r.answerAmong(), english.Plural(dropped, "it", "these"), all-dropped)
	}
	if dropped == 0 {
		return fmt.Sprintf("%s of %s: no near-duplicates.", records(all), r.Records.name())
	}
	what := "one of each group"
	switch {
	case r.Prefer != nil:
		what = r.Prefer.Name + " of each group"
	case r.By == First:
		what = "the first of each group"
	}
	return fmt.Sprintf("%s of %s: %d are near-duplicates, in %d %s. Keeping %s drops %s and leaves %d.", records(all), r.Records.name(),
		r.Groups.InGroups(), r.Groups.Len(), english.Plural(r.Groups.Len(), "group", "groups"), what, records(dropped), all-dropped)
}

// verified says how many of the near records are alike.
func (r *Result) verified() string {
	near, alike := r.Check.Near, r.Check.Verified
	if near == 0 {
		return fmt.Sprintf("Nothing is within k = %d: nothing to verify.", r.K)
	}
	other := "that is kept"
	if r.Against != nil {
		other = "of " + r.Against.name()
	}
	text := fmt.Sprintf("Verified (%v): of %s within k = %d of one %s, %d %s (%s%%).", r.Verify, records(near), r.K, other,
		alike, english.Plural(alike, "passes", "pass"), english.Hundred(float64(alike)/float64(near)))
	if alike < near {
		text += " The others are kept."
	}
	return text
}

// threshold says what k is, why, and what it finds.
func (r *Result) threshold(notes Notes) string {
	text := fmt.Sprintf("k = %d of %d bits (%s).", r.K, r.Records.Set.Bits, notes.WhyK)
	for i, f := range notes.Finds {
		switch i {
		case 0:
			text += fmt.Sprintf(" By theory it finds %s%% of the pairs of %s %v", english.Hundred(f.Part), notes.Of, f.Similarity)
		case len(notes.Finds) - 1:
			text += fmt.Sprintf(" and %s%% at %v.", english.Hundred(f.Part), f.Similarity)
		default:
			text += fmt.Sprintf(", %s%% at %v", english.Hundred(f.Part), f.Similarity)
		}
	}
	if notes.Finder != "" {
		text += " " + notes.Finder
	}
	return text
}

// byChance warns if k is so large, or fingerprints so short, that unrelated records are near.
func (r *Result) byChance(notes Notes) string {
	n := float64(r.Records.Len() - r.Records.WithoutFingerprint())
	pairs := n * (n - 1) / 2
	if r.Against != nil {
		against := n * float64(r.Against.Len()-r.Against.WithoutFingerprint())
		if pairs += against; !r.Among {
			pairs = against
		}
	}
	if pairs *= notes.Chance; pairs < 1 {
		return ""
	}
	advice := "wider fingerprints (--bits)"
	switch {
	case r.K > 0 && notes.NoVerify:
		advice = "a smaller --k, or " + advice
	case r.K > 0:
		advice = "a smaller --k, " + advice + ", or --verify"
	case !notes.NoVerify:
		advice += ", or --verify"
	}
	return fmt.Sprintf("By chance alone some %s of unrelated records are within k = %d: take %s.", roughly(pairs), r.K, advice)
}

// roughly writes a number of pairs with two digits that mean something.
func roughly(pairs float64) string {
	unit := math.Pow(10, max(0, math.Floor(math.Log10(pairs))-1))
	rounded := math.Round(pairs/unit) * unit
	return fmt.Sprintf("%.0f %s", rounded, english.Plural(int(min(rounded, 2)), "pair", "pairs"))
}

// empty says what is not compared.
func (r *Result) empty(why string) string {
	n := r.Records.WithoutFingerprint()
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%s without a fingerprint (%s): kept, and never %s.", records(n), cmp.Or(why, "empty, or all sums zero"), english.Plural(n, "a duplicate", "duplicates of each other"))
}
