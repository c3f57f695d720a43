package recipes

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// parseYAML reads the part of YAML that github.yml is written in: mappings, lists of mappings or of
// plain values, literal blocks (|), plain and single-quoted values, comments. A mapping is a
// map[string]any, a list a []any, everything else a string. What it does not know is an error, so
// that nothing is read as something else than GitHub reads.
func parseYAML(text string) (any, error) {
	p := &yamlParser{lines: strings.Split(strings.TrimSuffix(text, "\n"), "\n")}
	value, err := p.value(0)
	if err == nil && p.skip() {
		err = p.errorf("expected nothing at this indentation")
	}
	return value, err
}

type yamlParser struct {
	lines []string
	at    int
}

func (p *yamlParser) errorf(format string, args ...any) error {
	return fmt.Errorf("line %d: %s", p.at+1, fmt.Sprintf(format, args...))
}

// skip passes over empty lines and comments, and reports whether there is another line.
func (p *yamlParser) skip() bool {
	for ; p.at < len(p.lines); p.at++ {
		if line := strings.TrimSpace(p.lines[p.at]); line != "" && line[0] != '#' {
			return true
		}
	}
	return false
}

func indentation(line string) int { return len(line) - len(strings.TrimLeft(line, " ")) }

// value reads a mapping or a list whose lines have this indentation.
func (p *yamlParser) value(indent int) (any, error) {
	if !p.skip() || indentation(p.lines[p.at]) != indent {
		return nil, p.errorf("expected %d spaces and a value", indent)
	}
	if strings.HasPrefix(p.lines[p.at][indent:], "- ") {
		return p.list(indent)
	}
	return p.mapping(indent)
}

func (p *yamlParser) list(indent int) (any, error) {
	var list []any
	for p.skip() && indentation(p.lines[p.at]) == indent && strings.HasPrefix(p.lines[p.at][indent:], "- ") {
		item := p.lines[p.at][indent+2:]
		if _, _, ok := keyOf(item); !ok {
			value, err := p.scalar(item)
			if err != nil {
				return nil, err
			}
			list = append(list, value)
			p.at++
			continue
		}
		// the mapping begins where the dash ends
		p.lines[p.at] = strings.Repeat(" ", indent+2) + item
		value, err := p.mapping(indent + 2)
		if err != nil {
			return nil, err
		}
		list = append(list, value)
	}
	return list, nil
}

func (p *yamlParser) mapping(indent int) (any, error) {
	m := map[string]any{}
	for p.skip() && indentation(p.lines[p.at]) == indent {
		key, rest, ok := keyOf(p.lines[p.at][indent:])
		if !ok {
			return nil, p.errorf("expected a key and a colon")
		}
		if _, twice := m[key]; twice {
			return nil, p.errorf("%s is there already", key)
		}
		var err error
		switch rest {
		case "":
			p.at++
			if !p.skip() || indentation(p.lines[p.at]) <= indent {
				return nil, p.errorf("%s has no value", key)
			}
			m[key], err = p.value(indentation(p.lines[p.at]))
		case "|":
			p.at++
			m[key], err = p.literal(indent)
		default:
			m[key], err = p.scalar(rest)
			p.at++
		}
		if err != nil {
			return nil, err
		}
	}
	if p.at < len(p.lines) && indentation(p.lines[p.at]) > indent {
		return nil, p.errorf("expected %d spaces", indent)
	}
	return m, nil
}

// keyOf takes "key: value" apart.
func keyOf(line string) (key, value string, ok bool) {
	key, value, ok = strings.Cut(line, ":")
	ok = ok && key != "" && !strings.ContainsAny(key, " '\"{}[]$#&*!|>%@`") && (value == "" || value[0] == ' ')
	return key, strings.TrimSpace(value), ok
}

func (p *yamlParser) literal(parent int) (string, error) {
	if p.at == len(p.lines) || indentation(p.lines[p.at]) <= parent {
		return "", p.errorf("expected a block")
	}
	indent := indentation(p.lines[p.at])
	var text strings.Builder
	for ; p.at < len(p.lines); p.at++ {
		line := p.lines[p.at]
		if strings.TrimSpace(line) == "" {
			text.WriteString("\n")
			continue
		}
		if indentation(line) < indent {
			break
		}
		text.WriteString(line[indent:] + "\n")
	}
	return strings.TrimRight(text.String(), "\n") + "\n", nil
}

func (p *yamlParser) scalar(text string) (string, error) {
	if quoted, ok := strings.CutPrefix(text, "'"); ok {
		value, ok := strings.CutSuffix(quoted, "'")
		if !ok || strings.Contains(value, "'") {
			return "", p.errorf("expected one ' at the end of %s", text)
		}
		return value, nil
	}
	if strings.ContainsAny(text[:1], "\"{}[]&*!|>%@`,?#-") || strings.Contains(text, " #") || strings.Contains(text, ": ") || strings.ContainsRune(text, '\t') {
		return "", p.errorf("%s: expected a plain value or one in single quotes", text)
	}
	return text, nil
}

func TestParseYAML(t *testing.T) {
	got, err := parseYAML(`# comment
a: b c
on: x

list:
  - name: first # not a comment here would be an error
`)
	if err == nil {
		t.Errorf("a comment behind a value was read as %v", got)
	}
	got, err = parseYAML(`# comment
a: b: no
`)
	if err == nil {
		t.Errorf("a colon within a value was read as %v", got)
	}
	got, err = parseYAML(`# comment
a: b c
q: '*: #'
m:
  n: ${{ x == 'y' }}
  list:
    # comment
    - plain
    - k: v
      run: |
        one
          two # no comment

        three
      w:
        x: 1
    - uses: z
end: it
`)
	want := map[string]any{"a": "b c", "q": "*: #", "end": "it", "m": map[string]any{"n": "${{ x == 'y' }}", "list": []any{
		"plain", map[string]any{"k": "v", "run": "one\n  two # no comment\n\nthree\n", "w": map[string]any{"x": "1"}}, map[string]any{"uses": "z"},
	}}}
	if diff := cmp.Diff(any(want), got); err != nil || diff != "" {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
	for _, bad := range []string{"", "a", "a:\nb: c", "a: \"b\"", "a: [b]", "a: {b: c}", "a: &b c", "a: >\n  b", "a: b\n  c: d", "a: b\na: c", "a:\n    b: c\n  d: e", "a: 'b", "- a\nb: c", "a: |\nb: c", "a: b\tc"} {
		if got, err := parseYAML(bad); err == nil {
			t.Errorf("%q was read as %v", bad, got)
		}
	}
}
