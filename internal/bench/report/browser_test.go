package report

import (
	"context"
	"encoding/json"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"simhashkit/internal/testing/long"
)

// chromium returns the path of a browser that can run without a screen.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") != "" {
		t.Fatal("there is no Chromium on the path") // CI must have one
	}
	t.Skip("there is no Chromium on the path")
	return ""
}

// shown is the result of testdata/measure.js for a frame.
type shown struct {
	Width int
	Font  string
	Wrong []string
}

var findings = regexp.MustCompile(`(?s)<pre id="result">(.*?)</pre>`)

// browse shows the page in frames of the given widths. It returns the layout of each frame in two
// fonts, and the messages of the console.
func browse(t *testing.T, page string, widths ...int) (layouts []shown, console []string) {
	t.Helper()
	path := chromium(t)
	script, err := os.ReadFile(filepath.Join("testdata", "measure.js"))
	if err != nil {
		t.Fatal(err)
	}
	var around strings.Builder
	for _, w := range widths {
		// A frame can be as narrow as a phone, but a window cannot.
		fmt.Fprintf(&around, `<iframe style="border:0;width:%dpx;height:900px" srcdoc="%s"></iframe>`+"\n", w, html.EscapeString(page))
	}
	fmt.Fprintf(&around, "<pre id=\"result\"></pre><script>%s</script>", script)
	folder := t.TempDir()
	file := filepath.Join(folder, "around.html")
	if err := os.WriteFile(file, []byte("<!DOCTYPE html><meta charset=\"utf-8\"><link rel=\"icon\" href=\"data:,\">"+around.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	command := exec.CommandContext(ctx, path, "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
		"--user-data-dir="+filepath.Join(folder, "profile"), "--enable-logging=stderr", "--window-size=1600,1000", "--dump-dom", "file://"+file)
	var out, errs strings.Builder
	command.Stdout, command.Stderr = &out, &errs
	if err := command.Run(); err != nil {
		t.Fatalf("%s: %v\n%s", path, err, errs.String())
	}
	for line := range strings.Lines(errs.String()) {
		if strings.Contains(line, "CONSOLE") {
			console = append(console, strings.TrimSpace(line))
		}
	}
	m := findings.FindStringSubmatch(out.String())
	if m == nil || json.Unmarshal([]byte(html.UnescapeString(m[1])), &layouts) != nil || len(layouts) != 2*len(widths) {
		t.Fatalf("the browser measured nothing: %v\n%s", m, errs.String())
	}
	return layouts, console
}

// At the widths of phones, a small tablet and a desktop, and in two fonts, pages cut
// nothing off and request nothing.
func TestInBrowser(t *testing.T) {
	long.Skip(t, "starts a browser for each page")
	o := everything
	o.hashes = slices.Clone(manyHashes)
	o.hashes[7] = "a-hash-with-a-name-that-is-rather-long-and-has-no-place-to-break"
	for name, page := range map[string]string{
		"a full run":             render(t, o.source(t, "a/rather/long/path/of/a/result/file/that/does/not/fit/on/a/line/of/a/phone/bench.txt")),
		"comparison":             renderComparison(t, sampleComparison(t, fewRows...)),
		"comparison of one row":  renderComparison(t, sampleComparison(t, fewRows[1])),
		"comparison of 500 rows": renderComparison(t, sampleComparison(t, manyRows(500)...)),
	} {
		t.Run(name, func(t *testing.T) {
			layouts, console := browse(t, page, 390, 400, 700, 1440)
			for _, line := range console {
				t.Errorf("console: %s", line)
			}
			for i, l := range layouts {
				if i < 2 {
					t.Logf("font: %s", l.Font)
				}
				for _, wrong := range l.Wrong {
					t.Errorf("%d wide, %s: %s", l.Width, l.Font, wrong)
				}
			}
		})
	}
}

// The script of TestInBrowser finds the faults of a bad page.
func TestBrowserFindsFaults(t *testing.T) {
	long.Skip(t, "starts a browser")
	bad := `<!DOCTYPE html><html lang="en"><meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<body style="margin:0"><p style="width:2000px">wide</p><div class="table" style="width:100px;overflow:auto"><div style="width:200px">x</div></div><img src="https://example.invalid/x.png"><a href="#nowhere">x</a><h2></h2>
</body></html>`
	layouts, console := browse(t, bad, 390)
	found := strings.Join(layouts[0].Wrong, "\n")
	for _, want := range []string{"the page is 2000 wide in", "table cut off: DIV", "cut off: P", "not visible: H2", "#nowhere leads nowhere"} {
		if !strings.Contains(found, want) {
			t.Errorf("%q is not found among\n%s", want, found)
		}
	}
	if len(console) == 0 {
		t.Error("a forbidden request leaves no message on the console")
	}
}
