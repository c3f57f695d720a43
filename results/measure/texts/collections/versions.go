package collections

import "math/rand/v2"

// seed makes what is drawn the same in every run.
const seed = 17

func random(name string) *rand.Rand {
	h := uint64(seed)
	for _, b := range []byte(name) {
		h = (h ^ uint64(b)) * 0x100000001b3
	}
	return rand.New(rand.NewPCG(seed, h))
}

// version is a text in two versions.
type version [2]string

// ofVersions makes a collection of texts in two versions, as many as it may have. Versions that
// are equal byte for byte, which whatever method finds, and those of which one has another length
// are left out.
func ofVersions(name, language, length string, all []version) Collection {
	c := Collection{Name: name, Language: language, Length: length, Truth: ByLabels, Same: map[Pair]bool{}}
	for _, i := range random(name + length).Perm(len(all)) {
		v := all[i]
		if v[0] == v[1] || length != "" && (lengthOf(v[0]) != length || lengthOf(v[1]) != length) {
			continue
		}
		if len(c.Texts) == atMost(length) {
			break
		}
		n := len(c.Texts)
		c.Texts = append(c.Texts, v[0], v[1])
		c.Same[pairOf(n, n+1)] = true
	}
	return c
}

// byEdits makes a collection of texts of which nothing is labelled.
func byEdits(name, language, length string, all []string) Collection {
	c := Collection{Name: name, Language: language, Length: length, Truth: ByEdits}
	for _, i := range random(name + length).Perm(len(all)) {
		if len(c.Texts) == atMost(length) {
			break
		}
		if length == "" || lengthOf(all[i]) == length {
			c.Texts = append(c.Texts, all[i])
		}
	}
	return c
}
