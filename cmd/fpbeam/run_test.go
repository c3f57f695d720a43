package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"simhashkit/cmd/fpbeam/pipeline"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
)

// asProgram is the environment variable that has the test program be fpbeam.
const asProgram = "FPBEAM_AS_PROGRAM"

func TestMain(m *testing.M) {
	if os.Getenv(asProgram) != "" {
		main()
	}
	flag.Parse()
	// Beam leaves a file behind for each run.
	folder, err := os.MkdirTemp("", "fpbeam")
	if err == nil {
		err = os.Setenv("TMPDIR", folder)
	}
	if err != nil {
		panic(err)
	}
	// Runners send the program to their workers. Prism's are in this process.
	*jobopts.WorkerBinary = filepath.Join(folder, "worker")
	if err := os.WriteFile(*jobopts.WorkerBinary, nil, 0o666); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(folder)
	os.Exit(code)
}

// fpbeam runs a command line, of words without spaces.
func fpbeam(t *testing.T, line string) (code int, stdout, stderr string) {
	t.Helper()
	*runners.Runner, *jobopts.Endpoint, *jobopts.EnvironmentType = "", "", "" // those of Beam stay from one command line to the next
	var out, errors bytes.Buffer
	code = exitCode(run(strings.Fields(line), strings.NewReader(""), &out, &errors), &errors)
	return code, out.String(), errors.String()
}

