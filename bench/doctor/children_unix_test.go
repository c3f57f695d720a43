//go:build unix

package doctor

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"testing"
	"time"
)

// A command that is ended takes with it what it has started; one that ends and leaves something
// behind is an error, and that is ended, too. A child holds a connection, which breaks when it is
// gone.
func TestChildrenEnd(t *testing.T) {
	cause := errors.New("interrupted")
	for _, tc := range []struct{ role, want string }{{"orphan", "interrupted"}, {"leave", "left processes behind"}} {
		t.Run(tc.role, func(t *testing.T) {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Skip("no local network here")
			}
			defer listener.Close()
			held := make(chan net.Conn, 1)
			ctx, cancel := context.WithCancelCause(context.Background())
			defer cancel(nil)
			go func() {
				connection, err := listener.Accept()
				if err != nil {
					return
				}
				if _, err := connection.Read(make([]byte, 1)); err == nil {
					held <- connection
				}
				if tc.role == "orphan" { // the child is there
					cancel(cause)
				}
			}()
			c := acting(t, fmt.Sprintf("%s:%d", tc.role, listener.Addr().(*net.TCPAddr).Port))
			if _, err := c.Ask(ctx, make([]uint64, 5)); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Fatalf("error %v, want %q", err, tc.want)
			}
			var connection net.Conn
			select {
			case connection = <-held:
			case <-time.After(patience):
				t.Fatal("the child never had a connection")
			}
			defer connection.Close()
			if err := connection.SetReadDeadline(time.Now().Add(patience)); err != nil {
				t.Fatal(err)
			}
			var late net.Error
			if _, err := connection.Read(make([]byte, 1)); err == nil {
				t.Error("the child goes on")
			} else if errors.As(err, &late) && late.Timeout() {
				t.Error("the child lives on")
			}
		})
	}
}
