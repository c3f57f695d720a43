package fphash

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
)

var registry = struct {
	sync.RWMutex
	families []Family // sorted by name
}{families: builtin()}

// builtin returns the built-in families, sorted by name.
func builtin() []Family {
	families := []Family{
		a5hashFamily, crc32cFamily, fmix64Family, fnv1Family, fnv1aFamily, fnv1a128Family, highway64Family, highway128Family, highway256Family, identityFamily, komihashFamily, lookup3Family,
		md5Family, mixedTabulationFamily, multiplyShiftFamily, murmur32Family, polymurFamily, rapidhashFamily, sha1Family, sha256Family, splitMix64Family, tornadoTabulationFamily, wyhashFamily, xxh64Family,
	}
	for i := range families {
		families[i].registered = true
	}
	slices.SortFunc(families, func(a, b Family) int { return strings.Compare(a.Name, b.Name) })
	return families
}

// Register makes a hash available by name to New, Lookup and the tools that use them. It
// returns an error if the name is taken or invalid, if the width is not in the range 1 to MaxBits,
// or if New is nil. It is safe for concurrent use. Packages with hashes call it in their init
// functions.
func Register(f Family) error {
	if err := f.check(); err != nil {
		return err
	}
	registry.Lock()
	defer registry.Unlock()
	i, found := slices.BinarySearchFunc(registry.families, f.Name, compareName)
	if found {
		return fmt.Errorf("fphash: hash %s is registered already", f.Name)
	}
	f.registered = true
	registry.families = slices.Insert(registry.families, i, f)
	return nil
}

// checkUnregistered returns an error if a registered family has the name.
func checkUnregistered(name string) error {
	registry.RLock()
	defer registry.RUnlock()
	if _, found := slices.BinarySearchFunc(registry.families, name, compareName); found {
		return fmt.Errorf("fphash: hash %s is registered: expected its name in Definition.Hash, or a family with another name", name)
	}
	return nil
}

// Families returns the registered families, sorted by name.
func Families() []Family {
	registry.RLock()
	defer registry.RUnlock()
	return slices.Clone(registry.families)
}

// elsewhere lists the hashes that package families registers.
var elsewhere = []string{"murmur3-128", "siphash", "xxh3", "xxh3-128"}

// unstable lists functions that tools measure under these names, with the reason why they cannot be
// used for stored fingerprints.
var unstable = map[string]string{
	"maphash": "it is a different function in each process, so fingerprints cannot be compared; fphash bench measures it",
}

// Lookup returns the family with the given name. For an unknown name, the error suggests a similar
// name, or the package to import.
func Lookup(name string) (Family, error) {
	families := Families()
	if i, found := slices.BinarySearchFunc(families, name, compareName); found {
		return families[i], nil
	}
	if why, known := unstable[name]; known {
		return Family{}, fmt.Errorf("fphash: hash %s cannot be chosen: %s", name, why)
	}
	const importing = `import _ "simhashkit/fphash/families"`
	if slices.Contains(elsewhere, name) {
		return Family{}, fmt.Errorf("fphash: hash %s is not linked; %s", name, importing)
	}
	names := make([]string, len(families))
	for i, f := range families {
		names[i] = f.Name
	}
	hint := ""
	switch near := nearest(name, slices.Concat(names, elsewhere)); {
	case slices.Contains(names, near):
		hint = fmt.Sprintf("did you mean %q? ", near)
	case near != "":
		hint = fmt.Sprintf("did you mean %q (%s)? ", near, importing)
	}
	return Family{}, fmt.Errorf("fphash: unknown hash %q; %sfphash kernels lists the hashes", name, hint)
}

func compareName(f Family, name string) int { return strings.Compare(f.Name, name) }

// nearest returns the name with the fewest edits from written, if they are few enough for a typo,
// or else a name with the prefix written. Typos in the first letter are rare, so a different first
// letter counts as two more edits: xxhash is closer to xxh64 than to wyhash.
func nearest(written string, names []string) string {
	most, best, fewest := len(written)/3+1, "", math.MaxInt
	for _, name := range names {
		edits := editDistance(strings.ToLower(written), strings.ToLower(name))
		if edits > most {
			continue
		}
		if !strings.EqualFold(written[:min(1, len(written))], name[:1]) {
			edits += 2
		}
		if edits < fewest {
			best, fewest = name, edits
		}
	}
	if best == "" && len(written) >= 3 {
		for _, name := range names {
			if strings.HasPrefix(name, strings.ToLower(written)) {
				return name
			}
		}
	}
	return best
}

// editDistance returns the Levenshtein distance: the least number of bytes to insert, remove or
// replace.
func editDistance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
