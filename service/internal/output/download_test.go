package output

import (
	"bufio"
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/call"
)

// nowhere is a stream that nobody reads.
type nowhere struct{ contract.Stream }

func (nowhere) Begin(contract.Content) {}

func (nowhere) Write(p []byte) (int, error) { return len(p), nil }

// A file under way ends when its key is revoked, its person removed or its grant ended.
func TestAFileEndsWithTheRightOfItsCaller(t *testing.T) {
	t.Parallel()
	o := NewOutputs(StreamTimes{Heartbeat: time.Millisecond})
	asked := 0
	ctx := call.With(t.Context(), &call.Call{StillAdmitted: func(context.Context, models.Scope) bool {
		asked++
		return asked < 3
	}})
	err := o.Download(ctx, nowhere{}, contract.Content{}, func(ctx context.Context, _ *bufio.Writer) error {
		<-ctx.Done()
		return ctx.Err()
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, 3, asked)
}
