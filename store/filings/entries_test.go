package filings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/rules"
	"levy/store/storetest"
	"levy/tax/money"
)

// entry is an entry of the filing.
func (o ofTwo) entry(kind models.FilingEntryKind, amount, taxable string) models.FilingEntry {
	o.t.Helper()
	e := models.FilingEntry{OrganizationID: o.Scope.OrganizationID, FilingID: o.filing.ID, Kind: kind, Note: "A notice",
		ID: models.NewID(models.PrefixFilingEntry), CreatedBy: "Ada", CreatedAt: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	var err error
	e.Amount, err = money.ParseTotal(amount)
	require.NoError(o.t, err)
	e.Taxable, err = money.ParseTotal(taxable)
	require.NoError(o.t, err)
	return e
}

func (o ofTwo) add(by models.Actor, e models.FilingEntry) error {
	return o.change(by, "", func(f *models.Filing) { require.NoError(o.t, f.AddEntry(e)) })
}

func (o ofTwo) entries() []models.FilingEntry {
	o.t.Helper()
	entries, err := o.Store.Filings.FilingEntries(o.t.Context(), o.Scope, o.filing.ID)
	require.NoError(o.t, err)
	for i := range entries {
		entries[i].CreatedAt = entries[i].CreatedAt.UTC()
	}
	return entries
}

// An entry is stored with its effect, its line of the history and that of the audit trail. So is its end.
func TestEntriesAreStoredWithTheirEffect(t *testing.T) {
	t.Parallel()
	o := setupOfTwo(t)
	bought, interest := o.entry(models.EntryPurchase, "6.25", "100.00"), o.entry(models.EntryInterest, "2.00", "0.00")
	bought.JurisdictionID, bought.JurisdictionType, bought.JurisdictionName, bought.Line = "US-NY", "STATE", "New York", "D"
	require.NoError(t, o.add(ada, bought))
	require.NoError(t, o.add(ada, interest))
	require.Equal(t, []models.FilingEntry{bought, interest}, o.entries())
	facts, err := o.Store.Filings.ReturnFacts(t.Context(), o.Scope, o.filing.ID)
	require.NoError(t, err)
	require.Len(t, facts.Filing.Entries, 2, "its document sees them")
	stored, err := o.Store.Filings.Filing(t.Context(), o.Scope, o.filing.ID)
	require.NoError(t, err)
	require.Equal(t, "6.25 2.00", stored.AmountAdjusted.String()+" "+stored.AmountPenalties.String())
	remove := func(id string) error {
		return o.change(bob, "", func(f *models.Filing) { require.NoError(t, f.DeleteEntry(id)) })
	}
	require.NoError(t, remove(bought.ID))
	require.Equal(t, []models.FilingEntry{interest}, o.entries())
	stored, err = o.Store.Filings.Filing(t.Context(), o.Scope, o.filing.ID)
	require.NoError(t, err)
	require.Equal(t, "0.00 2.00", stored.AmountAdjusted.String()+" "+stored.AmountPenalties.String())

	history, err := o.Store.Filings.FilingHistory(t.Context(), o.Scope, o.filing.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	var said []string
	for _, e := range history.Items {
		said = append(said, string(e.Action)+" "+e.Actor.Name+" "+e.Reason)
	}
	require.Equal(t, []string{"ENTRY_ADDED Ada PURCHASE 6.25: A notice", "ENTRY_ADDED Ada INTEREST 2.00: A notice",
		"ENTRY_DELETED Bob PURCHASE 6.25: A notice"}, said[len(said)-3:])
	var actions []string
	require.NoError(t, storetest.SQL(t, o.URL).QueryRow(t.Context(), `SELECT array_agg(action ORDER BY id) FROM audit
		WHERE entity_id = $1 AND action LIKE '%entry'`, o.filing.ID).Scan(&actions))
	require.Equal(t, []string{"add_entry", "add_entry", "delete_entry"}, actions)
}

// An entry is work on the return, also if it changes no amount: its author does not decide about it.
func TestAnEntryIsWorkOnAReturn(t *testing.T) {
	t.Parallel()
	o := setupOfTwo(t)
	require.NoError(t, o.add(ada, o.entry(models.EntryPurchase, "0.00", "100.00")))
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "who added an entry")
	require.NoError(t, o.change(bob, models.FilingFiling, nil))
}

// The claim freezes the entries. A release makes them changeable again, and keeps them.
func TestTheClaimFreezesEntries(t *testing.T) {
	t.Parallel()
	o := setupOfTwo(t)
	e := o.entry(models.EntryPurchase, "6.25", "100.00")
	require.NoError(t, o.add(ada, e))
	require.NoError(t, o.change(bob, models.FilingFiling, nil))
	_, err := o.Store.Filings.UpdateFiling(t.Context(), o.Scope, bob, o.filing.ID, func(f *models.Filing) error {
		return f.DeleteEntry(e.ID)
	})
	var immutable *models.FilingImmutableError
	require.ErrorAs(t, err, &immutable)
	require.Equal(t, []models.FilingEntry{e}, o.entries())
	require.NoError(t, o.change(models.Actor{}, models.FilingIssue, func(f *models.Filing) { f.IssueReason = new("closed") }))
	require.NoError(t, o.change(bob, models.FilingUnfiled, nil))
	require.NoError(t, o.change(bob, "", func(f *models.Filing) { require.NoError(t, f.DeleteEntry(e.ID)) }))
	require.Empty(t, o.entries())
}

// An amendment for which nothing is left stays if people have added entries, also if these change no amount.
func TestAnAmendmentWithEntriesIsNotEmpty(t *testing.T) {
	t.Parallel()
	f := models.Filing{Status: models.FilingUnfiled, Entries: []models.FilingEntry{{Kind: models.EntryPurchase}}}
	require.ErrorIs(t, rules.CancelEmptyAmendment(&f), models.ErrChangedMeanwhile)
	f.Entries = nil
	require.NoError(t, rules.CancelEmptyAmendment(&f))
}
