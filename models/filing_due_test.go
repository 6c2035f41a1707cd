package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// Each kind of missing data is named once, and nothing of a return that is over.
func TestTheDataThatAReturnLacks(t *testing.T) {
	t.Parallel()
	f := models.DueFiling{Filing: models.Filing{Status: models.FilingUnfiled}}
	require.Empty(t, f.Lacks())
	f.Lacking = []string{models.WantedBank, models.WantedContact, "certificate_county", models.WantedEIN, models.WantedNumber}
	require.Equal(t, []string{models.LacksBank, models.LacksTaxpayer, models.LacksField, models.LacksNumber}, f.Lacks())
	f.Lacking, f.Unresolved.Transactions = nil, 1
	require.Equal(t, []string{models.LacksTransactions}, f.Lacks())
	f.Status = models.FilingFiled
	require.Empty(t, f.Lacks(), "nothing is to be done")
}
