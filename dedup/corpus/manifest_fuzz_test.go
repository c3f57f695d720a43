package corpus

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"
	"testing"
)

// FuzzManifest holds for any bytes, read as the manifest of a run: it is taken for what JSON says
// that it is, and refused with its path; and for any definition: a run that begins with it goes on
// with it alone.
func FuzzManifest(f *testing.F) {
	const definition = "words,n=1 xxh64,le64,64"
	for _, text := range []string{
		`{"version":2,"definition":"` + definition + `"}`, "{\n  \"definition\": \"words,n=1 xxh64,le64,64\",\n  \"version\": 1\n}\n", `{"version":9,"definition":"` + definition + `"}`,
		`{"version":2,"definition":"others"}`, `{"version":2}`, `{"version":"1"}`, `{"version":2,"definition":"a"}x`, "null", "[]", "", "\xff",
	} {
		f.Add([]byte(text), definition)
	}
	f.Add([]byte("{}"), "<\u2028\"\\\n")
	f.Fuzz(func(t *testing.T, data []byte, definition string) {
		run := manifest{version, strings.ToValidUTF8(definition, "?")}
		err := run.check(data, "m")
		if err != nil && !strings.HasPrefix(err.Error(), "m: ") {
			t.Errorf("error %v, expected the path", err)
		}
		if says := saysManifest(data, run); says != (err == nil) {
			t.Errorf("%q for %q: error %v, agrees: %t", data, run.Definition, err, says)
		}
		text, err := indented(run)
		if err != nil {
			t.Fatal(err)
		}
		if err := run.check(text, "m"); err != nil {
			t.Errorf("%q: %v", run.Definition, err)
		}
		other := manifest{version, run.Definition + "x"}
		if err := other.check(text, "m"); err == nil || !strings.Contains(err.Error(), "\n  "+run.Definition+"\n") || !strings.Contains(err.Error(), "\n  "+other.Definition+"\n") {
			t.Errorf("%q, and then another one: %v", run.Definition, err)
		}
	})
}

// saysManifest says whether an object has the version and the definition, of their types wherever
// they stand; the last of a name counts, in whichever case it is written, and null for nothing.
func saysManifest(data []byte, want manifest) bool {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if start, _ := decoder.Token(); start != json.Delim('{') || !json.Valid(data) {
		return false
	}
	got := manifest{}
	for decoder.More() {
		name, err := decoder.Token()
		var value any
		if err != nil || decoder.Decode(&value) != nil {
			return false
		}
		isVersion, isDefinition := strings.EqualFold(name.(string), "version"), strings.EqualFold(name.(string), "definition")
		if value == nil || !isVersion && !isDefinition {
			continue
		}
		ok := false
		if isVersion {
			number, _ := value.(json.Number)
			got.Version, err = strconv.Atoi(string(number))
			ok = err == nil
		} else {
			got.Definition, ok = value.(string)
		}
		if !ok {
			return false
		}
	}
	return got == want
}
