package models_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestTheStatusOfAConnection(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 7, 10, 12, 0, 0, 0, time.UTC)
	require.Equal(t, models.ConnectionNone, models.AuthorityConnection{}.Status(now))
	for days, want := range map[int]models.ConnectionStatus{
		31: models.ConnectionActive, 30: models.ConnectionEnding, 1: models.ConnectionEnding, 0: models.ConnectionEnded,
		-1: models.ConnectionEnded,
	} {
		c := models.AuthorityConnection{GrantedAt: now.AddDate(-1, 0, 0), EndsAt: now.AddDate(0, 0, days)}
		require.Equal(t, want, c.Status(now), days)
	}
}
