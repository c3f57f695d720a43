// Package weights turns the features of texts into sparse weighted vectors: counts, logarithms of
// counts, TF-IDF, TextRank, or weights by hand.
//
// Features come from package datasets/text, in the order of the text and with repeats, as byte
// strings. A [Weigher] makes a [Vector] of those of one document, by a [Scheme]:
//
//	count      tf, how often the feature occurs
//	log        1 + ln tf
//	tfidf      tf · idf
//	log-tfidf  (1 + ln tf) · idf
//	textrank   the feature's rank among those that stand near it
//	hand       the weight that a [List] has for it, however often it occurs
//
// # Which idf
//
// idf = ln((1+N) / (1+df)) + 1, for N documents of which df have the feature. This is the smoothed
// form, scikit-learn's default (TfidfVectorizer with smooth_idf=True). It is never zero, so a word
// that all documents have still counts, and it knows what to do with a word that none has. Spark
// leaves out the 1 that is added; the textbook's ln(N/df) leaves out both, and gensim takes log2 of
// it. Unlike scikit-learn, nothing here is divided by the vector's length, on which neither a
// fingerprint nor a cosine depends.
//
// The numbers come from a [Table] of document frequencies, or ready-made from a [List], as those
// that come with Chinese segmentation do. [Read] and [ReadList] read them.
//
// # What is the same everywhere
//
// A vector is in ascending order of the features' bytes, repeats are one feature, and weights have
// the same bits on every machine: logarithms are those of internal/portable and no multiplication
// is fused with an addition. So the fingerprint of a document depends on nothing but the document
// and the definition.
package weights
