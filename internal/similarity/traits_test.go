package similarity

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestDifferences(t *testing.T) {
	var r TraitReader
	for _, test := range []struct {
		a, b string
		want Differences
	}{
		{"One two", "one\n two ", 0},
		{"a < b && c == d", "a > b || c != d", InSymbols},
		{"x + 1", "x - 1", InSymbols},
		{"C", "C++", InSymbols},
		{"C++", "C#", InSymbols},
		{"a, b c", "a b, c", InSymbols},
		{"“so”", `"so"`, InSymbols},
		{"it is ☺", "it is ☹", InSymbols},
		{"x\u200by", "x y", 0}, // a format character is no symbol
		{"5 mg", "50 mg", InNumbers},
		{"5 mg", "five mg", InNumbers},
		{"v5B", "V5b", 0},
		{"at -5 degrees", "at 5 degrees", InSymbols | InNumbers},
		{"at −5 degrees", "at -5 degrees", InSymbols},
		{"f(-5)", "f(5)", InSymbols | InNumbers},
		{"1990-95", "1990 95", InSymbols},
		{"A-5", "A5", InSymbols | InNumbers}, // the words differ
		{"1.5", "1 5", InSymbols | InNumbers},
		{"1,5", "1.5", InSymbols | InNumbers},
		{"1, 5", "1 5", InSymbols},
		{"dose .5 mg", "dose 5 mg", InSymbols | InNumbers},
		{"dose -.5 mg", "dose .5 mg", InSymbols | InNumbers},
		{"at the end.5 more", "at the end 5 more", InSymbols},
		{"½ cup", "¼ cup", InNumbers},
		{"٣", "٤", InNumbers},
		{"1 2", "12", InNumbers},
		{"1 2", "2 1", InNumbers},
		{"guilty", "not guilty", InNegations},
		{"guilty", "NOT guilty", InNegations},
		{"do not", "don't", InSymbols},
		{"DON’T", "do", InSymbols | InNegations},
		{"I can go", "I cannot go", InNegations},
		{"with", "without", InNegations},
		{"he can", "he can t", 0},
		{"notable knot", "notary nothingness", 0},
		{"schuldig", "nicht schuldig", InNegations},
		{"culpable", "no culpable", InNegations},
		{"il faut", "il ne faut pas", InNegations},
		{"bűnös", "nem bűnös", InNegations},
		{"НЕТ", "да", InNegations},
		{"виновен", "не виновен", InNegations},
		{"skyldig", "ikke skyldig", InNegations},
		{"skyldig", "inte skyldig", InNegations},
		{"sim", "NÃO", InNegations},
		{"有罪", "没有罪", InNegations},
		{"これは本である", "これは本でない", InNegations},
		{"食べます", "食べません", InNegations},
		{"食べまし", "食べます", 0},
		{"", " ", 0},
		{"***", "---", InSymbols},
		{"not 5!", "6", InSymbols | InNumbers | InNegations},
	} {
		a, b := r.Of([]byte(test.a)), r.Of([]byte(test.b))
		got := a.Differences(b, true) | a.Differences(b, false)
		if got != test.want || b.Differences(a, true)|b.Differences(a, false) != got {
			t.Errorf("%q and %q: differences %03b, expected %03b", test.a, test.b, got, test.want)
		}
	}
}

// randomPieces returns a text of ASCII words, numbers, negations, signs and spaces.
func randomPieces(random *rand.Rand) string {
	pieces := []string{"a", "b", "not", "No", "t", "n't", "5", "50", "b5", "-", ".", ",", "(", "=", "'", " ", " ", " ", "\n", "\x00"}
	var s strings.Builder
	for range random.IntN(12) {
		s.WriteString(pieces[random.IntN(len(pieces))])
	}
	return s.String()
}

var (
	asciiWord = regexp.MustCompile(`[a-z0-9]+`)
	hasDigit  = regexp.MustCompile(`[0-9]`)
)

// naiveTraits returns the symbols with the words between them, the numbers and the negations of an
// ASCII text, by expressions. This is an oracle: do not change it.
func naiveTraits(s string) (symbols, numbers, negations string) {
	s = strings.ToLower(s)
	symbols = strings.TrimRight(regexp.MustCompile(`[\s\x00]`).ReplaceAllString(asciiWord.ReplaceAllString(s, "w "), ""), "w")
	number := -2
	for _, at := range asciiWord.FindAllStringIndex(s, -1) {
		word, before := s[at[0]:at[1]], s[:at[0]]
		switch {
		case hasDigit.MatchString(word):
			if number == at[0]-1 && strings.HasSuffix(before, ".") || number == at[0]-1 && strings.HasSuffix(before, ",") {
				numbers += before[len(before)-1:] + word
			} else {
				sign := regexp.MustCompile(`(?:^|[\s([{=])(-?\.?)$`).FindStringSubmatch(before)
				if sign == nil { // a decimal point after a sign that is none
					sign = regexp.MustCompile(`-(\.)$`).FindStringSubmatch(before)
				}
				if sign == nil {
					sign = []string{"", ""}
				}
				numbers += "|" + sign[1] + word
			}
			number = at[1]
		case word == "not" || word == "no" || word == "non":
			negations += "|" + word
		case word == "t" && strings.HasSuffix(before, "n'"):
			negations += "|not"
		}
	}
	return symbols, numbers, negations
}

func TestTraitsEqualThoseOfExpressions(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var r TraitReader
	var differ [3]int
	for range 20_000 {
		a := randomPieces(random)
		b := randomPieces(random)
		if random.IntN(2) == 0 { // one change
			at := random.IntN(len(a) + 1)
			b = a[:at] + b[:min(len(b), 1)] + a[at:]
		}
		symbolsA, numbersA, negationsA := naiveTraits(a)
		symbolsB, numbersB, negationsB := naiveTraits(b)
		var want Differences
		for i, different := range []bool{symbolsA != symbolsB, numbersA != numbersB, negationsA != negationsB} {
			if different {
				want |= 1 << i
				differ[i]++
			}
		}
		x, y := r.Of([]byte(a)), r.Of([]byte(b))
		for equal, counts := range map[bool]Differences{true: InSymbols | InNumbers, false: InNumbers | InNegations} {
			if got := x.Differences(y, equal); got != want&counts {
				t.Fatalf("%q and %q, equal words %v: differences %03b, expected %03b", a, b, equal, got, want&counts)
			}
		}
	}
	if slices.Min(differ[:]) < 3000 || slices.Max(differ[:]) > 19_000 {
		t.Errorf("%v of 20,000 pairs differ", differ)
	}
}

func TestTraitReaderAllocatesNothing(t *testing.T) {
	var r TraitReader
	text := []byte("Take 5.5 mg, not −50; don't. 没有 ÉTÉ n'est pas")
	if n := testing.AllocsPerRun(10, func() { r.Of(text) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkTraits(b *testing.B) {
	text := []byte(strings.Repeat("The quick brown fox, of 25 years, does not jump over the lazy dog. ", 1000))
	b.Run("traits", func(b *testing.B) {
		var r TraitReader
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			r.Of(text)
		}
	})
	for _, symbols := range []bool{false, true} {
		b.Run(map[bool]string{false: "words", true: "symbols"}[symbols], func(b *testing.B) {
			h, dst := NewWordHasher(symbols), []uint64(nil)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				dst = h.Append(dst[:0], text)
			}
		})
	}
}
