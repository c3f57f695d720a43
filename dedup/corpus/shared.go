package corpus

import "github.com/cespare/xxhash/v2"

// sharedIDs finds ids of several records, which attributes cannot tell apart.
type sharedIDs struct {
	most   int      // records whose ids are hashed; of more nothing is said
	first  int      // the number of the first record
	hashes []uint64 // by record, from the first one on

	example int // a record whose id another one before it has
	count   int // ids of several records, one of which has near-duplicates
}

func (s *sharedIDs) add(id []byte) {
	if s.most == 0 {
		return
	}
	if len(s.hashes) == s.most {
		s.most, s.hashes = 0, nil
		return
	}
	s.hashes = append(s.hashes, xxhash.Sum64(id))
}

// find counts the ids of records in groups, and releases all others.
func (s *sharedIDs) find(r *Result) {
	records := map[uint64]int{}
	for i, cluster := range r.cluster {
		if record := int(r.Records.Set.ID(i)) - s.first; cluster > 0 && record >= 0 && record < len(s.hashes) {
			records[s.hashes[record]] = 0
		}
	}
	for record, hash := range s.hashes {
		n, ok := records[hash]
		if !ok {
			continue
		}
		if records[hash] = n + 1; n != 1 {
			continue
		}
		if s.count++; s.count == 1 {
			s.example = s.first + record
		}
	}
	s.hashes = nil
}

// SharedID returns an id that stands for several records, one of which has near-duplicates, so that
// attributes are ambiguous; and how many such ids there are. They are not looked for where Memory
// has no room for 8 bytes more a record. NameRecords must have been called.
func (r *Result) SharedID() (id string, n int) {
	if r.shared.count == 0 {
		return "", 0
	}
	return r.Records.IDs(r.shared.example), r.shared.count
}
