package index

func newPostings(set *Set) Structure { return newScan(set) }
