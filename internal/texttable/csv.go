package texttable

import "strings"

// CSVText returns a text as a cell of a CSV table for people: a text that a spreadsheet would take
// for a formula has an apostrophe in front, and so has one that begins with an apostrophe, so that
// who takes off one always has the text. Numbers are not to be passed, since some begin with a
// sign; nor are ids in files for programs, which compare them byte by byte.
//
// What spreadsheets take for formulas begins with = + - @, also in their full width, or with white
// space before them that some skip (OWASP, CSV Injection).
func CSVText(text string) string {
	for _, start := range []string{"=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠", "'"} {
		if strings.HasPrefix(text, start) {
			return "'" + text
		}
	}
	return text
}
