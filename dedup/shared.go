package dedup

// SharedID returns an id that stands for several records, one of which has near-duplicates, so that
// lists are ambiguous; and how many such ids there are.
func (r *Result) SharedID() (id string, n int) {
	if r.Records.idEnds == nil {
		return "", 0
	}
	seen := map[string]int{}
	if r.Groups != nil {
		for _, m := range r.Groups.members {
			seen[r.Records.idAt(m)] = 0
		}
	}
	for i, near := range r.near {
		if near {
			seen[r.Records.idAt(uint32(i))] = 0
		}
	}
	from := 0
	for _, end := range r.Records.idEnds {
		key := r.Records.ids[from:end]
		from = end
		count, ok := seen[string(key)]
		if !ok {
			continue
		}
		if seen[string(key)] = count + 1; count != 1 {
			continue
		}
		if n++; n == 1 {
			id = string(key)
		}
	}
	return id, n
}
