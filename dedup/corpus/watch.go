package corpus

import "fmt"

// Watch returns what says whether a file, or any file of a folder, is another one than now, or has
// been written to: an error then.
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
