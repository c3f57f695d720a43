//go:build !linux || !amd64

package steps

func begin() {}
func end()   {}

func count([]string, []string) (map[string]int, error) { return nil, ErrUnsupported }