// inFolder has the test run in a new folder with these files.
func inFolder(t *testing.T, files map[string]string) {
	t.Helper()
	t.Chdir(t.TempDir())
	for name, text := range files {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

const three = `{"id":"a","text":"some words that stand in two of the texts"}
{"id":"b","text":"words of another kind altogether, and more of them"}
{"id":"c","text":"some words that stand in two of the texts"}
`

func TestAnswer(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": three, "in/b.jsonl": "", "in/_SUCCESS": ""})
	code, stdout, stderr := fpbeam(t, "--in in --id id --out out")
	const want = `3 documents in 2 inputs: 2 are near-duplicates, in 1 group; 2 to keep.
2 distinct fingerprints, 0 pairs of them within 3 of 64 bits; 0 documents without one.
8 blocks, the largest of 1 fingerprint; 0 of them hot, and cut; at most 0 pairs in one.
Which record is in which group, and which to keep, is in out/*.jsonl.
`
	if code != 0 || stdout != want || stderr != "" {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
	const attributes = `{"id":"a","fingerprint":"`
	if text, err := os.ReadFile("out/a.jsonl"); err != nil || !strings.HasPrefix(string(text), attributes) || strings.Count(string(text), "\n") != 3 {
		t.Errorf("%s, %v", text, err)
	}
	if text, err := os.ReadFile("out/b.jsonl"); err != nil || len(text) != 0 {
		t.Errorf("of an input without documents: %q, %v; expected an empty file", text, err)
	}
}

// Tables that are chosen have other blocks, and the same answer.
// A file of a user's own is replaced only with --force; what runs have written always.
func TestForeignFiles(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": three, "out/a.jsonl": "mine"})
	if code, _, stderr := fpbeam(t, "--in in --id id --out out"); code != 2 || !strings.Contains(stderr, "--force replaces it") {
		t.Errorf("code %d: %s", code, stderr)
	}
	if text, err := os.ReadFile("out/a.jsonl"); err != nil || string(text) != "mine" {
		t.Errorf("the file holds %q, %v", text, err)
	}
	for _, line := range []string{"--in in --id id --out out --force", "--in in --id id --out out"} {
		if code, _, stderr := fpbeam(t, line); code != 0 {
			t.Errorf("%s: code %d: %s", line, code, stderr)
		}
	}
}

func TestTables(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": three})
	code, stdout, stderr := fpbeam(t, "--in in --id id --out out --tables 5,2")
	if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "3 documents in 1 input: 2 are near-duplicates, in 1 group") || !strings.Contains(stdout, "\n20 blocks, ") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
}

// Tables that are drawn are as many as their recall takes, and find copies.
func TestRecall(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": three})
	code, stdout, stderr := fpbeam(t, "--in in --id id --out out --sketch minhash --bits 128 --k 21 --recall 0.95 --key-bits 12")
	if code != 0 || stderr != "" || !strings.HasPrefix(stdout, "3 documents in 1 input: 2 are near-duplicates, in 1 group") || !strings.Contains(stdout, "\n56 blocks, ") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
}

// A table without rows is one, in formats that say so.
func TestEmptyResult(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": "", "in/b.jsonl": three})
	for format, want := range map[string]string{"csv": "id,fingerprint,cluster_id,is_canonical\n", "parquet": "PAR1"} {
		code, _, stderr := fpbeam(t, "--in in/a.jsonl --out "+format+" --format "+format)
		text, err := os.ReadFile(filepath.Join(format, "a.jsonl."+format))
		if code != 0 || stderr != "" || err != nil || !strings.HasPrefix(string(text), want) || !strings.HasSuffix(string(text), want) {
			t.Errorf("%s: code %d, %s, %q, %v", format, code, stderr, text, err)
		}
	}
	code, stdout, _ := fpbeam(t, "--in in/b.jsonl --out none --k 0 --features characters,n=60 --only-duplicates")
	if text, err := os.ReadFile("none/b.jsonl"); code != 0 || err != nil || len(text) != 0 {
		t.Errorf("code %d, %q, %v\n%s", code, text, err, stdout)
	}
}

func TestErrors(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": three, "in/bad.jsonl": three + "{\"id\":4}\n", "other/a.jsonl": three, "here/b.jsonl": three, "empty/_SUCCESS": ""})
	for line, want := range map[string]string{
		"--out out":                                               "expected --in FILES",
		"--in in":                                                 "expected --out FOLDER",
		"--in missing.jsonl --out out":                            "missing.jsonl: no such file",
		"--in missing/*.jsonl --out out":                          "missing/*.jsonl: expected files, got none",
		"--in empty --out out":                                    "empty: expected files, got none",
		"--in ftp://missing/* --out out":                          "expected an address of gs",
		"--in - --out out":                                        "expected files",
		"--in in/a.jsonl --in other/a.jsonl --out out":            "would both be a.jsonl",
		"--in in --id id --out out":                               `in/bad.jsonl:4:1: expected the field "text", got "{\"id\":4}"; --keep-going reports such documents and leaves them out`,
		"--in in --id id --out out --parts":                       "in/bad.jsonl:4:",
		"--in in/a.jsonl --id name --out out":                     "in/a.jsonl:1:",
		"--in in/a.jsonl --out in":                                "the attributes of in/a.jsonl would replace the input in/a.jsonl",
		"--in in/a.jsonl --in here/b.jsonl --out ./here/":         "the attributes of here/b.jsonl would replace the input ./here/b.jsonl",
		"--in in/a.jsonl --out out --by weight":                   "--by \"weight\"",
		"--in in/a.jsonl --out out --format text":                 "--format \"text\"",
		"--in in/a.jsonl --out out --k 64":                        "--k 64: expected 0 to 63",
		"--in in/a.jsonl --out out --block 0":                     "--block 0",
		"--in in/a.jsonl --out out --tables 5":                    "--tables 5",
		"--in in/a.jsonl --out out --tables 3,1":                  "--tables 3,1",
		"--in in/a.jsonl --out out --recall 1":                    "--recall 1: blocks: recall 1, expected more than 0 and less than 1",
		"--in in/a.jsonl --out out --recall 0":                    "--recall 0: expected more than 0",
		"--in in/a.jsonl --out out --recall .9 --tables 5,2":      "expected --recall or --tables",
		"--in in/a.jsonl --out out --key-bits 12":                 "--key-bits goes with --recall",
		"--in in/a.jsonl --out out --bits 65":                     "65",
		"--in in/a.jsonl --out out --weights tfidf":               "--table",
		"--in in/a.jsonl --out out --features sentences":          "--features",
		"--in in/a.jsonl --out out --parts":                       "expected --id",
		"--in in/a.jsonl --id id --out out --parts --weights log": "--parts:",
		"--in in/a.jsonl --out out --runner abacus":               "abacus",
		"--in in/a.jsonl --out out more":                          "more: expected --in for all files",
	} {
		code, stdout, stderr := fpbeam(t, line)
		if code != 2 || stdout != "" || !strings.Contains(stderr, want) || strings.Count(stderr, "\n") != 1 {
			t.Errorf("fpbeam %s: code %d, %s%s; expected a line with %q", line, code, stdout, stderr, want)
		}
	}
	// What is mended gives what there would have been at once.
	if err := os.Remove("in/bad.jsonl"); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := fpbeam(t, "--in in --id id --out out"); code != 0 {
		t.Errorf("code %d: %s", code, stderr)
	}
}

// Attributes replace no input in a store of objects, either.
func TestAttributesAmongObjects(t *testing.T) {
	list := []pipeline.Input{{Path: "gs://bucket/corpus/a.jsonl", Name: "a.jsonl"}}
	for out, want := range map[string]bool{"gs://bucket/corpus": false, "gs://bucket//corpus/": false, "gs://bucket/attributes": true} {
		if _, err := numbered(list, out, "jsonl"); (err == nil) != want {
			t.Errorf("%s: error %v", out, err)
		}
	}
}

func TestKeepGoing(t *testing.T) {
	inFolder(t, map[string]string{"in/a.jsonl": "{\"id\":1}\n" + three})
	code, stdout, stderr := fpbeam(t, "--in in --id id --out out --keep-going")
	if code != 1 || !strings.HasPrefix(stdout, "3 documents in 1 input: 2 are near-duplicates") || !strings.Contains(stderr, "left out: in/a.jsonl:1:") || !strings.HasSuffix(stderr, "fpbeam: 1 document was left out\n") {
		t.Errorf("code %d\n%s%s", code, stdout, stderr)
	}
}

func TestHelp(t *testing.T) {
	code, stdout, _ := fpbeam(t, "--help")
	for _, part := range []string{"--in stringArray", "--runner string", "--endpoint string", "Exit codes"} {
		if code != 0 || !strings.Contains(stdout, part) {
			t.Errorf("code %d, help lacks %q", code, part)
		}
	}
	if strings.Contains(stdout, "test.") {
		t.Error("help has flags of tests")
	}
}
