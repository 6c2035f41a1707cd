package postgres

import (
	"bufio"
	"context"
	"io"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A program that is ended takes the processes along that it started, which would otherwise go on: pg_basebackup fetches
// the WAL in one.
func TestAnEndedProgramLeavesNoProcess(t *testing.T) {
	t.Parallel()
	tools := &Tools{dir: "/bin"}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	cmd, err := tools.Command(ctx, "sh", "-c", "sleep 1000 & echo $! >&3; wait")
	require.NoError(t, err)
	alive, held, err := os.Pipe()
	require.NoError(t, err)
	defer alive.Close()
	cmd.ExtraFiles = []*os.File{held} // both processes hold it until they end
	require.NoError(t, cmd.Start())
	require.NoError(t, held.Close())
	require.NoError(t, alive.SetReadDeadline(time.Now().Add(time.Minute)))
	lines := bufio.NewReader(alive)
	child, err := lines.ReadString('\n')
	require.NoError(t, err)
	cancel()
	require.Error(t, cmd.Wait())
	_, err = lines.ReadByte()
	require.ErrorIs(t, err, io.EOF, "the process goes on that it started: %s", child)
}
