package gotest

import (
	"strings"
	"testing"

	"simhashkit/internal/testing/long"
)

// Benchmarks of both sides inherit the same environment, to the byte.
func TestEqualEnvironments(t *testing.T) {
	long.Skip(t, "builds modules of its own")
	r := newRepository(t)
	r.benchmark("a", "")
	r.write("module/a/x.go", "package x\n\nimport (\n\t\"os\"\n\t\"strings\"\n)\n\nvar Number = float64(len(strings.Join(os.Environ(), \" \")))\n")
	r.commit()
	b := prepare(t, Options{Folder: r.module(), Packages: []string{"./a"}, Old: "main", Same: true})
	fields := strings.Fields(numbers(t, b)[0])
	if old, new := fields[2], fields[3]; old != new {
		t.Errorf("environments of %s and %s bytes", old, new)
	}
}
