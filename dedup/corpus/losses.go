package corpus

import "slices"

// Loss is the number of dropped records of an input.
type Loss struct {
	Input            Input
	Dropped, Records int
}

// Losses returns the inputs with dropped records, those that lose most first.
func (r *Result) Losses() []Loss {
	losses := make([]Loss, len(r.counts))
	ends := make([]int, len(r.counts)) // number of the first record behind each input
	end := r.oldRecords
	for i, n := range r.counts {
		end += n
		losses[i], ends[i] = Loss{Input: r.run.Inputs[i], Records: n}, end
	}
	input := 0
	for position := r.positionOf(r.oldRecords); position < r.Records.Set.Len(); position++ { // by rising record
		record := int(r.Records.Set.ID(position))
		for record >= ends[input] {
			input++
		}
		if r.IsDropped(position) {
			losses[input].Dropped++
		}
	}
	losses = slices.DeleteFunc(losses, func(l Loss) bool { return l.Dropped == 0 })
	slices.SortStableFunc(losses, func(a, b Loss) int { return b.Dropped - a.Dropped })
	return losses
}
