package marks

import "testing"

// What stands between the marks of a block is replaced, and nothing else; a block without its marks
// is an error.
func TestUpdated(t *testing.T) {
	blocks := []Block{
		{Name: "one", Write: func(root, file string) (string, error) { return root + "/" + file + "\n", nil }},
		{Name: "other", Write: func(_, file string) (string, error) { return "no file" + file + "\n", nil }},
	}
	const page = "a\n<!-- other -->\nold\n<!-- end of other -->\nb\n<!-- one from f.txt -->\n<!-- end of one -->\nc\n"
	const want = "a\n<!-- other -->\nno file\n<!-- end of other -->\nb\n<!-- one from f.txt -->\nr/f.txt\n<!-- end of one -->\nc\n"
	if got, err := Updated("r", page, blocks); err != nil || got != want {
		t.Errorf("%q, %v; want %q", got, err, want)
	}
	for _, damaged := range []string{"", page[:20], page[20:]} {
		if got, err := Updated("r", damaged, blocks); err == nil {
			t.Errorf("%q became %q without an error", damaged, got)
		}
	}
}
