package zh

import "testing"

func TestIDF(t *testing.T) {
	list, err := IDF()
	if err != nil {
		t.Fatal(err)
	}
	if list.Len() < 250_000 {
		t.Errorf("got %d words", list.Len())
	}
	const median = 11.9547675029 // as jieba has it
	for word, want := range map[string]float64{"编译": 9.21854642485, "劳动防护": 13.900677652, "no such word": median} {
		if got := list.IDF([]byte(word)); got != want {
			t.Errorf("%s: expected %v, got %v", word, want, got)
		}
	}
}

func TestIDFRefused(t *testing.T) {
	for text, want := range map[string]string{
		"":               "zh: frequencies of gse: expected some, got none",
		"编译 9.2\n蝶泳\n":   `zh: frequencies of gse, line 2: expected a word and a number, got "蝶泳\n"`,
		"编译 9.2\n 9.2\n": `zh: frequencies of gse, line 2: expected a word and a number, got " 9.2\n"`,
		"编译 x":           `zh: frequencies of gse, line 1: expected a word and a number, got "编译 x"`,
		"编译 NaN":         `weights: `,
	} {
		if _, err := parseIDF(text); err == nil || len(err.Error()) < len(want) || err.Error()[:len(want)] != want {
			t.Errorf("expected %s, got %v", want, err)
		}
	}
}
