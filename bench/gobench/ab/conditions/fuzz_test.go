package conditions

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// FuzzParseList holds for any text: processors in order, each once, that read back from how they
// are written, and of which the numbers of the text are some; or an error that quotes the text.
func FuzzParseList(f *testing.F) {
	for _, text := range []string{"0", "3,0-1", "1,2,3", "5, 5", "0-65536,0-65536", "0-65537", "1-", "3-1", "1,,2", ""} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseList(text)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "conditions: list of processors "+strconv.Quote(text)) {
				t.Errorf("error %v, expected the text", err)
			}
			return
		}
		for i, n := range list {
			if n < 0 || i > 0 && n <= list[i-1] {
				t.Fatalf("%q: %d behind %v", text, n, list[:i])
			}
		}
		if again, err := ParseList(FormatList(list)); err != nil || !slices.Equal(again, list) {
			t.Errorf("%q is %v, and read again %v, %v", text, list, again, err)
		}
		count := 0 // at most, where ranges have processors in common
		for part := range strings.SplitSeq(text, ",") {
			first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
			if !isRange {
				last = first
			}
			from, _ := strconv.Atoi(first)
			to, _ := strconv.Atoi(last)
			_, hasFirst := slices.BinarySearch(list, from)
			_, hasLast := slices.BinarySearch(list, to)
			if count += to - from + 1; !hasFirst || !hasLast {
				t.Errorf("%q is %v, which lacks a number of %q", text, list, part)
			}
		}
		if len(list) > count {
			t.Errorf("%q is %v, expected at most %d", text, list, count)
		}
	})
}

// FuzzParseStat holds for any text, read as /proc/stat: times that are numbers, of processors that
// the text has; or an error that names the file.
func FuzzParseStat(f *testing.F) {
	for _, text := range []string{
		"cpu  1 2 3 4\ncpu0 1 2 3 4 5 6 7 8 9 10\ncpu3 0 0 0 100\nintr 1\n", "cpu0 1 2 x 4\n", "cpu0 nan -1 1e9 inf\n", "cpu0 -9 2 3 4\n", "cpu-1 1 2 3 4\n", "cpux 1 2 3 4\n", "",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := parseStat(strings.NewReader(text))
		if err != nil {
			if !strings.HasPrefix(err.Error(), "conditions: /proc/stat") {
				t.Errorf("error %v, expected the file", err)
			}
			return
		}
		for n, v := range s {
			if n < 0 || !strings.Contains(text, strconv.Itoa(n)) || !(v.busy >= 0 && v.idle >= 0 && v.stolen >= 0) || v.busy-v.busy != 0 || !(v.taken() >= 0 && v.taken() <= 1) {
				t.Errorf("%q: processor %d: %+v", text, n, v)
			}
		}
		if len(s) > strings.Count(text, "cpu") {
			t.Errorf("%q: %d processors", text, len(s))
		}
	})
}
