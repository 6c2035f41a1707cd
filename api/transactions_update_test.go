package api

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract/problem"
	"levy/models"
	"levy/rules"
)

// stored adds the sale of a body to the records, as if stages had processed it.
func (b *transactionBundle) stored(body string) *models.Transaction {
	b.t.Helper()
	b.found = b.accept(body).Transaction
	b.accepted, b.offered = nil, nil
	return &b.found
}

// update puts a new version that must be accepted and returns it.
func (b *transactionBundle) update(change string) *models.TransactionDraft {
	b.t.Helper()
	answer := b.send(http.MethodPut, "/v1/transactions/"+b.found.ID, versionWith(change))
	require.Equal(b.t, http.StatusOK, answer.Code, answer.Body.String())
	requireContract(b.t, "Transaction", answer.Body.Bytes())
	return b.accepted[len(b.accepted)-1]
}

// versionWith returns the smallest new version with the members of change.
func versionWith(change string) string {
	return mergedJSON(`{"external_id":"ORDER-1","date":"2026-05-15T10:00:00Z","addresses":[],"customer":{},
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z"}]}`, change)
}

const everyField = `{"shop_date":"2026-05-14","shop_date_tz":"America/New_York","description":"d",
	"refund_status":"FULLY_REFUNDED","total_amount":12.5,
	"marketplace":true,"exempt":"PARTIALLY_EXEMPT","secondary_external_id":"s","secondary_source":"ss",
	"external_friendly_id":"#1","currency":"EUR",
	"source":"API","connection_id":"c","tax_id":"T","city":"Troy","county":"Rens","state":"NY","postal_code":"12180",
	"country":"US",
	"total_tax_amount_imported":3,"tax_rate_imported":0.1,"total_tax_amount_calculated":4,"tax_rate_calculated":0.2,
	"total_tax_liability_amount":5,
	"tax_liability_source":"COLLECTED","taxable_amount":6,"requires_exemption":{"exemption_type":"transaction"},
	"exemptions":[{"exemption_type":"wholesale"}]}`

func TestAbsentFieldsStayAsTheyWereSent(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	was := *b.stored(saleWith(everyField))
	// These are the changes that processing makes to the submitted fields.
	b.found.City, b.found.State = new("Albany"), new("CA")
	b.found.TotalTaxAmountCalculated, b.found.TaxableAmount = b.found.TotalAmount, b.found.TotalAmount
	b.found.Exempt = models.FullyExempt

	d := b.update(`{}`)
	require.Empty(t, rules.TransactionChanges(&was, &d.Transaction))
	require.Equal(t, was.City, d.City)
	require.Equal(t, was.State, d.State)
	require.Equal(t, was.TotalTaxAmountCalculated, d.TotalTaxAmountCalculated)
	require.Equal(t, was.TaxableAmount, d.TaxableAmount)
	require.Equal(t, was.TaxLiabilitySource, d.TaxLiabilitySource)
	require.Equal(t, was.Exempt, d.Exempt)
	require.Equal(
		t, was.Customer.ExternalID, d.Customer.ExternalID, "a customer without external_id keeps the customer",
	)
	require.NotEqual(t, was.Items[0].ID, d.Items[0].ID, "a line without identifiers is a new one")
	require.Len(t, d.Exemptions, 2)
	require.Equal(t, was.TaxDate, d.TaxDate)
	require.Equal(t, 2, d.Revision)
	require.Equal(t, 2, d.Epoch)
	require.Equal(t, models.ProcessingUpdated, d.ProcessingStatus)
	require.Equal(t, []models.Ref{{OrganizationID: d.OrganizationID, ID: was.ID, Epoch: 2}}, b.offered)
}

func TestNullClearsAFieldToItsDefault(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.stored(saleWith(everyField))
	var fields map[string]any
	require.NoError(t, json.Unmarshal([]byte(everyField), &fields))
	for name := range fields {
		fields[name] = nil
	}
	nulls, err := json.Marshal(fields)
	require.NoError(t, err)
	d := b.update(string(nulls))
	b2 := setupTransactions(t)
	fresh := b2.accept(saleWith(`{}`))
	require.Empty(t, rules.TransactionChanges(&fresh.Transaction, &d.Transaction), "as if it had never been sent")
	require.Nil(t, d.City)
	require.Empty(t, d.Exemptions)
	require.True(t, d.Sent.IsZero())
	require.Equal(t, models.NotExempt, d.Exempt)
	require.Equal(t, time.Date(2026, 5, 15, 0, 0, 0, 0, time.UTC), d.TaxDate)
}

