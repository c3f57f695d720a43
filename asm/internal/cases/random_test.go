package cases

import "testing"

func TestRounds(t *testing.T) {
	t.Setenv(RoundsVariable, "")
	for long, want := range map[string]int{"": 7, "1": 70} {
		t.Setenv(LongVariable, long)
		if got := Rounds(t, 7, 70); got != want {
			t.Errorf("%s=%s: %d rounds, want %d", LongVariable, long, got, want)
		}
	}
	t.Setenv(RoundsVariable, "123")
	if got := Rounds(t, 7, 70); got != 123 {
		t.Errorf("%d rounds, want 123", got)
	}
}

func TestSeeded(t *testing.T) {
	t.Setenv(SeedVariable, "")
	first := Seeded(t).Uint64()
	t.Setenv(SeedVariable, "1")
	if again := Seeded(t).Uint64(); again != first {
		t.Errorf("seed 1 is not the seed without one: %#x and %#x", again, first)
	}
	t.Setenv(SeedVariable, "2")
	if other := Seeded(t).Uint64(); other == first {
		t.Error("two seeds give the same numbers")
	}
	t.Setenv(SeedVariable, "1")
	t.Run("another test", func(t *testing.T) {
		if other := Seeded(t).Uint64(); other == first {
			t.Error("two tests get the same numbers")
		}
	})
}
