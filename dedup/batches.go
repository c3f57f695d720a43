package dedup

// A batch is so many records, or fewer that take so many bytes.
const (
	batchRecords = 10000
	batchBytes   = 16 << 20
)

// Pass calls take with the records that are held once they are a batch, 10,000 of them or 16 MiB,
// and lets go of them: Len and WithoutFingerprint go on counting them, and numbers go on. What take
// keeps of them it must copy. Without take all records are held.
func (r *Records) Pass(take func(*Records) error) error {
	if r.count-r.first < batchRecords && len(r.ids)+8*len(r.Set.Words) < batchBytes {
		return nil
	}
	return r.PassRest(take)
}

// PassRest is Pass for what is left at the end, a batch or less.
func (r *Records) PassRest(take func(*Records) error) error {
	if take == nil || r.count == r.first {
		return nil
	}
	if err := take(r); err != nil {
		return err
	}
	r.first = r.count
	r.ids, r.idEnds = r.ids[:0], r.idEnds[:0]
	r.Set.Words = r.Set.Words[:0]
	if r.Set.IDs = r.Set.IDs[:0]; r.Set.IDs == nil { // from now on numbers of records are not positions
		r.Set.IDs = []uint64{}
	}
	return nil
}