func TestLinesKeepTheirIDs(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	line := `{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","external_id":"A"}`
	was := b.stored(saleWith(`{"transaction_items":[` + line + `,` + line + `,` +
		strings.Replace(line, `"A"`, `"B"`, 1) + `]}`))
	a1, a2, bee := was.Items[0].ID, was.Items[1].ID, was.Items[2].ID
	d := b.update(`{"transaction_items":[` + line + `,` +
		strings.Replace(line, `"A"`, `"B"`, 1) + `,` +
		strings.Replace(line, `"A"`, `"A","id":"`+a1+`"`, 1) + `,` +
		strings.Replace(line, `"A"`, `"A","id":"`+models.NewID(models.PrefixItem)+`"`, 1) + `]}`)
	got := []string{d.Items[0].ID, d.Items[1].ID, d.Items[2].ID}
	require.Equal(t, []string{a2, bee, a1}, got, "by id, else the first with the external_id that is not taken")
	require.NotContains(t, []string{a1, a2, bee}, d.Items[3].ID)
}

func TestUpdatesAreRefused(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	was := *b.stored(saleWith(`{"shop_date":"2026-05-14"}`))
	for body, faults := range map[string][]string{
		`{}`: {
			"missing_field body.addresses", "missing_field body.customer", "missing_field body.date",
			"missing_field body.external_id", "missing_field body.transaction_items",
		},
		versionWith(`{"external_id":null,"total_amount":-1,"status":"FILED","customer":{"external_id":7}}`): {
			"invalid_enum body.status", "invalid_type body.customer.external_id", "missing_field body.external_id",
			"out_of_range body.total_amount",
		},
		versionWith(`{"total_amount":-1,"transaction_items":[{"external_product_id":"P-1",
			"date":"2026-05-15T10:00:00Z","quantity":-1,"amount":1,
			"discount_builder":{"applied_to":"TRANSACTION_ITEM","discount_amount":2}}]}`): {
			"out_of_range body.total_amount", "out_of_range body.transaction_items[0].quantity",
			"out_of_range body.transaction_items[0].discount_builder.discount_amount",
		},
		versionWith(`{"date":"2026-05-17T10:00:00Z","shop_date":"2026-05-10"}`): {"mismatch body.shop_date"},
		versionWith(`{"addresses":[{"type":"SHIP_TO"},{"type":"SHIP_TO"}]}`): {
			"duplicate_value body.addresses[1].type",
		},
	} {
		answer := b.send(http.MethodPut, "/v1/transactions/"+was.ID, body)
		require.Equal(t, http.StatusBadRequest, answer.Code, answer.Body.String())
		var answered struct{ Errors []problem.FieldError }
		require.NoError(t, json.Unmarshal(answer.Body.Bytes(), &answered))
		got := []string{}
		for _, e := range answered.Errors {
			got = append(got, e.Code+" "+e.Location)
		}
		require.ElementsMatch(t, faults, got, body)
	}
	for _, c := range []struct {
		refusal error
		want    string
	}{
		{&models.LockedError{FilingID: "file_1"}, `"code":"transaction_locked"`},
		{&models.LockedError{FilingID: "file_1"}, `"filing_id":"file_1"`},
		{&models.LockedError{}, `"filing_id":null`},
		{&models.CreditEndpointError{RelatedTo: "txn_1"}, `"related_to":"txn_1"`},
		{&models.HasCreditNotesError{}, `"code":"has_credit_notes"`},
		{models.TransactionTransitions.Check("COMMITTED", "PENDING"), `"allowed":["CANCELLED","INVALID","ARCHIVED"]`},
	} {
		b.refusal = c.refusal
		answer := b.send(http.MethodPut, "/v1/transactions/"+was.ID, versionWith(`{}`))
		require.Equal(t, http.StatusConflict, answer.Code)
		require.Contains(t, answer.Body.String(), c.want)
	}
	require.Empty(t, b.offered)
}
