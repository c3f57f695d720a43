package main

import (
	"io"
	"testing"

	"simhashkit/bench/gobench/resultfile"
)

// A case that gives a wrong answer makes the answer no, however many rows it has, and however many
// others are right.
func TestWrongCaseIsNo(t *testing.T) {
	right := resultfile.Row{Name: "Hash/n=1", Unit: "ns/op"}
	wrong := []resultfile.Row{{Name: "Hash/n=2", Err: "wrong"}, {Name: "Hash/n=2", Unit: "B/op", Err: "wrong"}}
	for _, c := range []struct {
		rows []resultfile.Row
		code int
		want string
	}{
		{nil, exitSuccess, ""},
		{[]resultfile.Row{right, right}, exitSuccess, ""},
		{append([]resultfile.Row{right}, wrong...), exitNo, "1 of 2 cases gave a wrong answer or could not run"},
		{append(wrong, right), exitNo, "1 of 2 cases gave a wrong answer or could not run"},
	} {
		err := verdict(c.rows)
		if code := exitCode(err, io.Discard); code != c.code {
			t.Errorf("%v: exit code %d, expected %d", c.rows, code, c.code)
		}
		if err != nil && err.Error() != c.want {
			t.Errorf("%v: %v, expected %s", c.rows, err, c.want)
		}
	}
}
