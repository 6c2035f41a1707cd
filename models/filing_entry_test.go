package models_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax/money"
)

func total(t *testing.T, text string) money.Total {
	t.Helper()
	amount, err := money.ParseTotal(text)
	require.NoError(t, err)
	return amount
}

func entryOf(t *testing.T, id string, kind models.FilingEntryKind, amount, taxable string) models.FilingEntry {
	t.Helper()
	return models.FilingEntry{ID: id, Kind: kind, Amount: total(t, amount), Taxable: total(t, taxable)}
}

// Purchases raise the amount to be paid, payments made elsewhere lower it, and interest is a penalty. Deleting them leaves
// the amounts that a person had entered.
func TestEntriesMoveTheAmountsOfTheirFiling(t *testing.T) {
	t.Parallel()
	f := models.Filing{Status: models.FilingUnfiled, AmountAdjusted: total(t, "-1.00"), AmountFees: total(t, "5.00")}
	for _, add := range []struct {
		entry               models.FilingEntry
		adjusted, penalties string
	}{
		{entryOf(t, "1", models.EntryPurchase, "8.25", "100.00"), "7.25", "0.00"},
		{entryOf(t, "2", models.EntryPriorPayment, "30.00", "0.00"), "-22.75", "0.00"},
		{entryOf(t, "3", models.EntryInterest, "2.00", "0.00"), "-22.75", "2.00"},
		{entryOf(t, "4", models.EntryPenalty, "10.00", "0.00"), "-22.75", "12.00"},
		{entryOf(t, "5", models.EntryInputTax, "1.00", "0.00"), "-23.75", "12.00"},
	} {
		before := f
		require.NoError(t, f.AddEntry(add.entry))
		require.Equal(t, add.adjusted+" "+add.penalties, f.AmountAdjusted.String()+" "+f.AmountPenalties.String(), add.entry.ID)
		require.Equal(t, add.entry, *f.EntryChange.Added)
		require.Len(t, before.Entries, len(f.Entries)-1, "the stored filing keeps its list")
	}
	require.True(t, f.PenaltiesAreEntries())
	for _, id := range []string{"3", "1", "5", "2", "4"} {
		require.NoError(t, f.DeleteEntry(id))
		require.Equal(t, id, f.EntryChange.Deleted.ID)
	}
	require.Equal(t, "-1.00 0.00 5.00", f.AmountAdjusted.String()+" "+f.AmountPenalties.String()+" "+f.AmountFees.String())
	require.False(t, f.PenaltiesAreEntries())
	require.ErrorIs(t, f.DeleteEntry("3"), models.ErrNotFound)
}

// An amount of penalties that was entered beside the entries becomes their sum with the next deletion.
func TestADeletedEntryLeavesNoPenaltyBelowZero(t *testing.T) {
	t.Parallel()
	f := models.Filing{Status: models.FilingUnfiled}
	require.NoError(t, f.AddEntry(entryOf(t, "1", models.EntryInterest, "2.00", "0.00")))
	require.NoError(t, f.AddEntry(entryOf(t, "2", models.EntryPenalty, "10.00", "0.00")))
	f.AmountPenalties = total(t, "5.00")
	require.NoError(t, f.DeleteEntry("2"))
	require.Equal(t, "2.00", f.AmountPenalties.String())
}

// From the claim on a return keeps its entries.
func TestEntriesChangeOnlyBeforeTheClaim(t *testing.T) {
	t.Parallel()
	for status, allowed := range map[models.FilingStatus]bool{
		models.FilingUnfiled: true, models.FilingPaused: true, models.FilingFiling: false, models.FilingFiled: false,
		models.FilingIssue: false, models.FilingSkipped: false, models.FilingCancelled: false,
	} {
		stored := entryOf(t, "1", models.EntryPurchase, "8.25", "100.00")
		f := models.Filing{Status: status, Entries: []models.FilingEntry{stored}, AmountAdjusted: total(t, "8.25")}
		added, deleted := f, f
		for _, err := range []error{added.AddEntry(stored), deleted.DeleteEntry("1")} {
			if allowed {
				require.NoError(t, err, status)
				continue
			}
			var immutable *models.FilingImmutableError
			require.ErrorAs(t, err, &immutable, status)
			require.Nil(t, added.EntryChange)
		}
	}
}

func TestAPenaltyIsNotCountedTwice(t *testing.T) {
	t.Parallel()
	f := models.Filing{Status: models.FilingUnfiled, AmountPenalties: total(t, "4.00")}
	var invalid *models.InvalidError
	require.ErrorAs(t, f.AddEntry(entryOf(t, "1", models.EntryInterest, "2.00", "0.00")), &invalid)
	require.Equal(t, "kind", invalid.Faults[0].Path)
	require.NoError(t, f.AddEntry(entryOf(t, "1", models.EntryPurchase, "2.00", "20.00")), "other kinds are no penalties")
	require.Equal(t, "4.00", f.AmountPenalties.String())
}

// Faults that the amounts of the filing show are told with the faults of the entry.
func TestFaultsOfAnEntryAreToldWithThoseOfItsFiling(t *testing.T) {
	t.Parallel()
	unknown, interest := models.Fault{Path: "jurisdiction_id"}, entryOf(t, "1", models.EntryInterest, "2.00", "0.00")
	for status, paths := range map[models.FilingStatus]string{
		models.FilingUnfiled: "jurisdiction_id kind", models.FilingFiled: "jurisdiction_id", // its amounts cannot be corrected
	} {
		f := models.Filing{Status: status, AmountPenalties: total(t, "4.00")}
		var invalid *models.InvalidError
		require.ErrorAs(t, f.AddEntry(interest, unknown), &invalid)
		told := []string{}
		for _, fault := range invalid.Faults {
			told = append(told, fault.Path)
		}
		require.Equal(t, paths, strings.Join(told, " "))
		require.Nil(t, f.EntryChange)
	}
}

func TestAFilingHasSoManyEntries(t *testing.T) {
	t.Parallel()
	f := models.Filing{Status: models.FilingUnfiled, Entries: make([]models.FilingEntry, models.MostFilingEntries)}
	var limit *models.LimitError
	require.ErrorAs(t, f.AddEntry(entryOf(t, "1", models.EntryPurchase, "8.25", "100.00")), &limit)
	f.Entries = f.Entries[1:]
	require.NoError(t, f.AddEntry(entryOf(t, "1", models.EntryPurchase, "8.25", "100.00")))
}

func TestFaultsOfEntries(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		kind            models.FilingEntryKind
		amount, taxable string
		paths           string
	}{
		{models.EntryPurchase, "8.25", "100.00", ""}, {models.EntryPurchase, "0.00", "100.00", ""},
		{models.EntryPurchase, "8.25", "0.00", "taxable"}, {models.EntryWithdrawal, "-8.25", "-100.00", ""},
		{models.EntryPriorPayment, "0.00", "0.00", "amount"}, {models.EntryBadDebt, "8.25", "0.00", ""},
		{models.EntryPenalty, "-1.00", "5.00", "taxable amount"}, {models.EntryInterest, "0.00", "0.00", "amount"},
	} {
		e := entryOf(t, "1", c.kind, c.amount, c.taxable)
		var paths []string
		for _, fault := range e.Faults() {
			paths = append(paths, fault.Path)
		}
		require.Equal(t, c.paths, strings.Join(paths, " "), "%s %s %s", c.kind, c.amount, c.taxable)
	}
}
