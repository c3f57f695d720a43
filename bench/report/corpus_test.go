package report

import (
	"regexp"
	"strings"
	"testing"
)

// The section has all stages of all tools by the number of documents, the largest first, what was
// found of each edit, and what was ended before it had an answer.
func TestCorpus(t *testing.T) {
	page := render(t, fromText(t, "A",
		"# skipped: Corpus/tool=other/stage=total/n=2000: it had not ended after 1m0s",
		"BenchmarkCorpus/tool=fphash/features=words/stage=total/n=1000 1 4000 ns/op",
		"BenchmarkCorpus/tool=fphash/features=words/k=6/stage=sketch/n=2000 1 2000000000 ns/op 3000000 peak-bytes",
		"BenchmarkCorpus/tool=fphash/features=words/k=6/stage=total/n=2000 1 4000000000 ns/op 5000000 peak-bytes",
		"BenchmarkCorpus/tool=fphash/features=words/k=6/stage=total/cpus=2/n=2000 1 3000000000 ns/op 6000000 peak-bytes",
		"BenchmarkCorpus/tool=other/stage=reading/n=2000 1 0 ns/op",
		"Unit recall assume=exact",
		"BenchmarkCorpusFound/tool=fphash/features=words/k=6/n=2000 1 0.75 recall 0.995 precision 150 dropped 200 planted",
		"BenchmarkCorpusFound/tool=fphash/features=words/k=6/edit=one-word/n=2000 1 0.9 recall 40 planted"))
	_, section, found := strings.Cut(page, `<section id="corpus"`)
	if !found {
		t.Fatal("there is no section on documents")
	}
	section, rest, _ := strings.Cut(section, "</section>")
	words := strings.Join(strings.Fields(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(section, " ")), " ")
	for _, want := range []string{
		"2k documents fphash words, k = 6 : 3 s on 2 cores, 6.00 MB",
		"fphash words, k = 6 1 sketch 2 s 1000 3.00 MB",
		"fphash words, k = 6 2 total 3 s 667 6.00 MB",
		"other 1 reading 0 ns – –",
		"one word",
		"fphash words, k = 6 75.0 % 90.0 % 150 99.5 %",
		"1k documents fphash words : 4 µs on one core",
		"These were ended, or failed:",
		"it had not ended after 1m0s",
	} {
		if !strings.Contains(words, want) {
			t.Errorf("no %q in\n%s", want, words)
		}
	}
	if strings.Index(words, "2k documents") > strings.Index(words, "1k documents") {
		t.Error("the smaller number of documents comes first")
	}
	if strings.Contains(rest, "it had not ended") {
		t.Error("what was ended is in the section on doubts too")
	}
}
