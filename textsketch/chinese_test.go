package textsketch

import (
	"os"
	"regexp"
	"strings"
	"testing"
)

// The page has the figures that the example computes.
func TestChinesePage(t *testing.T) {
	page, err := os.ReadFile("chinese.md")
	if err != nil {
		t.Fatal(err)
	}
	example, err := os.ReadFile("example_chinese_test.go")
	if err != nil {
		t.Fatal(err)
	}
	_, output, _ := strings.Cut(string(example), "// Output:\n")
	output = strings.ReplaceAll(output, ",\n\t// ", ", ") // the keywords of a text
	figures := regexp.MustCompile(`[0-9a-f]{16}|distance \d+|(?:cosine|estimated) [0-9.]+|\.txt: .*`).FindAllString(output, -1)
	if len(figures) != 2+3*5 {
		t.Fatalf("%d figures: %q", len(figures), figures)
	}
	for _, figure := range figures {
		figure = regexp.MustCompile(`^(\.txt:|distance|cosine|estimated) `).ReplaceAllString(figure, "")
		if !strings.Contains(string(page), figure) {
			t.Errorf("chinese.md lacks %s", figure)
		}
	}
}
