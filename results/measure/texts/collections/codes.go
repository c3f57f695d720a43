package collections

import (
	"context"
	"path"
	"regexp"
	"strings"

	"simhashkit/datasets/documents"
)

// revisions are civil procedure codes of one state, of which the later one has kept the numbers of
// the sections.
var revisions = [][2]string{{"CA1851", "CA1858"}, {"CA1858", "CA1868"}, {"NY1849", "NY1851"}, {"NY1876", "NY1879"}}

var section = regexp.MustCompile(`(?m)^\s*(?:§|SEC\.?|Sec\.?|SECTION|Section|Sect?\.)\s*(\d+)\s*[.,]`)

// sections cuts a code into its sections, by number. Numbers that stand in it twice, as the faults
// of optical character recognition have them, are left out.
func sections(code string) map[string]string {
	found := section.FindAllStringSubmatchIndex(code, -1)
	of, times := map[string]string{}, map[string]int{}
	for i, at := range found {
		end := len(code)
		if i+1 < len(found) {
			end = found[i+1][0]
		}
		number := code[at[2]:at[3]]
		of[number] = strings.TrimSpace(code[at[1]:end])
		times[number]++
	}
	for number, n := range times {
		if n > 1 {
			delete(of, number)
		}
	}
	return of
}

// codes are the same section in two revisions of a code, each read by optical character
// recognition, and whole codes of some hundred pages, of which some are revisions of others.
func codes(ctx context.Context, data string) ([]Collection, error) {
	texts, err := named(ctx, data, "neardup/civil_procedure_codes.tar.gz")
	if err != nil {
		return nil, err
	}
	var list []version
	for _, r := range revisions {
		before := sections(texts[r[0]])
		after := sections(texts[r[1]])
		for _, number := range sortedKeys(before) {
			if text, ok := after[number]; ok {
				list = append(list, version{before[number], text})
			}
		}
	}
	var books []string
	for _, name := range sortedKeys(texts) {
		if strings.TrimSpace(texts[name]) != "" && !strings.HasSuffix(name, "french") {
			books = append(books, texts[name])
		}
	}
	whole := byEdits("law-books", English, "", books)
	whole.Unfit = true
	return []Collection{ofVersions("law-sections", English, Middle, list), ofVersions("law-sections", English, Long, list), whole}, nil
}

// named reads the texts of an archive, by the names of the files without folder and ending.
func named(ctx context.Context, data, archive string) (map[string]string, error) {
	list, err := read(ctx, data, archive, documents.Options{})
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, r := range list {
		texts[strings.TrimSuffix(path.Base(r.id), path.Ext(r.id))] = r.text
	}
	return texts, nil
}
