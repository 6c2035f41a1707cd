package returns

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
)

// Returns want the number everywhere, the county of the certificate in Florida, and a person in the file of Washington.
// Payments by credit want the names and numbers of the bank file.
func TestWhatReturnsWant(t *testing.T) {
	t.Parallel()
	content, err := tax.LoadContent()
	require.NoError(t, err)
	wants := Wants(content)
	of := func(country, state, method, kind string) (data []string) {
		for _, w := range wants {
			if (w.Country == "" || w.Country == country) && (w.State == "" || w.State == state) &&
				(w.PaymentMethod == "" || w.PaymentMethod == method) && (w.Kind == "" || w.Kind == kind) && w.Last == 0 {
				data = append(data, w.Data)
			}
		}
		slices.Sort(data)
		return slices.Compact(data)
	}
	number := models.WantedNumber
	require.Equal(t, []string{tax.FieldAnnualEnd, number, tax.FieldStagger}, of("GB", "GB", "", models.ImportRegular))
	require.Equal(t, []string{number}, of("US", "TX", "PORTAL", models.ImportRegular))
	require.Equal(t, []string{tax.FieldCounty, number}, of("US", "FL", "", models.ImportRegular))
	require.Equal(t, []string{models.WantedContact, number}, of("US", "WA", "", models.ImportRegular))
	require.Equal(t, []string{models.WantedEIN, number, models.WantedShared}, of("US", "MI", "", models.ImportSST))
	require.Equal(t, []string{models.WantedBank, number}, of("US", "TX", tax.PayByDebit, models.ImportRegular))
	credit := []string{models.WantedBank, models.WantedEIN, number, tax.PaymentMethod, tax.PaymentTaxpayer, tax.PaymentTaxType,
		tax.PaymentAmountType, tax.PaymentReceiver, tax.PaymentRouting, tax.PaymentAccount}
	require.ElementsMatch(t, credit, of("US", "TX", tax.PayByCredit, models.ImportRegular))
	require.Equal(t, []string{number}, of("CA", "ON", tax.PayByCredit, models.ImportRegular))
}
