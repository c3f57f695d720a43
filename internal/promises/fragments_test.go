package promises

import (
	"go/ast"
	"go/doc/comment"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// No comment repeats a fragment, and no paragraph begins in the middle of a sentence, as happens
// when a comment is wrapped again.
func TestCommentsRepeatNoFragments(t *testing.T) {
	groups := 0
	for _, p := range loaded(t, false) {
		for _, path := range p.GoFiles {
			set := token.NewFileSet()
			file, err := parser.ParseFile(set, path, nil, parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			for _, g := range file.Comments {
				groups++
				for _, fragment := range fragments(g) {
					t.Errorf("%v: %s", set.Position(g.Pos()), fragment)
				}
			}
		}
	}
	if groups < 5000 {
		t.Errorf("%d comments, expected many", groups)
	}
}

// The check finds the fragments that wrapping has left before, and nothing in good prose.
func TestFragments(t *testing.T) {
	for text, want := range map[string]int{
		"Append allocates if strings are longer than in earlier calls.\nearlier calls.":                             1,
		"Plan describes the method and its cost.\ncost.":                                                            1,
		"Load returns the cause when the context ends.\nIt ends with the cause when the context ends.":              1,
		"The code is (c<<32)\n\nb, made of two results.":                                                            1,
		"It takes the square of the square root. The root is exact.":                                                0,
		"Each word of a code has 64 bits, and each bit of a word is a bit.":                                         0,
		"Files are read. Folders are read.":                                                                         0,
		"Make one:\n\n\ts := New()\n\ts := New()\n":                                                                 0,
		"The first returns the context's cause. The second returns the error of the disk, not the context's cause.": 0,
	} {
		g := &ast.CommentGroup{}
		for line := range strings.SplitSeq(text, "\n") {
			g.List = append(g.List, &ast.Comment{Text: strings.TrimRight("// "+line, " ")})
		}
		if got := fragments(g); len(got) != want {
			t.Errorf("%q: %q, expected %d", text, got, want)
		}
	}
}

var (
	words     = regexp.MustCompile(`[\pL\pN'_]+`)
	sentences = regexp.MustCompile(`[.:;?!]\s+`)
)

// sameEnd is the number of words that two successive sentences may not both end with.
const sameEnd = 5

// fragments describes what is repeated or torn in a comment.
func fragments(g *ast.CommentGroup) (found []string) {
	torn := false // whether the paragraph before ended in a sentence
	for _, block := range new(comment.Parser).Parse(g.Text()).Content {
		paragraph, ok := block.(*comment.Paragraph)
		if !ok {
			torn = false
			continue
		}
		text := plain(paragraph.Text)
		if start, _ := utf8.DecodeRuneInString(text); torn && unicode.IsLower(start) {
			found = append(found, "a paragraph begins in a sentence: "+text)
		}
		torn = !strings.ContainsAny(text[len(text)-1:], ".:;?!")
		var before []string
		for _, sentence := range sentences.Split(text, -1) {
			list := words.FindAllString(strings.ToLower(sentence), -1)
			switch {
			case hasSuffix(before, list) && slices.ContainsFunc(list, isLong):
				found = append(found, "repeated: "+sentence)
			case len(list) >= sameEnd && hasSuffix(before, list[len(list)-sameEnd:]) && !slices.ContainsFunc(list[len(list)-sameEnd:], isLetter):
				found = append(found, "two sentences have the same end: "+sentence)
			}
			before = list
		}
	}
	return found
}

// plain returns a text without its links.
func plain(texts []comment.Text) string {
	var b strings.Builder
	for _, t := range texts {
		switch t := t.(type) {
		case comment.Plain:
			b.WriteString(string(t))
		case comment.Italic:
			b.WriteString(string(t))
		case *comment.Link:
			b.WriteString(plain(t.Text))
		case *comment.DocLink:
			b.WriteString(plain(t.Text))
		}
	}
	return b.String()
}

func hasSuffix(list, end []string) bool {
	n := len(list) - len(end)
	return n >= 0 && slices.Equal(list[n:], end)
}

// isLetter reports whether a word is a letter, as in formulas.
func isLetter(word string) bool { return len(word) == 1 }

func isLong(word string) bool { return !isLetter(word) }
