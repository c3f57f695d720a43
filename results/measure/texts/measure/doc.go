// Package measure measures how well near-duplicates among texts are found: by the exact cosine of
// vectors of features, which is the most that these features can do, and by fingerprints of the
// same vectors, so that what the features lose and what the fingerprints lose stand apart.
package measure
