// Package ab compares two programs by running them in turn until it is clear whether one is slower.
//
// A round is one process run of each side, back to back, in an order that a fair coin draws. If
// nothing has changed, the two runs of a round could as well have been the other way round,
// whatever drift, bursts of load, outliers or modes of processes there are. Package paired tests
// just that, so its error rates need no model of the noise. To take all samples of one side first,
// and then all of the other, has no such ground: a clock that slows down in between looks like a
// regression.
//
// The evidence is a process run, not a sample, since some benchmarks differ from process to process
// by several percent (package compare has figures). So a run is short and has many short samples,
// of which most are not interrupted even on a busy machine. Its figure is the better quartile of
// the samples: what the program takes while nothing disturbs it.
//
// The quartile does not see what slows down fewer than three quarters of the samples. A second
// test, with a fifth of the comparison's alpha, is of the means of all samples: work of 2.8 ms
// after every 5.6 ms leaves the quartile of samples of a millisecond alone, and adds half to the
// mean. Either test may call a change, and nothing is called no change while the other estimate is
// beyond the threshold. Neither sees garbage collection that package testing does before it starts
// the clock; bytes and allocations per operation are judged beside the times.
//
// A report shows the figures that were judged, as far apart as the estimate says, and not the
// medians of all samples.
//
// # Alpha
//
// Every unit with noise, of every benchmark that both sides have, is a comparison with its own
// share of alpha. All of them together raise a false alarm with a probability of alpha at most.
// Units that do not vary in the first round, such as allocations, share a tenth of alpha; the
// others have equal parts of the rest. Shares are fixed before anything is tested, so what the
// first round lacks is a gap.
//
// Units that a program declares exact are judged by package compare. Bytes and allocations per
// operation are exact too where all samples of a side are the same, six at least: any difference
// counts, in however few rounds. Times that do not vary are tested all the same, since a clock may
// have few digits.
//
// A comparison that is decided is not run any more, and leaves its time to the others.
//
// A run stops as soon as everything is decided. So other tests, which assume a fixed number of
// samples, raise more false alarms on its output than their alpha says.
package ab
