// Package weights turns the features of texts into sparse weighted vectors. Weights are counts,
// TF-IDF, TextRank, or values from a list.
//
// Features come from package datasets/text as byte strings, in text order and with repeats. A
// [Weigher] makes a [Vector] from the features of one document, using a [Scheme]:
//
//	count     tf, the number of occurrences of the feature
//	tfidf     tf · idf
//	textrank  the TextRank of the feature, computed from its neighbours in the text
//	hand      the weight of the feature in a [List], independent of tf
//
// # Definition of idf
//
// idf = ln((1+N) / (1+df)) + 1, for N documents of which df contain the feature. This is the
// smoothed form, scikit-learn's default (TfidfVectorizer with smooth_idf=True). It is never zero,
// so words in all documents still count, and it is defined for words in no document. Spark omits
// the final + 1. The textbook's ln(N/df) has no smoothing at all, and gensim uses log2(N/df).
// Unlike scikit-learn, this package does not normalize vectors, since neither fingerprints nor
// cosines depend on their length.
//
// The idf comes from a [List]: of a [Builder], which counts document frequencies, or of weights
// such as those published with Chinese segmentation. [ReadList] reads both from files.
//
// # Reproducibility
//
// A vector is in ascending order of the features' bytes. Repeats are one feature. Weights have the
// same bits on every machine: logarithms come from internal/portable, and no multiplication is
// fused with an addition. So the fingerprint of a document depends only on the document and the
// definition.
package weights
