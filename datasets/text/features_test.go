package text_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/datasets/text"
)

// featuresOf returns the features of a text as strings.
func featuresOf(analyzer *text.Analyzer, s string) []string {
	list := []string{}
	for _, feature := range analyzer.Append(nil, []byte(s)) {
		list = append(list, string(feature))
	}
	return list
}

func TestFeatures(t *testing.T) {
	for _, c := range []struct {
		definition, text string
		want             []string
	}{
		{"words", "", []string{}},
		{"words", " \n\t!?", []string{}},
		{"words", "The quick, brown fox.", []string{"The", "quick", "brown", "fox"}},
		{"words", "don't foo_bar 3.14 1,000 a.b.c x:y 'quoted' end.", []string{"don't", "foo_bar", "3.14", "1,000", "a.b.c", "x:y", "quoted", "end"}},
		{"words", "a.1 1.a 1:2 a,b __ _1", []string{"a", "1", "1", "a", "1", "2", "a", "b", "_1"}},
		{"words", "naïve Ωμέγα don’t", []string{"naïve", "Ωμέγα", "don’t"}},
		{"words", "a\u0301 e\u0301te\u0301 \u0301", []string{"a\u0301", "e\u0301te\u0301"}},
		{"words", "no 😀 words ⚽ of pictures", []string{"no", "words", "of", "pictures"}},
		{"words", "  \u200dℹ x", []string{"\u200dℹ", "x"}},
		{"words", "a\xffb \xe4\xb8", []string{"a", "b"}},
		{"words", "美国51区", []string{"美国", "51", "区"}},
		{"words", "我来到北京,清华 Go语言", []string{"我来", "来到", "到北", "北京", "清华", "Go", "语言"}},
		{"words", "すもももコンピュータ東京タワー", []string{"すも", "もも", "もも", "もコ", "コン", "ンピ", "ピュ", "ュー", "ータ", "タ東", "東京", "京タ", "タワ", "ワー"}},
		{"words", "が\u3099ぎ", []string{"が\u3099ぎ"}},
		{"words", "ที่นี่ 〇一 서울 시", []string{"ที่นี่", "〇一", "서울", "시"}},
		{"words", "カ_abc", []string{"カ_abc"}},
		{"words,plain,symbols", "a <= b_c!\n\x00\u200b", []string{"a", "<", "=", "b", "_", "c", "!"}},
		{"words,plain,symbols,fold", "C++ C# “C”, −5 €", []string{"c", "+", "+", "c", "#", "“", "c", "”", ",", "−", "5", "€"}},
		{"words,plain,symbols", "x☺\ufe0f☺ 東京、(大阪)", []string{"x", "☺\ufe0f", "☺", "東", "京", "、", "(", "大", "阪", ")"}},
		{"words,plain,symbols", "東京都は ab+1", []string{"東", "京", "都", "は", "a", "b", "+", "1"}},
		{"words,plain,symbols,numbered", "((x))", []string{"(", "( 2", "x", ")", ") 2"}},
		{"words,n=2", "to be or not", []string{"to be", "be or", "or not"}},
		{"words,n=2", "我来到", []string{"我来 来到"}},
		{"words,n=3", "to be", []string{}},
		{"words,fold", "Straße ΣΊΣΥΦΟΣ ABC İ", []string{"strasse", "σίσυφοσ", "abc", "i̇"}},
		{"words,nfkc", "ｆｕｌｌ ﬁn e\u0301t\u00e9 ｶﾞ", []string{"full", "fin", "été", "ガ"}},
		{"words,lang=en,stop", "The cat is ON the Mat", []string{"cat", "Mat"}},
		{"words,lang=en,stem", "Running runners ran dogs’ don't", []string{"run", "runner", "ran", "dog", "don't"}},
		{"words,lang=en,fold,stop,stem,n=2", "The dogs are barking, and the cats!", []string{"dog bark", "bark cat"}},
		{"words,lang=fr,stop,stem", "La mer, un cheval: ils mangeaient", []string{"mer", "cheval", "il", "mang"}},
		{"characters", "a  bé", []string{"a b", " bé"}},
		{"characters,n=1", " 日\n本 ", []string{"日", " ", "本"}},
		{"characters,n=2", "x", []string{}},
		{"characters,n=2", "a\xffb", []string{"a\ufffd", "\ufffdb"}},
		{"bytes", "12345678  9", []string{"12345678", "2345678 ", "345678 9"}},
		{"bytes,n=2", "a\xff\r\n\xe4 ", []string{"a\xff", "\xff ", " \xe4"}},
		{"bytes,n=2,fold", "A\xffB", []string{"a\xef", "\xef\xbf", "\xbf\xbd", "\xbdb"}},
		{"bytes,n=3", "ab", []string{}},
	} {
		analyzer := newAnalyzer(t, c.definition)
		for range 2 { // the second time with used buffers
			if diff := cmp.Diff(c.want, featuresOf(analyzer, c.text)); diff != "" {
				t.Errorf("%s of %q: expected -, got +\n%s", c.definition, c.text, diff)
			}
		}
	}
}

