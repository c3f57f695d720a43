package dedup

import (
	"context"
	"fmt"

	"simhashkit/fphash/index/join"
	"simhashkit/internal/english"
)

// Sampled is what a search that may miss pairs found, of all that there are.
type Sampled struct {
	Forecast       float64 // share of the pairs that differ in K bits
	*join.Measured         // of pairs within K bits, by a sample of the records
}

// measure measures the recall, where one was asked for and the search is not exact. Found reports
// whether a pair was found, by positions.
func (r *Result) measure(ctx context.Context, found func(a, b int) bool) error {
	if r.Recall == 0 {
		return nil
	}
	plan, err := r.plan(ctx)
	if err != nil || plan.Tables == 0 {
		return err
	}
	r.Sampled = &Sampled{Forecast: plan.Recall(r.K)}
	if r.external == nil {
		r.Sampled.Measured, err = r.join().MeasureRecall(ctx, found)
		return err
	}
	r.Sampled.Measured, err = r.external.MeasureRecall(ctx, func(a, b uint64) bool {
		i, grouped := r.Records.position(a)
		j, both := r.Records.position(b)
		return grouped && both && found(int(i), int(j))
	})
	return err
}

// recall says which share of the pairs was found.
func (r *Result) recall() string {
	if r.Sampled == nil {
		return fmt.Sprintf("No pair within k = %d is missed: to find %s%% of them would cost no less.", r.K, english.Hundred(r.Recall))
	}
	of := fmt.Sprintf("of the pairs that differ in %d bits %s%% were to be found", r.K, english.Hundred(r.Sampled.Forecast))
	pairs, found := r.Sampled.Of()
	if pairs == 0 {
		return fmt.Sprintf("By forecast, %s. None of %s that were compared with all has one within k.", of, records(r.Sampled.Drawn))
	}
	outcome := "are in a group"
	switch {
	case r.Verify != nil:
		outcome = "were found, to be verified"
	case r.Against != nil:
		outcome = "have their record dropped"
	}
	return fmt.Sprintf("Of %d %s within k = %d that a sample of %s has, %s%% %s (%s to %s%%); by forecast, %s.", pairs, english.Plural(pairs, "pair", "pairs"), r.K,
		records(r.Sampled.Drawn), english.Hundred(float64(found)/float64(pairs)), outcome, english.Hundred(r.Sampled.Low), english.Hundred(r.Sampled.High), of)
}
