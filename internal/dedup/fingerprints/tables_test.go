package fingerprints

import (
	"bufio"
	"strings"
	"testing"

	"simhashkit/dedup"
)

// summary returns the ids, the bits and the definition. Ids without a fingerprint are in brackets.
func summary(r *dedup.Records) string {
	var ids []string
	for i := range r.Len() {
		ids = append(ids, r.ID(i))
	}
	text := strings.Join(ids, ",")
	if r.WithoutFingerprint() > 0 {
		text += " [" + string(rune('0'+r.WithoutFingerprint())) + "]"
	}
	return text + "|" + r.Set.Definition
}

func readTable(t *testing.T, text string, options Options) (string, error) {
	t.Helper()
	r := bufio.NewReaderSize(strings.NewReader(text), 64<<10)
	format := Sniff(r)
	if format != CSV {
		t.Fatalf("%.60q is detected as %q", text, format)
	}
	records, err := Read(t.Context(), r, "", format, options)
	if err != nil {
		return "", err
	}
	if err := records.Set.Check(); err != nil && records.Len() > 0 {
		t.Errorf("%.60q: %v", text, err)
	}
	return summary(records), nil
}

func TestReadCSV(t *testing.T) {
	for text, want := range map[string]string{
		"id,fingerprint,informative,definition\na,000000ff,true,\"md5,dec,32\"\nb,00000000,false,\"md5,dec,32\"\n": "a,b [1]|md5,dec,32",
		"fingerprint,more,id\n00ff,x,\"a,\nb\"\r\nff00,y,\n":                                                       "a,\nb,2|",
		"id,fingerprint\na,00000000\n":                                                                             "a [1]|",
		"id,fingerprint\n":                                                                                         "|",
		"id,fingerprint\na,00ff,1\n":                                                                               "f:2: expected comma-separated values: wrong number of fields",
		"id,fingerprint\na,00ff\nb,00f\n":                                                                          `f:3: fingerprint "00f": expected 4 hexadecimal digits, since all have 16 bits`,
		"id,fingerprint\na,\n":                                                                                     "f:2: fingerprint of 0 bits, expected 1 to 4096",
		"id,fingerprint,informative\na,00ff,no\n":                                                                  `f:2: expected true or false for informative, got "no"`,
		"id,fingerprint,definition\na,00ff,\"xxh64,le64,16\"\nb,00ff,\n":                                           `f:3: the definition is ""; expected "xxh64,le64,16", as in the records before`,
		"id,fingerprint,definition\na,00ff,what\n":                                                                 "f:2: fphash: definition",
		"id,fingerprint\na,\"00\n":                                                                                 `f:2: expected comma-separated values: extraneous or missing " in quoted-field`,
		"id,fingerprint\na,\"" + strings.Repeat("x", mostLine+1<<20):                                               "f: expected a record of at most 16777216 bytes",
	} {
		got, err := readTable(t, text, Options{Name: "f"})
		if err != nil {
			got = err.Error()
		}
		if got != want && (err == nil || !strings.Contains(got, want)) {
			t.Errorf("%.80q: %q, want %q", text, got, want)
		}
	}
}
