//go:build chaos

package failpoint

import (
	"context"
	"errors"
	"fmt"
	"os"
	"sync"
	"syscall"
	"time"
)

// Errors that Hit returns.
var (
	errInjected = errors.New("failpoint")
	errTimeout  = fmt.Errorf("failpoint: %w", context.DeadlineExceeded)
)

var active = sync.OnceValue(func() *points {
	p, err := parse(os.Getenv("LEVY_FAILPOINTS"))
	if err != nil {
		panic(fmt.Sprintf("LEVY_FAILPOINTS: %v", err)) // a test that tests nothing must not pass
	}
	return p
})

// Hit does what LEVY_FAILPOINTS says about the point.
func Hit(point string) error {
	a := active().next(point)
	if a.kind != skip {
		fmt.Fprintf(os.Stderr, "failpoint %s: %s\n", point, a.kind)
	}
	switch a.kind {
	case skip:
	case kill:
		_ = syscall.Kill(os.Getpid(), syscall.SIGKILL)
		select {} // until the signal arrives
	case fail:
		return errInjected
	case timeout:
		return errTimeout
	case sleep:
		<-time.After(a.pause)
	}
	return nil
}
