package promises

import (
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

// free lists packages, and libraries that they must not depend on because few importers need them.
// A name that ends in a slash is part of a library's path; other names are packages of this module.
var free = map[string][]string{
	"datasets":           {"go-json-experiment/", "parquet-go/"},
	"datasets/documents": {"parquet-go/"},
	"dedup":              {"parquet-go/"},
	"textsketch":         {"klauspost/compress/", "go-json-experiment/", "parquet-go/", "datasets", "datasets/documents", "internal/decompress"},
}

func TestHeavyLibrariesStayWhereTheyAre(t *testing.T) {
	module, found := ourName(t), 0
	for _, p := range loaded(t, false) {
		libraries := free[strings.TrimPrefix(p.PkgPath, module+"/")]
		if libraries == nil {
			continue
		}
		found++
		packages.Visit([]*packages.Package{p}, nil, func(dependency *packages.Package) {
			for _, library := range libraries {
				if strings.HasSuffix(library, "/") && strings.Contains(dependency.PkgPath+"/", library) || dependency.PkgPath == module+"/"+library {
					t.Errorf("%s depends on %s: expected no dependency on %s", p.PkgPath, dependency.PkgPath, library)
				}
			}
		})
	}
	if found != len(free) {
		t.Errorf("%d packages, expected %d", found, len(free))
	}
}
