package corpus

import "fmt"

// Watch returns a function that returns an error if a file, or a file of a folder, has changed or
// been replaced since.
func Watch(path string) (unchanged func() error, err error) {
	before, err := stateOf(path)
	if err != nil {
		return nil, err
	}
	return func() error {
		now, err := stateOf(path)
		if err == nil && !now.same(before) {
			err = fmt.Errorf("%s: it has changed since it was read first: run again", path)
		}
		return err
	}, nil
}
