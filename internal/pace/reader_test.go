package pace

import (
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// line is a connection whose client sends a piece at a time, by a clock that only it moves.
type line struct {
	now         time.Time
	read, write time.Time // deadlines
	left        int       // bytes that it still sends
	piece       int
	takes       time.Duration // for a piece
}

func (l *line) SetReadDeadline(t time.Time) error  { l.read = t; return nil }
func (l *line) SetWriteDeadline(t time.Time) error { l.write = t; return nil }

func (l *line) Read(into []byte) (int, error) {
	if l.left == 0 {
		return 0, io.EOF
	}
	if arrives := l.now.Add(l.takes); arrives.After(l.read) {
		l.now = l.read
		return 0, os.ErrDeadlineExceeded
	}
	l.now = l.now.Add(l.takes)
	n := min(l.left, l.piece, len(into))
	l.left -= n
	return n, nil
}

// A body goes through as slowly as 20 kB a second, however large it is. One that arrives more slowly ends, whatever it
// sent before.
func TestABodyArrivesAtTheLeastRate(t *testing.T) {
	t.Parallel()
	const window = 15 * time.Second
	for name, test := range map[string]struct {
		size, piece int
		takes       time.Duration
		after       time.Duration // when it ends; 0 for one that goes through
	}{
		"a line of 20 kB a second": {10 << 20, 2000, 100 * time.Millisecond, 0},
		"a line in bursts":         {10 << 20, 32 << 10, 1600 * time.Millisecond, 0},
		"a byte a second":          {10 << 20, 1, time.Second, window},
		"a line of 10 kB a second": {10 << 20, 1000, 100 * time.Millisecond, window},
		"a client that is away":    {10 << 20, 1, time.Hour, window},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			began := time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)
			l := &line{now: began, left: test.size, piece: test.piece, takes: test.takes}
			// io.Discard would read less at a time than a burst has.
			n, err := io.Copy(struct{ io.Writer }{io.Discard}, NewReader(l, l, window, time.Second,
				func() time.Time { return l.now }))
			if test.after == 0 {
				require.NoError(t, err)
				require.EqualValues(t, test.size, n)
				require.True(t, l.read.IsZero(), "net/http goes on reading")
				return
			}
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			require.Equal(t, test.after, l.now.Sub(began))
			require.Equal(t, l.read.Add(time.Second), l.write, "there is time for the answer")
		})
	}
}

// Bytes that a client sent quickly buy no time for those that it sends slowly.
func TestFastBytesBuyNoTime(t *testing.T) {
	t.Parallel()
	const window = 15 * time.Second
	p := New(window)
	p.Moved(1<<30, time.Second)
	p.Moved(1, window-time.Second)
	require.Equal(t, time.Second, p.Left())
	p.Moved(1, time.Second)
	require.Zero(t, p.Left())
}
