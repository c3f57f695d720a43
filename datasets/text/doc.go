// Package text cuts texts into features: words, n-grams of words, n-grams of characters, and byte
// shingles.
//
// [Options] say which, [New] makes an [Analyzer] of them, and [Analyzer.Append] appends the
// features of a text. They are byte slices, to be hashed as they are, or counted and weighed first;
// [Analyzer.AppendIndices] gives the same features as numbers. Options are also a line of text,
// such as "words,n=1,lang=auto,nfkc,fold", that travels with fingerprints: equal definitions give
// equal features, whatever else a program imports, and whatever Go toolchain builds it: characters
// are those of Unicode 15.0. A code point that it has not assigned belongs to no word and no
// language, and neither NFKC nor case folding changes it.
//
// # Words
//
// Words are those of Unicode's UAX #29 that have a letter or a number in them: "don't", "3.14" and
// "foo_bar" are one word each, punctuation and pictures are none. Where a script puts no space
// between words (Chinese, Japanese, Thai, Lao, Khmer, Burmese), every two neighbouring characters
// of a run are a word, which finds near-duplicates as well as true words do and needs no
// dictionary; a run of one character is a word. That holds for each run, so that a text in two
// languages has the words of both, and one more foreign word does not change all the others.
//
// The package text/zh cuts Chinese by dictionary. Importing it makes the language known; its
// dictionary is loaded and used with lang=zh for all texts, with lang=auto+zh for those whose
// letters are Chinese for the greater part. [Analyzer.Choose] says what a text is taken for, and
// why.
//
// # What a text is turned into first
//
// For words and characters, each byte of invalid UTF-8 becomes U+FFFD, which belongs to no word. Byte
// shingles take the bytes as they are, unless NFKC or Fold is set. (The readers of documents can
// treat invalid UTF-8 as an error.) NFKC and case folding follow, in this order, before the text is
// cut.
//
// Shingles of bytes and n-grams of characters see a run of ASCII white space as one space, and none
// at the beginning and the end. A text of fewer than N words, characters or bytes has no features.
package text
