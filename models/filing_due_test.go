package models_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
)

func TestTheDataThatAReturnLacks(t *testing.T) {
	t.Parallel()
	f := models.DueFiling{Filing: models.Filing{Status: models.FilingUnfiled}, Registered: true, Fields: []byte(`{"county":"Duval","n":1}`)}
	require.Empty(t, f.Lacks([]string{"county"}))
	require.Equal(t, []string{models.LacksField}, f.Lacks([]string{"county", "n"}), "a number is no text")
	f.Registered, f.Fields, f.Unresolved.Transactions = false, nil, 1
	require.Equal(t, []string{models.LacksNumber, models.LacksField, models.LacksTransactions}, f.Lacks([]string{"county"}))
	f.Status = models.FilingFiled
	require.Empty(t, f.Lacks([]string{"county"}), "nothing is to be done")
}
