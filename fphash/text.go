package fphash

// The enumerations are written in text and JSON by their names.

// MarshalText writes the name.
func (e Encoding) MarshalText() ([]byte, error) { return textOf(e, encodingNames[:], "encoding") }

// UnmarshalText reads the name.
func (e *Encoding) UnmarshalText(text []byte) error { return readName(e, text, ParseEncoding) }

// MarshalText writes the name.
func (t Tie) MarshalText() ([]byte, error) { return textOf(t, tieNames[:], "tie rule") }

// UnmarshalText reads the name.
func (t *Tie) UnmarshalText(text []byte) error { return readName(t, text, ParseTie) }

// MarshalText writes the name.
func (o Order) MarshalText() ([]byte, error) { return textOf(o, orderNames[:], "order of summation") }

// UnmarshalText reads the name.
func (o *Order) UnmarshalText(text []byte) error { return readName(o, text, ParseOrder) }

// MarshalText writes the name.
func (w Widen) MarshalText() ([]byte, error) { return textOf(w, widenNames[:], "widening") }

// UnmarshalText reads the name.
func (w *Widen) UnmarshalText(text []byte) error { return readName(w, text, ParseWiden) }

func parseStatus(name string) (Status, error) {
	return parseName[Status](name, statusNames[:], "status")
}

// MarshalText writes the name.
func (s Status) MarshalText() ([]byte, error) { return textOf(s, statusNames[:], "status") }

// UnmarshalText reads the name.
func (s *Status) UnmarshalText(text []byte) error { return readName(s, text, parseStatus) }

func textOf[E interface {
	~uint8
	String() string
}](e E, names []string, what string) ([]byte, error) {
	if err := known(e, names, what); err != nil {
		return nil, err
	}
	return []byte(e.String()), nil
}

func readName[E any](to *E, text []byte, parse func(string) (E, error)) error {
	e, err := parse(string(text))
	if err == nil {
		*to = e
	}
	return err
}
