package index

type Explanation struct{}

func Choose(set *Set, o Options) *Explanation { return nil }

func (e *Explanation) build(set *Set, o Options) (Structure, error) { return newScan(set), nil }
