package web

import (
	"errors"
	"net/http"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// Each part ends only when the other one has begun, so they do not end if they are called in turn.
func TestPartsOfAPageAreReadAtOnce(t *testing.T) {
	t.Parallel()
	meet := make(chan struct{})
	var ended atomic.Int32
	atOnce(
		func() { meet <- struct{}{}; ended.Add(1) },
		func() { <-meet; ended.Add(1) })
	require.EqualValues(t, 2, ended.Load())
}

// A panic of a part is one of the page, whose handlers recover it, and does not end the process.
func TestAPanicOfAPartIsThatOfThePage(t *testing.T) {
	t.Parallel()
	ended := false
	require.PanicsWithValue(t, "broken", func() {
		atOnce(func() { panic("broken") }, func() { ended = true })
	})
	require.True(t, ended)
}

// A part that times out is left out, and another error of a part is that of the page, whichever part fails first.
func TestAPartThatTimesOutIsLeftOut(t *testing.T) {
	t.Parallel()
	v, broken := &pageRequest{}, errors.New("broken")
	late := part{"the figures", func() error { return &problem{Status: http.StatusServiceUnavailable} }}
	require.NoError(t, v.readAtOnce(late, part{"the queue", func() error { return nil }}))
	require.Equal(t, []string{"the figures"}, v.omitted)
	require.ErrorIs(t, v.readAtOnce(late, part{"the queue", func() error { return broken }}), broken)
}
