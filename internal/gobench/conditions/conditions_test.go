package conditions

import (
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func readFixture(t *testing.T, name string) stat {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return parseStat(string(text))
}

func TestParseStat(t *testing.T) {
	s := readFixture(t, "stat-before.txt")
	want := stat{0: {1510, 3510, 0}, 1: {1500, 3500, 0}, 3: {0, 100, 0}}
	if diff := cmp.Diff(want, s, cmp.AllowUnexported(ticks{})); diff != "" {
		t.Error(diff)
	}
	used := readFixture(t, "stat-after.txt").since(s, 0)
	if diff := cmp.Diff(ticks{800, 200, 100}, used, cmp.AllowUnexported(ticks{})); diff != "" {
		t.Error(diff)
	}
	if got := parseStat("cpux 1 2 3 4 5 6 7 8\ncpu 1 2 3 4 5 6 7 8\nintr 1\n"); len(got) > 0 {
		t.Errorf("lines without a processor: %v", got)
	}
}

func TestLeastBusy(t *testing.T) {
	before, after := readFixture(t, "stat-before.txt"), readFixture(t, "stat-after.txt")
	for _, tc := range []struct {
		n             int
		allowed, want []int
	}{
		{1, []int{0, 1}, []int{1}},
		{1, []int{0, 1, 3}, []int{3}},
		{2, []int{0, 1, 3}, []int{1, 3}},
		{1, []int{7, 8}, []int{8}}, // without measurements
	} {
		if diff := cmp.Diff(tc.want, leastBusy(tc.n, tc.allowed, before, after)); diff != "" {
			t.Errorf("%d of %v: %s", tc.n, tc.allowed, diff)
		}
	}
	if diff := cmp.Diff([]int{5}, leastBusyNow(1, []int{5})); diff != "" {
		t.Error(diff)
	}
}

func TestUsage(t *testing.T) {
	used := ticks{busy: 800, idle: 200, stolen: 100} // of 11 seconds
	for _, tc := range []struct {
		bound bool
		own   float64
		want  []string
	}{
		{true, 7.9, []string{"the hypervisor took 9% of the time of processor 0 for others (steal time)"}},
		{true, 2.5, []string{"the hypervisor took 9% of the time of processor 0 for others (steal time)", "other programs took 50% of the time of processor 0 while the runs were made"}},
		{false, 0, []string{"the hypervisor took 9% of the time of processor 0 for others (steal time)"}},
	} {
		m := &Monitor{processors: []int{0}, bound: tc.bound}
		if diff := cmp.Diff(tc.want, m.usage(used, tc.own, 11)); diff != "" {
			t.Error(diff)
		}
	}
	m := &Monitor{processors: []int{0}, bound: true}
	if notes := m.usage(ticks{}, 0, 0); notes != nil {
		t.Errorf("notes for an empty period: %v", notes)
	}
}

func TestBindingNotes(t *testing.T) {
	for _, tc := range []struct {
		m    Monitor
		want []string
	}{
		{Monitor{}, []string{"runs were not bound to processors"}},
		{Monitor{processors: []int{2, 3}, bound: true, allowed: 4, wanted: 2}, []string{"runs were bound to processors 2 3"}},
		{Monitor{processors: []int{0}, bound: true, allowed: 1, wanted: 1}, []string{"runs were bound to processor 0", "there is only one processor: other programs take time from the runs"}},
		{Monitor{processors: []int{0, 1}, allowed: 2, wanted: 8}, []string{"runs were not bound to processors", "the runs need 8 processors, but there are only 2"}},
	} {
		if diff := cmp.Diff(tc.want, tc.m.binding()); diff != "" {
			t.Error(diff)
		}
	}
}

// On any system, a monitor reports whether runs were bound to processors.
func TestMonitor(t *testing.T) {
	m := Watch(1, false)
	defer m.Release()
	if notes := m.Notes(); len(notes) == 0 || notes[0] != "runs were not bound to processors" {
		t.Errorf("notes %q", notes)
	}
}
