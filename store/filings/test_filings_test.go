package filings_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/pg"
	"levy/store/storetest"
)

func TestTheSandboxKeepsTheFirstReceipt(t *testing.T) {
	t.Parallel()
	url := storetest.URL(t)
	s := storetest.Open(t, pg.Options{URL: url})
	scope := storetest.Organization(t, url)
	key := models.AuthorityKey{
		OrganizationID: scope.OrganizationID, Kind: models.AuthorityReturn,
		RecordID: models.NewID(models.PrefixFiling), Attempt: 1,
	}
	accepted := models.SandboxReceipt{Key: key, Digest: "a", Decides: time.Hour,
		Answer: models.AuthorityAnswer{
			Outcome: models.AuthorityAccepted, Confirmation: "SIM-1", PaymentConfirmation: "SIM-2",
		}}

	_, err := s.Filings.Receipt(t.Context(), key)
	require.ErrorIs(t, err, models.ErrNotFound)

	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			kept, err := s.Filings.Receive(t.Context(), accepted)
			require.NoError(t, err)
			require.Equal(t, accepted.Answer, kept.Answer)
		})
	}
	group.Wait()
	rejected := accepted
	rejected.Answer, rejected.Digest = models.AuthorityAnswer{Outcome: models.AuthorityRejected, Reason: "NO"}, "b"
	kept, err := s.Filings.Receive(t.Context(), rejected)
	require.NoError(t, err)
	require.Equal(t, 9, kept.Contacts)
	require.Less(t, kept.Age, time.Hour)
	kept.Age, kept.Contacts = 0, 0
	require.Equal(t, accepted, kept, "the first receipt stands")

	later := key
	later.Attempt = 2
	before, err := s.Filings.AcceptedBefore(t.Context(), later)
	require.NoError(t, err)
	require.Equal(t, key, before.Key)
	_, err = s.Filings.AcceptedBefore(t.Context(), key)
	require.ErrorIs(t, err, models.ErrNotFound, "an attempt is not before itself")

	t.Run("an outage counts contacts and leaves the answer open", func(t *testing.T) {
		open := key
		open.Attempt = 3
		knocked, err := s.Filings.Receive(t.Context(), models.SandboxReceipt{Key: open})
		require.NoError(t, err)
		require.Equal(t, 1, knocked.Contacts)
		rejected.Key = open
		kept, err := s.Filings.Receive(t.Context(), rejected)
		require.NoError(t, err)
		require.Equal(t, 2, kept.Contacts)
		require.Equal(t, rejected.Answer, kept.Answer)
		require.Equal(t, "b", kept.Digest)
		require.Equal(t, time.Hour, kept.Decides)
	})
	t.Run("an organization sees its own only", func(t *testing.T) {
		other := key
		other.OrganizationID = storetest.Organization(t, url).OrganizationID
		_, err := s.Filings.Receipt(t.Context(), other)
		require.ErrorIs(t, err, models.ErrNotFound)
	})
}
