package main

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"simhashkit/results/measure/texts/collections"
)

// texts are of ten words: b and c have one other word than a, d has five more, and e is another
// text.
func texts() *collection {
	c := &collection{name: "texts", language: collections.English, ids: map[string]int{}}
	c.add("a", "one two three four five six seven eight nine ten")
	c.add("a again", "One, two, three, four, five, six, seven, eight, nine, ten!")
	c.add("b", "one two three four five six seven eight nine b")
	c.add("c", "c two three four five six seven eight nine ten")
	c.add("d", "c d d two three four five six seven eight nine d d")
	c.add("e", "a text of other words than all that come before")
	return c
}

func TestScore(t *testing.T) {
	distinct := texts().distinct(5)
	if len(distinct.documents) != 5 || distinct.documents[1].ID != "b" {
		t.Fatalf("distinct texts are %v", distinct.documents)
	}
	truth, err := judge(t.Context(), distinct)
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{-1, 0, 0, -1, -1}; truth.droppable != 2 || cmp.Diff(want, truth.keep) != "" {
		t.Errorf("%d droppable, for %v", truth.droppable, truth.keep)
	}
	for _, c := range []struct {
		groups []int
		want   score
	}{
		{[]int{0, 0, 0, 0, 0}, score{Missed: "a | b"}},
		{[]int{7, 7, 7, 0, 0}, score{Dropped: 2, Right: 2}},
		{[]int{0, 3, 3, 3, 9}, score{Dropped: 2, Right: 1, Wrong: "b | d", Missed: "a | b"}},
		{[]int{1, 0, 1, 0, 1}, score{Dropped: 2, Right: 1, Wrong: "a | e", Missed: "a | b"}},
	} {
		if got := truth.score(c.groups); got != c.want {
			t.Errorf("%v: %+v, expected %+v", c.groups, got, c.want)
		}
	}
}

// What is written is read again, and the table has the median of the rounds.
func TestRecallTable(t *testing.T) {
	c := &comparison{}
	for i, seconds := range []float64{3, 0.5, 1} {
		c.outcomes = append(c.outcomes,
			outcome{Collection: "texts", Documents: 100, Droppable: 40, Program: fphash, Setting: "advised", Command: "dedup texts.jsonl --text text --id id --k 5",
				Round: i, Seconds: seconds, Bytes: int64(i+1) << 20, score: score{Dropped: 20, Right: 10, Wrong: "a, b | c"}},
			outcome{Collection: "texts", Documents: 100, Droppable: 40, Program: fphash, Setting: "choose", Round: i, Seconds: 2 * seconds})
	}
	c.outcomes = append(c.outcomes, outcome{Collection: "others", Documents: 10, Droppable: 0, Program: textDedup, Setting: "MinHash", Seconds: 25})
	got, rows := tableOf(t, c.write)
	if again, err := readOutcomes(rows); err != nil || cmp.Diff(c.outcomes, again, cmp.AllowUnexported(outcome{})) != "" {
		t.Errorf("error %v: %s", err, cmp.Diff(c.outcomes, again, cmp.AllowUnexported(outcome{})))
	}
	for _, want := range []string{
		"| texts, 100 | 40 | `--k 5` | 25 · 50 | – |\n", "| others, 10 | 0 |  | – | 0 · 0 |\n",
		"| texts | 1 · 2 | 2 · 0 | – |\n", "| others | – | – | 25 · 0 |\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("expected %s in\n%s", want, got)
		}
	}
}

func TestProgramsOfAdvice(t *testing.T) {
	trial := &trial{file: "texts.jsonl"}
	var commands []string
	for _, p := range trial.programs("dedup texts.jsonl --bits 256 --verify jaccard:0.8 --k 40")[4:] {
		commands = append(commands, p.command)
	}
	want := []string{"dedup texts.jsonl --bits 256 --k 40", "dedup texts.jsonl --bits 256 --verify jaccard:0.8 --k 40"}
	if cmp.Diff(want, commands) != "" {
		t.Errorf("%v", commands)
	}
	if n := len(trial.programs("")); n != 4 {
		t.Errorf("%d programs without advice", n)
	}
}
