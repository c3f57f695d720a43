package report

import (
	"html/template"
	"math"
	"regexp"
	"strconv"
	"testing"
)

func TestMarkupEscapes(t *testing.T) {
	got := markup("<code>%s</code> %s %d", `<script>"&`, template.HTML("<b>x</b>"), 7)
	if want := `<code>&lt;script&gt;&#34;&amp;</code> <b>x</b> 7`; string(got) != want {
		t.Errorf("%s, want %s", got, want)
	}
}

var (
	scheme   = regexp.MustCompile(`:root \{([^}]*)\}`)
	variable = regexp.MustCompile(`--([a-z0-9-]+): #([0-9a-f]{6});`)
)

// In both schemes, the contrast between text and background is at least 4.5 (WCAG 2.2, 1.4.3). Both
// schemes have the same colours.
func TestContrast(t *testing.T) {
	schemes := scheme.FindAllStringSubmatch(style, -1)
	if len(schemes) != 2 {
		t.Fatalf("%d colour schemes, want 2", len(schemes))
	}
	count := map[string]int{}
	for n, s := range schemes {
		colours := map[string]float64{}
		for _, m := range variable.FindAllStringSubmatch(s[1], -1) {
			colours[m[1]] = luminance(t, m[2])
			count[m[1]]++
		}
		for name, colour := range colours {
			const least = 4.5
			switch name {
			case "paper", "raised", "grid", "rule":
				continue // not text
			}
			for _, behind := range []string{"paper", "raised"} {
				if ratio := contrast(colour, colours[behind]); ratio < least {
					t.Errorf("scheme %d: --%s on --%s has a contrast of %.2f, want %g", n, name, behind, ratio, least)
				}
			}
		}
	}
	for name, n := range count {
		if n != 2 {
			t.Errorf("--%s is in %d of 2 schemes", name, n)
		}
	}
	if len(count) < 10 {
		t.Errorf("only %d colours were found", len(count))
	}
}

func contrast(a, b float64) float64 { return (max(a, b) + 0.05) / (min(a, b) + 0.05) }

// luminance returns the relative luminance, as defined by WCAG.
func luminance(t *testing.T, hex string) float64 {
	sum := 0.0
	for i, weight := range []float64{0.2126, 0.7152, 0.0722} {
		v, err := strconv.ParseUint(hex[2*i:2*i+2], 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		c := float64(v) / 255
		if c <= 0.04045 {
			c /= 12.92
		} else {
			c = math.Pow((c+0.055)/1.055, 2.4)
		}
		sum += weight * c
	}
	return sum
}