// Append must not change the elements already in dst.
func TestAppendKeepsWhatIsThere(t *testing.T) {
	for _, definition := range []string{"words", "words,n=2", "words,n=9", "words,lang=en,stop,stem", "characters,n=2", "bytes,n=2"} {
		got := newAnalyzer(t, definition).Append([][]byte{[]byte("kept")}, []byte("the time of the cats"))
		if string(got[0]) != "kept" {
			t.Errorf("%s: expected the first to stay, got %q", definition, got[0])
		}
		for _, feature := range got {
			if cap(feature) != len(feature) && definition != "words,lang=en,stop,stem" && string(feature) != "kept" {
				t.Errorf("%s: expected that appending to %q overwrites no other feature", definition, feature)
			}
		}
	}
}

func TestIndices(t *testing.T) {
	s := " Four score\tand  seven\n\nyears ago our fathers brought forth 8 bytes of x\r\n"
	for size := range len(s) {
		want := append([]uint64{1}, windows([]byte(s[:size]))...)
		if got := newAnalyzer(t, "bytes").AppendIndices([]uint64{1}, []byte(s[:size])); !slices.Equal(got, want) {
			t.Fatalf("of %q: expected the windows %x, got %x", s[:size], want, got)
		}
	}
	for _, definition := range []string{"bytes,n=1", "bytes,n=2", "bytes,n=3", "bytes,n=7"} {
		analyzer := newAnalyzer(t, definition)
		for size := range len(s) {
			var want []uint64
			for _, feature := range analyzer.Append(nil, []byte(s[:size])) {
				var number uint64
				for i, b := range feature {
					number |= uint64(b) << (8 * i)
				}
				want = append(want, number)
			}
			if got := analyzer.AppendIndices(nil, []byte(s[:size])); !slices.Equal(got, want) {
				t.Fatalf("%s of %q: expected %x, got %x", definition, s[:size], want, got)
			}
		}
	}
	// published values of XXH64 with seed 0
	if got := newAnalyzer(t, "words").AppendIndices(nil, []byte("a abc")); !slices.Equal(got, []uint64{0xd24ec4f1a98c6e5b, 0x44bc2cf5ad770999}) {
		t.Errorf("words as indices: got %x", got)
	}
}

// windows returns the shingles of 8 bytes of a text as numbers, computed naively.
func windows(text []byte) (indices []uint64) {
	fields := strings.FieldsFunc(string(latin1(text)), func(r rune) bool { return strings.ContainsRune(" \t\n\v\f\r", r) })
	collapsed := []rune(strings.Join(fields, " "))
	for i := 0; i+8 <= len(collapsed); i++ {
		var index uint64
		for j, r := range collapsed[i : i+8] {
			index |= uint64(r) << (8 * j)
		}
		indices = append(indices, index)
	}
	return indices
}

// latin1 returns each byte as a rune.
func latin1(text []byte) (runes []rune) {
	for _, b := range text {
		runes = append(runes, rune(b))
	}
	return runes
}

// White space is collapsed, for all patterns and positions.
func TestCollapsed(t *testing.T) {
	analyzer := newAnalyzer(t, "bytes")
	for pattern := range 1 << 16 { // eight bytes of four kinds, surrounded by others
		s := []byte("....")
		for i := range 8 {
			s = append(s, "a \n\x01"[pattern>>(2*i)&3])
		}
		s = append(s, "  .........."...)
		for _, s := range [][]byte{s, s[4:]} {
			if got, want := analyzer.AppendIndices(nil, s), windows(s); !slices.Equal(got, want) {
				t.Fatalf("of %q: expected %x, got %x", s, want, got)
			}
		}
	}
}

// Memory grows at most with the size of the text.
func TestAllocations(t *testing.T) {
	english := bytes.Repeat([]byte("It was the best of times, it wasn't 1,000 naïve things; été "), 50)
	mixed := append(bytes.Repeat([]byte("東京タワーに行きました。 我来到北京 "), 50), english...)
	for _, definition := range []string{
		"words", "words,fold", "words,nfkc,fold", "words,n=3", "words,lang=en,stop,stem", "characters", "characters,n=5,fold", "bytes", "bytes,n=20",
	} {
		for _, s := range [][]byte{english, mixed} {
			analyzer := newAnalyzer(t, definition)
			var features [][]byte
			var indices []uint64
			warm := func() {
				features = analyzer.Append(features[:0], s)
				indices = analyzer.AppendIndices(indices[:0], s)
			}
			warm()
			if allocations := testing.AllocsPerRun(5, warm); allocations != 0 {
				t.Errorf("%s: expected no allocation, got %v", definition, allocations)
			}
		}
	}
}
