package filetree

import (
	"archive/tar"
	"io"
	"path"
	"strings"
)

// Tar reads the regular files of a tar archive, in its order.
type Tar struct {
	watched *endWatcher
	archive *tar.Reader
}

// NewTar returns a reader of an archive that is not packed, or not any more.
func NewTar(r io.Reader) *Tar {
	watched := &endWatcher{r: r}
	return &Tar{watched, tar.NewReader(watched)}
}

// Next goes to the next regular file and returns its path, named alike however the archive was
// made. Links, devices and the like are passed over. The end of a whole archive is io.EOF; one that
// was cut is io.ErrUnexpectedEOF, also where the cut is between two files.
func (t *Tar) Next() (string, error) {
	for {
		header, err := t.archive.Next()
		if err == io.EOF {
			return "", t.end()
		}
		if err != nil {
			return "", err
		}
		if header.Typeflag == tar.TypeReg {
			return cleanName(header.Name), nil
		}
	}
}

// Read reads from the file that Next went to.
func (t *Tar) Read(p []byte) (int, error) { return t.archive.Read(p) }

// end makes sure that the archive was whole: archive/tar takes a cut between two entries for the
// end, and a checksum of the packed stream is checked only at its very end.
func (t *Tar) end() error {
	if t.watched.ended {
		return io.ErrUnexpectedEOF
	}
	if _, err := io.Copy(io.Discard, t.watched); err != nil {
		return err
	}
	return io.EOF
}

// cleanName takes "./" and leading slashes off.
func cleanName(name string) string {
	return strings.TrimPrefix(path.Clean("/"+name), "/")
}

// endWatcher notes that the reader came to its end.
type endWatcher struct {
	r     io.Reader
	ended bool
}

func (w *endWatcher) Read(p []byte) (int, error) {
	n, err := w.r.Read(p)
	if n == 0 && err == io.EOF {
		w.ended = true
	}
	return n, err
}
