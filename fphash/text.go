package fphash

import (
	"fmt"
	"strings"
)

// The enumerations are written in text and JSON by their names.

// MarshalText writes the name.
func (e Encoding) MarshalText() ([]byte, error) { return textOf(e, encodingNames[:], "encoding") }

// UnmarshalText reads the name.
func (e *Encoding) UnmarshalText(text []byte) error {
	return readName(e, string(text), encodingNames[:], "encoding")
}

// MarshalText writes the name.
func (s Sketch) MarshalText() ([]byte, error) { return textOf(s, sketchNames[:], "sketch") }

// UnmarshalText reads the name.
func (s *Sketch) UnmarshalText(text []byte) error {
	return readName(s, string(text), sketchNames[:], "sketch")
}

// MarshalText writes the name.
func (t Tie) MarshalText() ([]byte, error) { return textOf(t, tieNames[:], "tie rule") }

// UnmarshalText reads the name.
func (t *Tie) UnmarshalText(text []byte) error {
	return readName(t, string(text), tieNames[:], "tie rule")
}

// MarshalText writes the name.
func (o Order) MarshalText() ([]byte, error) { return textOf(o, orderNames[:], "order of summation") }

// UnmarshalText reads the name.
func (o *Order) UnmarshalText(text []byte) error {
	return readName(o, string(text), orderNames[:], "order of summation")
}

// MarshalText writes the name.
func (w Widen) MarshalText() ([]byte, error) { return textOf(w, widenNames[:], "widening") }

// UnmarshalText reads the name.
func (w *Widen) UnmarshalText(text []byte) error {
	return readName(w, string(text), widenNames[:], "widening")
}

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return textOf(s, statusNames[:], "status") }

// UnmarshalText reads the name.
func (s *Status) UnmarshalText(text []byte) error {
	return readName(s, string(text), statusNames[:], "status")
}

func textOf[E interface {
	~uint8
	String() string
}](e E, names []string, what string) ([]byte, error) {
	if err := known(e, names, what); err != nil {
		return nil, err
	}
	return []byte(e.String()), nil
}

// readName stores the constant of that name; where there is none, it leaves what was there.
func readName[E ~uint8](to *E, name string, names []string, what string) error {
	for i := range names {
		if names[i] == name {
			*to = E(i)
			return nil
		}
	}
	return fmt.Errorf("fphash: unknown %s %q; expected %s", what, name, strings.Join(names, ", "))
}
