package collections

import (
	"context"
	"maps"
	"slices"
	"strings"
)

func sortedKeys(m map[string]string) []string { return slices.Sorted(maps.Keys(m)) }

// licences are texts of licences: those that are near-duplicates by their text, and those that are
// of one family by their names, GPL-1.0 and GPL-3.0 for one.
func licences(ctx context.Context, data string) ([]Collection, error) {
	texts, err := named(ctx, data, "neardup/spdx_license_texts.tar.gz")
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	var names, list []string
	for _, name := range sortedKeys(texts) {
		text := texts[name]
		if lengthOf(text) == Long && !seen[text] { // copies have several names
			seen[text] = true
			names, list = append(names, name), append(list, text)
		}
	}
	families := Collection{Name: "licence-families", Language: English, Length: Long, Truth: ByLabels, Unfit: true, Texts: list, Same: map[Pair]bool{}}
	for i := range names {
		for j := range i {
			if family(names[i]) == family(names[j]) {
				families.Same[pairOf(i, j)] = true
			}
		}
	}
	return []Collection{byEdits("licences", English, Long, list), families}, nil
}

// family is the name of a licence up to its version.
func family(name string) string {
	parts := strings.Split(strings.TrimPrefix(name, "depreciate_"), "-")
	for i, part := range parts {
		if i > 0 && part[0] >= '0' && part[0] <= '9' {
			return strings.Join(parts[:i], "-")
		}
	}
	return name
}
