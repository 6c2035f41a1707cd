package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestTheDataThatAReturnLacks(t *testing.T) {
	t.Parallel()
	f := models.DueFiling{Filing: models.Filing{Status: models.FilingUnfiled}, Registered: true}
	f.Fields = []byte(`{"county":"Duval","stagger":2,"n":true}`)
	require.Empty(t, f.Lacks([]string{"county", "stagger"}), "a number says as much as a text")
	require.Equal(t, []string{models.LacksField}, f.Lacks([]string{"county", "n"}), "a truth value is no text")
	f.Registered, f.Fields, f.Unresolved.Transactions = false, nil, 1
	require.Equal(t, []string{models.LacksNumber, models.LacksField, models.LacksTransactions}, f.Lacks([]string{"county"}))
	f.Status = models.FilingFiled
	require.Empty(t, f.Lacks([]string{"county"}), "nothing is to be done")
}
