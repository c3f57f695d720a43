package collections

import (
	"context"
	"strings"

	"simhashkit/datasets/documents"
)

// pages are pages of tldr, many of which are made by a template, in three languages; and pages with
// their translations.
func pages(ctx context.Context, data string) (all []Collection, err error) {
	list, err := read(ctx, data, "text/tldr_pages_en_ja_zh.tar.gz", documents.Options{})
	if err != nil {
		return nil, err
	}
	of := map[string]map[string]string{} // by folder and the name in it
	for _, r := range list {
		folder, name, _ := strings.Cut(r.id, "/")
		if of[folder] == nil {
			of[folder] = map[string]string{}
		}
		of[folder][name] = r.text
	}
	for _, c := range []struct {
		language, folder, length string
		template                 bool
	}{{English, "pages", Middle, false}, {Chinese, "pages.zh", Middle, false}, {English, "pages", Short, true}, {Chinese, "pages.zh", Short, true}} {
		var texts []string
		for _, name := range sortedKeys(of[c.folder]) {
			texts = append(texts, of[c.folder][name])
		}
		pages := byEdits("manual-pages", c.language, c.length, texts)
		pages.Unfit = c.template // the short ones say of one command that it is another
		all = append(all, pages)
	}
	for _, c := range []struct{ language, folder string }{{Chinese, "pages.zh"}, {Japanese, "pages.ja"}} {
		var pairs []version
		for _, name := range sortedKeys(of[c.folder]) {
			if text, ok := of["pages"][name]; ok {
				pairs = append(pairs, version{text, of[c.folder][name]})
			}
		}
		translated := ofVersions("manual-pages-translated", c.language, "", pairs)
		translated.Unfit = true
		all = append(all, translated)
	}
	return all, nil
}
