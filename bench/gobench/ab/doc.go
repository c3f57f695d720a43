// Package ab compares two programs by running them alternately, until it is clear whether one is
// slower.
//
// A round is one run of each side, back to back, each in a process of its own, in an order that a
// fair coin has drawn. That is all the statistics rests on: if nothing has changed, the two runs of
// a round could as well have been the other way round, whatever drift, modes of processes, bursts
// of load or outliers there are. So package paired tests the differences of the rounds, and its
// error rates hold without any model of noise. Code that takes all of one side's samples first, and
// then all of the other's, has no such ground to stand on: a clock that slows down in between is a
// regression there.
//
// The evidence is a process run, and not a sample: some benchmarks differ from process to process
// by several percent for as long as the process lives (package compare has figures). So a run is
// short, with many short samples, of which most are not interrupted even where several programs
// share a processor, and its figure is the quartile of the better ones: what the program takes
// while nothing disturbs it. That is blind to what befalls less than three quarters of the samples,
// in the program too. So there is a second test, of the means of all samples, with a fifth of the
// comparison's alpha: work of 2.8 ms after every 5.6 ms is nothing to the quartile of samples of a
// millisecond, and half as much again to the mean. Either may call a change, and nothing is called
// no change while the other estimate is beyond the threshold. What neither sees is garbage
// collection that package testing has done before it starts the clock, as it does for every sample;
// bytes and allocations per operation are judged beside the times.
//
// A report shows what was judged, and not the medians of all samples: the figures of the runs, old
// and new as far apart as the estimate says.
//
// # Hypotheses
//
// Every statistical unit of every benchmark that both sides have is a comparison with its own share
// of alpha, so that all of them together raise a false alarm with a probability of alpha at most.
// Units without noise in the first round, such as allocations, share a tenth of alpha, the others
// have the rest in equal parts; both are fixed before anything is tested. A rate such as B/s whose
// product with the time is the same on both sides says nothing that the time does not say: it has
// no share, and its effect is that of the time turned round. Of what turns up only after the first
// round, no share is left, so it is a gap; a rate that parts from its time later is unclear.
//
// Units that a program declares exact are none of this: package compare judges them strictly. So it
// is with bytes and allocations per operation, which are counted, where all samples of a side are
// the same, at least six of them: a difference is one in however few rounds. A time that does not
// vary is tested nevertheless, for its clock may have few digits.
//
// A comparison that is decided is not run any more, and what it leaves of its budget goes to the
// others.
package ab
