package transactions

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
)

var testNow = time.Date(2026, 5, 15, 10, 0, 2, 123456789, time.UTC)

func saleOfTwoLines(tb testing.TB) *contract.TransactionCreate {
	tb.Helper()
	body := &contract.TransactionCreate{}
	require.NoError(tb,
		json.Unmarshal([]byte(`{"external_id":"ORDER-1","type":"SALE","date":"2026-05-15T10:00:00Z","status":"COMMITTED",
			"currency":"USD","source":"API",
		"exempt":"NOT_EXEMPT","total_amount":"130.65","customer":{"external_id":"C-1","name":"Ada","status":"ACTIVE",
			"source":"OTHER"},
		"addresses":[{"type":"SHIP_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118",
			"country":"US"},
			{"type":"BILL_TO","street_1":"350 5th Ave","city":"New York","state":"NY","postal_code":"10118","country":"US"}],
		"transaction_items":[{"external_id":"L1","external_product_id":"P-1","date":"2026-05-15T10:00:00Z","quantity":"1",
			"amount":"100.00","tax_amount_imported":"8.88"},
			{"external_id":"L2","external_product_id":"P-2","date":"2026-05-15T10:00:00Z","quantity":"1","amount":"20.00",
				"tax_amount_imported":"1.77"}]}`), body))
	return body
}

// BenchmarkTransactionDraft measures the conversion of a sale with two lines.
func BenchmarkTransactionDraft(b *testing.B) {
	body := saleOfTwoLines(b)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := transactionDraft(
			models.Scope{OrganizationID: "org"}, models.Actor{}, testNow, body,
		); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTransactionAnswer measures the writing of its answer.
func BenchmarkTransactionAnswer(b *testing.B) {
	d, err := transactionDraft(models.Scope{OrganizationID: "org"}, models.Actor{}, testNow, saleOfTwoLines(b))
	require.NoError(b, err)
	b.ReportAllocs()
	for b.Loop() {
		_ = Answer(&d.Transaction)
	}
}
