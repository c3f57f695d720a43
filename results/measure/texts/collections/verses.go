package collections

import (
	"context"
	"strings"

	"simhashkit/datasets/documents"
)

// bible reads the verses of a version, in their order. What is no verse is left out: an
// introduction that stands as one is a hundred times as long.
func bible(ctx context.Context, data, version string) ([]record, error) {
	list, err := read(ctx, data, "neardup/bible/"+version+".tsv.gz", documents.Options{Text: "#2", ID: "#1"})
	if err != nil {
		return nil, err
	}
	const longestVerse = 3000 // bytes
	kept := list[:0]
	for _, r := range list {
		if len(r.text) <= longestVerse && r.text != "" {
			kept = append(kept, r)
		}
	}
	return kept, nil
}

// sameIDs pairs the records of two files that have the same id.
func sameIDs(a, b []record) (list []version) {
	other := map[string]string{}
	for _, r := range b {
		other[r.id] = r.text
	}
	for _, r := range a {
		if text, ok := other[r.id]; ok {
			list = append(list, version{r.text, text})
		}
	}
	return list
}

// verses are the same verse of the Bible in two versions: one that has other spellings and some
// other words, and one that is a revision of two centuries later. In another language it is a
// translation.
func verses(ctx context.Context, data string) (all []Collection, err error) {
	of := map[string][]record{}
	for _, version := range []string{"KJVPCE", "RWebster", "ASV", "ChiUn"} {
		if of[version], err = bible(ctx, data, version); err != nil {
			return nil, err
		}
	}
	near, far := sameIDs(of["KJVPCE"], of["RWebster"]), sameIDs(of["KJVPCE"], of["ASV"])
	translated := ofVersions("verses-translated", English, "", sameIDs(of["ASV"], of["ChiUn"]))
	translated.Unfit = true
	return []Collection{
		ofVersions("verses-reworded", English, Short, near),
		ofVersions("verses-reworded", English, Middle, near),
		ofVersions("verses-revised", English, Short, far),
		ofVersions("verses-revised", English, Middle, far),
		translated,
	}, nil
}

// AllVerses are all verses in two versions, reworded, for measurements of large collections. They
// are in a random order of the verses, both versions of one side by side.
func AllVerses(ctx context.Context, data string) (Collection, error) {
	a, err := bible(ctx, data, "KJVPCE")
	if err != nil {
		return Collection{}, err
	}
	b, err := bible(ctx, data, "RWebster")
	if err != nil {
		return Collection{}, err
	}
	list := sameIDs(a, b)
	c := Collection{Name: "verses-reworded", Language: English, Truth: ByLabels, Same: map[Pair]bool{}}
	for _, i := range random("all verses").Perm(len(list)) {
		if list[i][0] != list[i][1] {
			n := len(c.Texts)
			c.Texts = append(c.Texts, list[i][0], list[i][1])
			c.Same[pairOf(n, n+1)] = true
		}
	}
	return c, nil
}

// passages joins that many verses in a row.
func passages(list []record, verses int) (texts []string) {
	for ; len(list) >= verses; list = list[verses:] {
		var b strings.Builder
		for _, r := range list[:verses] {
			b.WriteString(r.text + " ")
		}
		texts = append(texts, strings.TrimSpace(b.String()))
	}
	return texts
}
