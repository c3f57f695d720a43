package zh

import "testing"

// The list is complete, and common words have the smallest weights.
func TestFrequencies(t *testing.T) {
	list, err := Frequencies()
	if err != nil {
		t.Fatal(err)
	}
	if want := "list=2b14eba6f5fbdd5f"; list.Name() != want {
		t.Errorf("another list: %s, want %s", list.Name(), want)
	}
	for word, want := range map[string]float64{"的": 0.88474202619, "编译": 9.21854642485, "没有这个词儿": 11.9547675029} {
		if got := list.Weight([]byte(word)); got != want {
			t.Errorf("%s: %v, want %v", word, got, want)
		}
	}
}
