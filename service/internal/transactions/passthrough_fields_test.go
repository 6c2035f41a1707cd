package transactions

import (
	"reflect"
	"testing"

	"github.com/oapi-codegen/nullable"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

// A passthrough text that a client may submit and change is stored and returned. An update without it keeps it, and an
// update with it changes it. A field that one of these steps forgets fails here, in whichever file the step is.
func TestTextsOfATransactionAreStoredShownAndChanged(t *testing.T) {
	t.Parallel()
	decided := map[string]string{ // texts that are no passthrough fields
		"CustomerID": "answers show the customer that was found or created",
		"FilingID":   "processing sets it",
	}
	defaults := map[string]string{"Currency": "USD", "Source": "OTHER"}
	checked := 0
	updates := reflect.TypeFor[contract.TransactionUpdate]()
	for i := range updates.NumField() {
		name := updates.Field(i).Name
		if updates.Field(i).Type != reflect.TypeFor[nullable.Nullable[string]]() || decided[name] != "" {
			continue
		}
		checked++
		request := contract.TransactionCreate{Type: contract.TransactionTypeSALE}
		reflect.ValueOf(&request).Elem().FieldByName(name).SetString("first")
		m := draftMaker{body: &request, now: testNow, d: &models.TransactionDraft{}}
		m.header()
		m.sent()
		stored := &m.d.Transaction
		answer := Answer(stored)
		require.Equal(t, "first", reflect.ValueOf(answer).FieldByName(name).String(), "%s of the answer", name)

		for sent, want := range map[string]string{"nothing": "first", "null": defaults[name], "another": "second"} {
			update := contract.TransactionUpdate{}
			field := reflect.ValueOf(&update).Elem().FieldByName(name)
			switch sent {
			case "null":
				field.Set(reflect.ValueOf(nullable.NewNullNullable[string]()))
			case "another":
				field.Set(reflect.ValueOf(nullable.NewNullableWithValue("second")))
			}
			next, _, _ := merged(stored, stored, &update)
			require.Equal(t, want, reflect.ValueOf(*next).FieldByName(name).String(), "%s after an update with %s", name, sent)
		}
	}
	require.Greater(t, checked, 10)
}
