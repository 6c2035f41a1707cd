package progress

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Outside a terminal there is a line now and then, with rate and time left where the total is known.
func TestProgressOutsideATerminalIsAPlainLineNowAndThen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		unit  Unit
		total int64
		says  string
	}{
		"records":          {Items, 200_000, "Loading: 100000 of 200000 (50 %), 10000/s, 10s left\n"},
		"bytes":            {Bytes, 400_000, "Loading: 97 KiB of 390 KiB (25 %), 9 KiB/s, 30s left\n"},
		"an unknown total": {Bytes, 0, "Loading: 97 KiB, 9 KiB/s\n"},
	} {
		var out bytes.Buffer
		p := Begin(&out, "Loading", c.unit, c.total)
		now := p.began
		p.now = func() time.Time { return now }
		now = now.Add(LineEvery - 1)
		p.Add(50_000)
		require.Empty(t, out.String(), name)
		now = p.began.Add(10 * time.Second)
		p.Add(50_000)
		p.Add(0)
		p.End()
		require.Equal(t, c.says, out.String(), name)
	}
}
