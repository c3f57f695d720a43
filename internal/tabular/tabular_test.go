package tabular

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFormats(t *testing.T) {
	rows := [][]any{
		{"plain", 3, 0.5, true, Raw("18446744073709551615")},
		{"a\tb \"c\" <d>\\ é\x01\n", -1, 1.0 / 3, false, nil},
		{"", 0, 0.0, false, Raw("1e300")},
	}
	for format, want := range map[string]string{
		Text: "plain\t3\t0.500000\tyes\t18446744073709551615\n" +
			"a\\tb \"c\" <d>\\ é\\x01\\n\t-1\t0.333333\tno\t\n" +
			"\t0\t0.000000\tno\t1e300\n",
		CSV: "id,n,part,is,number\n" +
			"plain,3,0.500000,true,18446744073709551615\n" +
			"\"a\tb \"\"c\"\" <d>\\ é\x01\n\",-1,0.333333,false,\n" +
			",0,0.000000,false,1e300\n",
		JSONLines: `{"id":"plain","n":3,"part":0.500000,"is":true,"number":18446744073709551615}` + "\n" +
			`{"id":"a\tb \"c\" <d>\\ é\u0001\n","n":-1,"part":0.333333,"is":false,"number":null}` + "\n" +
			`{"id":"","n":0,"part":0.000000,"is":false,"number":1e300}` + "\n",
	} {
		var out strings.Builder
		table := New(&out, format, []string{"id", "n", "part", "is", "number"})
		for _, row := range rows {
			if err := table.Row(row...); err != nil {
				t.Fatal(err)
			}
		}
		if err := table.End(nil); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, out.String()); diff != "" {
			t.Errorf("%s: -want +got\n%s", format, diff)
		}
	}
}

var errFull = errors.New("disk full")

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errFull }

// End returns write errors, but the caller's own error comes first.
func TestFailures(t *testing.T) {
	other := errors.New("other")
	for _, format := range Formats() {
		for _, own := range []error{nil, other} {
			table := New(full{}, format, []string{"id"})
			_ = table.Row("a")
			err := table.End(own)
			if own == nil && !errors.Is(err, errFull) || own != nil && !errors.Is(err, own) {
				t.Errorf("%s, ended with %v: error %v", format, own, err)
			}
		}
	}
}
