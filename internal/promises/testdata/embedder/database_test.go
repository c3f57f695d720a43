package main

import (
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"simhashkit/fphash"
)

// shelf is a database of one table with one column. "insert" appends a row, and "select TYPE"
// returns all rows as a driver does for columns of this type.
type shelf struct{ rows []driver.Value }

func (s *shelf) Open(string) (driver.Conn, error) { return conn{s}, nil }

type conn struct{ *shelf }

func (c conn) Prepare(query string) (driver.Stmt, error) { return stmt{c.shelf, query}, nil }
func (conn) Close() error                                { return nil }
func (conn) Begin() (driver.Tx, error)                   { return nil, fmt.Errorf("no transactions") }

type stmt struct {
	shelf *shelf
	query string
}

func (stmt) Close() error  { return nil }
func (stmt) NumInput() int { return -1 }

func (s stmt) Exec(args []driver.Value) (driver.Result, error) {
	s.shelf.rows = append(s.shelf.rows, args...)
	return driver.RowsAffected(len(args)), nil
}

func (s stmt) Query([]driver.Value) (driver.Rows, error) {
	return &rows{as: strings.TrimPrefix(s.query, "select "), left: s.shelf.rows}, nil
}

type rows struct {
	as   string
	left []driver.Value
}

func (*rows) Columns() []string { return []string{"fingerprint"} }
func (*rows) Close() error      { return nil }

func (r *rows) Next(row []driver.Value) error {
	if len(r.left) == 0 {
		return io.EOF
	}
	bytes, ok := r.left[0].([]byte)
	r.left = r.left[1:]
	switch {
	case !ok:
		return fmt.Errorf("the row has %T, expected bytes", bytes)
	case r.as == "text":
		row[0] = fmt.Sprintf("%x", bytes)
	case r.as == "bigint":
		number := uint64(0)
		for _, b := range bytes {
			number = number<<8 | uint64(b)
		}
		row[0] = int64(number)
	default:
		row[0] = bytes
	}
	return nil
}

// A fingerprint in a column is written as big-endian bytes, and can be read from bytes, text or a
// number.
func TestDatabaseColumn(t *testing.T) {
	sql.Register("shelf", &shelf{})
	db, err := sql.Open("shelf", "")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	s, err := fphash.New(fphash.Definition{})
	if err != nil {
		t.Fatal(err)
	}
	var want []fphash.Fingerprint
	for i := range 20 {
		words, counts := document(i)
		fingerprint, _, err := fphash.Append(s, nil, words, counts)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, fingerprint)
		if _, err := db.Exec("insert", fphash.Fingerprint(fingerprint)); err != nil {
			t.Fatal(err)
		}
	}
	for _, as := range []string{"blob", "text", "bigint"} {
		rows, err := db.Query("select " + as)
		if err != nil {
			t.Fatal(err)
		}
		var got []fphash.Fingerprint
		for rows.Next() {
			var fingerprint fphash.Fingerprint
			if err := rows.Scan(&fingerprint); err != nil {
				t.Fatal(as, err)
			}
			got = append(got, fingerprint)
		}
		if err := rows.Err(); err != nil || !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %v, %v, want %v", as, got, err, want)
		}
	}
}
