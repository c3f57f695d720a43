package fingerprints

import (
	"bufio"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestSniff(t *testing.T) {
	for _, c := range []struct {
		start string
		want  Format
	}{
		{"00ff00ff00ff00ff\tid\n", Text},
		{"00ff00ff00ff00ff\t\n", Text},
		{"1234567812345678\t1:15\n", Text}, // the id looks like a feature
		{"ff\tid\n", Text},
		{"ff\tone two 3:4\n", Text},
		{`{"id":1}`, JSONL},
		{"\n {}", JSONL},
		{"1\t3:0.5\n", None},
		{"1\t3:0.5 # 12\n", None},
		{"20240101\t3:0.5 4:1\n", None},
		{"20240101\tqid:3 4:1\n", None},
		{"1 3:0.5\t4:1\n", None},
		{"-1\t3:0.5\n", None},
		{"00ff00ff00ff00ff id\n", None},
		{"\tid\n", None},
		{"", None},
	} {
		r := bufio.NewReaderSize(strings.NewReader(c.start), 64<<10)
		if got := Sniff(r); got != c.want {
			t.Errorf("%q: %q, want %q", c.start, got, c.want)
		}
		if rest, _ := io.ReadAll(r); string(rest) != c.start {
			t.Errorf("%q: only %q is left in the stream", c.start, rest)
		}
	}
}

// If only fingerprints are expected, digits without an id are fingerprints.
func TestSniffKnown(t *testing.T) {
	for start, want := range map[string]Format{
		"00ff\n": Text, "00FF\r\nx": Text, "00ff": Text, "ff\tid\n": Text, `{"id":1}`: JSONL, "1 3:0.5\n": None, "hex\n": None, "\n": None, "": None,
	} {
		if got := SniffKnown(bufio.NewReaderSize(strings.NewReader(start), 64<<10)); got != want {
			t.Errorf("%q: %q, want %q", start, got, want)
		}
	}
}

// Lines of fphash sketch and of other programs are read, and malformed lines are refused.
func TestReadLines(t *testing.T) {
	const definition = `"definition":"md5,dec,32,widen=mix,tie=one,order=sequential,seed=7"`
	for _, c := range []struct {
		format Format
		text   string
		want   string // ids (in brackets without a fingerprint) and the definition, or the error
	}{
		{Text, "000000ff\ta b\r\n\n0000000F\t\n", "a b,2|"},
		{Text, "00000000\tzeros\n", "[zeros]|"},
		{Text, "0000000\tfew bits\n", "few bits|"},
		{Text, "ff no tab\n", `f:1: fingerprint "ff no tab": expected 9 hexadecimal digits`},
		{Text, "0f\ta\nff no tab\n", `f:2: expected a fingerprint in hexadecimal, a tab and an id, got "ff no tab"`},
		{Text, "0000000f\r\n0000000F\n", "1,2|"},
		{Text, "0f\nff\ta\n", `f:2: expected a fingerprint in hexadecimal and no id, as in the lines before, got "ff\ta"`},
		{Text, "ff\ta\n" + strings.Repeat("f", mostLine+1), "f:2: expected a line of at most 16777216 bytes"},
		{Text, strings.Repeat("f", 1025) + "\ta\n", `f:1: fingerprint of 4100 bits, expected 1 to 4096`},
		{JSONL, `{"id":"a","fingerprint":"000000ff",` + definition + `}`, "a|md5,dec,32,widen=mix,tie=one,order=sequential,seed=7"},
		{JSONL, `{"id":17,"fingerprint":"000000ff","more":[1]}`, "17|"},
		{JSONL, `{"id":"a","fingerprint":"00000000"}`, "[a]|"},
		{JSONL, `{"id":"a","fingerprint":"00000000",` + definition + `}`, "[a]|md5,dec,32,widen=mix,tie=one,order=sequential,seed=7"},
		{JSONL, `{"id":"a","fingerprint":"000000ff","informative":false,` + definition + `}`, "[a]|md5,dec,32,widen=mix,tie=one,order=sequential,seed=7"},
		{JSONL, `{"id":"a","fingerprint":"00000000","informative":true,` + definition + `}`, "a|md5,dec,32,widen=mix,tie=one,order=sequential,seed=7"},
		{JSONL, `{"id":"a","fingerprint":"000000ff","informative":"no"}`, `f:1: expected a JSON object with an id and a fingerprint: json: cannot unmarshal string`},
		{JSONL, `{"id":"a","fingerprint":"000000ff","informative":false}`, "[a]|"},
		{JSONL, `{"id":"a","fingerprint":"000000ff"}` + "\n" + `{"id":"b","fingerprint":"00ff"}`, `f:2: fingerprint "00ff": expected 8 hexadecimal digits, since all have 32 bits`},
		{JSONL, `{"id":"a","fingerprint":"000000ff"}` + "\n" + `{"id":"b","fingerprint":"000000ff",` + definition + `}`, `f:2: the definition is "md5,dec,32,widen=mix,tie=one,order=sequential,seed=7"; expected "", as in the records before`},
		{JSONL, `{"id":"a","fingerprint":"000000ff","definition":"md5,le23,32"}`, `f:1: fphash: definition`},
		{JSONL, `{"id":"a","fingerprint":""}`, `f:1: fingerprint of 0 bits, expected 1 to 4096`},
		{JSONL, `{"id":"a","fingerprint":"00ff","definition":"md5,le64,17"}`, `f:1: fingerprint "00ff": expected 5 hexadecimal digits, since all have 17 bits`},
		{Text, "\tno digits\n", "f:1: fingerprint of 0 bits, expected 1 to 4096"},
		{JSONL, `[]`, `f:1: expected a JSON object with an id and a fingerprint`},
		{JSONL, `{"id":null,"fingerprint":"00ff"}`, `f:1: expected a JSON object with "id" and "fingerprint"`},
	} {
		records, err := Read(t.Context(), bufio.NewReader(strings.NewReader(c.text)), "", c.format, Options{Name: "f"})
		if err != nil {
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("%.200q: error %.300q, want %q", c.text, err, c.want)
			}
			continue
		}
		if err := records.Set.Check(); err != nil {
			t.Errorf("%.200q: %v", c.text, err)
		}
		var got []string
		for i := range records.Len() {
			id := records.ID(i)
			if records.WithoutFingerprint() > 0 {
				id = "[" + id + "]"
			}
			got = append(got, id)
		}
		if text := strings.Join(got, ",") + "|" + records.Set.Definition; text != c.want {
			t.Errorf("%.200q: %q, want %q", c.text, text, c.want)
		}
	}
}

// A line that a read error truncates is not a record, and is not reported as malformed.
func TestReadErrors(t *testing.T) {
	broken := errors.New("broken")
	for _, c := range []struct {
		format Format
		text   string
	}{
		{Text, "000000ff\ta\n000000ff\ttorn id"},
		{Text, "000000ff\ta\n00000"},
		{JSONL, `{"id":"a","fingerprint":"000000ff"}` + "\n" + `{"id":"b","fi`},
	} {
		r := bufio.NewReader(io.MultiReader(strings.NewReader(c.text), iotest.ErrReader(broken)))
		records, err := Read(t.Context(), r, "", c.format, Options{Name: "f"})
		if !errors.Is(err, broken) || !strings.HasPrefix(err.Error(), "f:") || records.Len() != 1 {
			t.Errorf("%q: %d records, error %v", c.text, records.Len(), err)
		}
	}
}
