package work_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/calendar"
)

// toClaim lists what is to be claimed, by object.
func toClaim(t *testing.T, b *storetest.FilingBundle) map[string]string {
	t.Helper()
	list, err := b.Store.Work.ListExceptions(t.Context(), models.Visibility{All: true},
		models.ExceptionFilter{Types: []string{models.ExceptionRefund}, OrganizationID: b.Scope.OrganizationID},
		models.Page{Limit: 10})
	require.NoError(t, err)
	found := map[string]string{}
	for _, e := range list.Items {
		require.NotNil(t, e.Amount, e.ObjectID)
		found[e.ObjectID] = e.Code + " " + *e.Amount + " " + *e.Currency + " " + calendar.OptionalDateOf(e.Due).String()
	}
	return found
}

func TestWhatAnAuthorityOwesBackIsNotForgotten(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	june := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-06-01", "2026-06-30"))
	july := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-07-01", "2026-07-31"))
	sale := b.Sale(t, "2026-06-10", "837.50")
	b.Process(t, sale, b.Sale(t, "2026-07-10", "-100.00"))
	file := func(id string) {
		_, err := b.Approve(id)
		require.NoError(t, err)
		_, err = b.Transition(id, models.FilingFiled)
		require.NoError(t, err)
	}
	file(june.ID)
	file(july.ID)
	require.Empty(t, toClaim(t, b), "the next return takes the credit off")

	last := calendar.MustDate("2026-07-31").Time()
	for _, status := range []string{"DEREGISTERING", "DEREGISTERED"} {
		_, err := b.SQL.Exec(t.Context(), `UPDATE registrations SET status = $3, deregistration_date = $2 WHERE id = $1`,
			b.Registration.ID, last, status)
		require.NoError(t, err)
	}
	note := b.CreditNote(t, sale, "2026-08-05", "-837.50")
	b.Process(t, note)
	require.Equal(t, map[string]string{
		july.ID: "REGISTRATION_ENDED 10.00 USD 2029-07-31", note.ID: "NO_RETURN 83.75 USD 2029-06-10",
	}, toClaim(t, b))

	done := func(id string) {
		_, err := b.Store.Work.NoteException(t.Context(), b.Scope, models.Actor{},
			models.ExceptionRef{Type: models.ExceptionRefund, ObjectID: id}, func(n *models.ExceptionNote) { n.Done = true })
		require.NoError(t, err)
	}
	done(july.ID)
	require.Equal(t, map[string]string{note.ID: "NO_RETURN 83.75 USD 2029-06-10"}, toClaim(t, b))
	require.Equal(t, 1000, b.Count(t, "SELECT (credit_claimed * 100)::bigint FROM filings WHERE id = $1", july.ID))
	done(note.ID)
	require.Empty(t, toClaim(t, b))
}

func TestARefundInAPeriodThatIsFiledIsNotToClaim(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	june := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-06-01", "2026-06-30"))
	july := b.Create(t, storetest.FilingOf(b.Registration, models.FilingUnfiled, "2026-07-01", "2026-07-31"))
	sale := b.Sale(t, "2026-06-10", "100.00")
	b.Process(t, sale)
	_, err := b.Approve(june.ID)
	require.NoError(t, err)
	_, err = b.Transition(june.ID, models.FilingFiled)
	require.NoError(t, err)
	note := b.CreditNote(t, sale, "2026-07-05", "-100.00")
	b.Process(t, note)
	require.Empty(t, toClaim(t, b))
	_, err = b.Transition(july.ID, models.FilingCancelled)
	require.NoError(t, err)
	require.Equal(t, map[string]string{note.ID: "NO_RETURN 10.00 USD 2029-06-10"}, toClaim(t, b))
}
