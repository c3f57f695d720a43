package cases

import (
	"slices"
	"testing"
)

func TestShrinkKeepsWhatFails(t *testing.T) {
	half := func(x int) []int {
		if x == 0 {
			return nil
		}
		return []int{0, x / 2}
	}
	input := make([]int, 1000)
	for i := range input {
		input[i] = i
	}
	for name, c := range map[string]struct {
		fails func([]int) bool
		want  []int
	}{
		"everything":           {func([]int) bool { return true }, []int{}},
		"one element alone":    {func(s []int) bool { return slices.Contains(s, 777) }, []int{777}},
		"two that lie apart":   {func(s []int) bool { return slices.Contains(s, 3) && slices.Contains(s, 999) }, []int{3, 999}},
		"a number of elements": {func(s []int) bool { return len(s) >= 5 }, []int{0, 0, 0, 0, 0}},
		"a size":               {func(s []int) bool { return slices.Max(append(s, 0)) >= 100 }, []int{124}},
	} {
		before := slices.Clone(input)
		got := Shrink(input, half, c.fails)
		if !c.fails(got) || len(got) != len(c.want) || name != "a size" && !slices.Equal(got, c.want) || name == "a size" && got[0] >= 200 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		if !slices.Equal(input, before) {
			t.Errorf("%s: the input was altered", name)
		}
	}
}
