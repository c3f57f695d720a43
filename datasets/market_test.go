package datasets

import "testing"

const marketHeadText = "%%MatrixMarket matrix coordinate real general\n"

func TestMarketRows(t *testing.T) {
	for text, want := range map[string][]string{
		marketHeadText + "% a comment\n\n2 9 3\n1 1 0.5\n% another\n1 9 -2e3\n2 5 1\r\n": {"0 0:0.5 8:-2000", "0 4:1"},
		marketHeadText + "4 2 1\n3 2 1": {"0", "0", "0 1:1", "0"},
		marketHeadText + "0 0 0\n":      nil,
		"%%matrixmarket MATRIX Coordinate Integer General\n1 9 2\n1 9 3\n1 2 4\n":                 {"0 1:4 8:3"},
		"%%MatrixMarket matrix coordinate pattern general\n2 2 2\n2 1\n2 2\n":                     {"0", "0 0:1 1:1"},
		marketHeadText + "3 3 3\n3 1 1\n1 2 2\n3 1 4\n":                                           {"0 1:2", "0", "0 0:5"},
		"%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n3 1 2\n3 2 5\n":           {"0 0:1 2:2", "0 2:5", "0 0:2 1:5"},
		"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 2\n":                    {"0 1:-2", "0 0:2"},
		"\ufeff" + marketHeadText + "1 18446744073709551615 2\n1 18446744073709551615 1\n1 3 0\n": {"0 18446744073709551614:1"},
	} {
		wantRows(t, text, ReadOptions{}, want...)
	}
}

func TestMarketRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"%%MatrixMarket matrix array real general\n":                `m:1:1: expected a sparse matrix (coordinate), got "%%MatrixMarket matrix array real general"`,
		"%%MatrixMarket matrix coordinate complex general\n":        `m:1:1: expected real, integer or pattern entries, got "%%MatrixMarket matrix coordinate comp..."`,
		"%%MatrixMarket matrix coordinate real hermitian\n":         `m:1:1: expected a general, symmetric or skew-symmetric matrix, got "%%MatrixMarket matrix coordinate real..."`,
		"%%MatrixMarket vector\n":                                   `m:1:1: expected %%MatrixMarket matrix coordinate real general, got "%%MatrixMarket vector"`,
		marketHeadText:                                              `m:2:1: expected a line of rows, columns and entries, got "nothing"`,
		marketHeadText + "1 x 1\n":                                  `m:2:3: expected rows, columns and entries, three whole numbers, got "x"`,
		marketHeadText + "1 1\n":                                    `m:2:4: expected rows, columns and entries, three whole numbers, got ""`,
		marketHeadText + "1 1 1 1\n":                                `m:2:7: expected nothing after rows, columns and entries, got "1"`,
		marketHeadText + "1 1 2\n1 1 1\n":                           `m:2:1: expected as many entries as announced, 2, got "1"`,
		marketHeadText + "1 1 1\n1 1 1\n1 1 1\n":                    `m:4:1: expected the end after 1 entry, as announced, got "1 1 1"`,
		marketHeadText + "2 2 1\n0 1 1\n":                           `m:3:1: expected a row from 1 to 2, got "0"`,
		marketHeadText + "2 2 1\n1 3 1\n":                           `m:3:3: expected a column from 1 to 2, got "3"`,
		marketHeadText + "2 2 1\n1 2 nan\n":                         `m:3:5: expected a finite weight, got "nan"`,
		marketHeadText + "2 2 1\n1 2 -Inf\n":                        `m:3:5: expected a finite weight, got "-Inf"`,
		marketHeadText + "2 2 1\n1 2\n":                             `m:3:4: expected a number after row and column, got ""`,
		marketHeadText + "2 2 1\n1 2 3 4\n":                         `m:3:7: expected the end of the line after row, column and value, got "4"`,
		marketHeadText + "2 2 2\n1 2 1e308\n1 2 1e308\n":            `m:4:1: expected a sum of repeated entries that fits float64, got "more"`,
		marketHeadText + "99999999999999 2 1\n99999999999999 2 1\n": `m:2:1: expected fewer rows without entries, got "99999999999999 rows, 1 entries"`,
		marketHeadText + "99999999999999 2 0\n":                     `m:2:1: expected fewer rows without entries, got "99999999999999 rows, 0 entries"`,
		"%%MatrixMarket matrix coordinate real symmetric\n2 3 0\n":  `m:2:1: expected as many rows as columns of a symmetric matrix, got "2 3 0"`,
	} {
		_, err := readVectors[float64](t.Context(), []byte(text), ReadOptions{Name: "m"})
		wantError(t, err, want)
	}
	_, err := readVectors[float64](t.Context(), []byte(marketHeadText), ReadOptions{Name: "m", Base: 1})
	wantError(t, err, "datasets: m: expected base 0, got 1: a Matrix Market file counts from 1 by definition")
	_, err = readVectors[int32](t.Context(), []byte("%%MatrixMarket matrix coordinate integer skew-symmetric\n2 2 1\n2 1 -2147483648\n"), ReadOptions{Name: "m"})
	wantError(t, err, `m:3:1: expected a weight whose negative fits int32, got "less"`)
	_, err = readVectors[int32](t.Context(), []byte(marketHeadText+"2 2 1\n2 1 0.5\n"), ReadOptions{Name: "m"})
	wantError(t, err, `m:3:5: expected an integer weight, got "0.5"`)
	set, err := readVectors[int32](t.Context(), []byte(marketHeadText+"2 2 2\n2 1 0.5\n2 2 0\n"), ReadOptions{Name: "m", Unit: true})
	if err != nil || set.Weights != nil || set.NNZ() != 1 {
		t.Errorf("unit: %+v, %v", set, err)
	}
}
