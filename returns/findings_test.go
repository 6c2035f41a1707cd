package returns

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// The lines of an amendment are a difference, which people add to those of its return: it may be below zero.
func TestADifferenceMayBeBelowZero(t *testing.T) {
	t.Parallel()
	in := inTexas(t, "STATE Texas 0.0625 OWN /PHYSICAL -100.00 -100.00 -6.25 -6.25")
	_, w := made(t, in)
	require.Len(t, codesOf(w.Findings, "NEGATIVE_NOT_ALLOWED"), 2)
	in.Filing.FilingCategory = models.FilingAmendment
	_, w = made(t, in)
	require.Empty(t, codesOf(w.Findings, "NEGATIVE_NOT_ALLOWED"))
	require.Len(t, codesOf(w.Findings, "AMENDMENT_DIFFERENCE"), 1)
}

// The general worksheet of an amendment of the one-stop shop is typed in nowhere.
func TestAnAmendmentOfTheShopIsNotTypedIn(t *testing.T) {
	t.Parallel()
	in := generally(t)
	require.NotContains(t, codesOfAll(t, in), "AMENDMENT_CORRECTS")
	in.Filing.CountryCode, in.Filing.StateCode = models.EuropeanUnion, models.EuropeanUnion
	in.Filing.FilingCategory = models.FilingAmendment
	require.Contains(t, codesOfAll(t, in), "AMENDMENT_CORRECTS")
}

func codesOfAll(t *testing.T, in Input) []string {
	t.Helper()
	_, w := made(t, in)
	return w.codes()
}

// An entry is sent to another line only where the form takes entries at all: the one-stop shop takes none.
func TestWhereAnEntryWithoutALineGoes(t *testing.T) {
	t.Parallel()
	said := func(w Worksheet) string {
		for _, f := range w.Findings {
			if f.Code == "ENTRY_WITHOUT_LINE" {
				return f.Message
			}
		}
		return ""
	}
	in := inTexas(t, austinAndDallas...)
	in.Entries = []models.FilingEntry{entry(t, models.EntryInputTax, "5.00", "0.00")}
	_, w := made(t, in)
	require.Contains(t, said(w), "name one in the entry")
	shop := inShop(t, "DE", inAustriaAndGreece...)
	shop.Entries = in.Entries
	w, err := ShopWorksheet(shop)
	require.NoError(t, err)
	require.Contains(t, said(w), "delete the entry")
}

// Credit that the corrections leave is in the total as those corrections. Only other credit is lacking there.
func TestCreditOfCorrectionsIsInTheTotalOfTheShop(t *testing.T) {
	t.Parallel()
	in := inShop(t, "BE", inAustriaAndGreece...)
	in.CorrectionCredit = total(t, "18.00")
	for credit, other := range map[string]string{"0.00": "", "18.00": "", "10.00": "", "20.50": "2.50"} {
		in.Filing.AmountCreditApplied = total(t, credit)
		w, err := ShopWorksheet(in)
		require.NoError(t, err)
		found := ""
		for _, f := range w.Findings {
			if f.Code == "ENTRY_MISSING" {
				found = f.Amount.String()
			}
		}
		require.Equal(t, other, found, credit)
	}
}
