package promises

import (
	"strings"
	"testing"
)

// free lists packages of which importers expect to pay for no library that only some of them need.
var free = map[string][]string{
	"datasets":           {"go-json-experiment/", "parquet-go/"},
	"datasets/documents": {"parquet-go/"},
	"dedup/corpus":       {"parquet-go/"},
}

func TestHeavyLibrariesStayWhereTheyAre(t *testing.T) {
	module := ourName(t)
	for path, libraries := range free {
		dependencies := run(t, root, "list", "-deps", module+"/"+path)
		for _, library := range libraries {
			if strings.Contains(dependencies, library) {
				t.Errorf("%s depends on %s: expected it to do without", path, library)
			}
		}
	}
}
