package api

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/tax"
)

// processedTransaction returns a transaction in which every field has a value, sold in euros to a place with dollars.
func processedTransaction(scope models.Scope) models.Transaction {
	money := decimal.MustParse
	at := time.Date(2026, 5, 15, 23, 30, 0, 500_000_000, time.FixedZone("", -2*3600))
	day := time.Date(2026, 5, 15, 0, 0, 0, 0, time.UTC)
	id, customerID := "txn_01jx4m9a2bfqv8m1x0c5t7hkde", "cust_01jx4m9a2cexv9z6d3n8w0r5ts"
	end := day.AddDate(1, 0, 0)
	taxable, rate, liability := money("100"), money("1.1"), models.LiabilityCollected
	t := models.Transaction{
		OrganizationID: scope.OrganizationID, ID: id, ExternalID: "A/1", Type: models.TypeSale,
		Status:           models.StatusCommitted,
		ProcessingStatus: models.ProcessingFilingStarted, Epoch: 3, Revision: 2, Date: at, TaxDate: day,
		ShopDate:   new("2026-05-15"),
		ShopDateTZ: new("America/New_York"), TaxRounding: new("TAX_PER_LINE"), Description: new("text"), RefundStatus: new("PARTIALLY_REFUNDED"),
		Currency:    "EUR",
		TotalAmount: money("108.88"), Subtotal: money("105"), TotalDiscount: money("5.00"), CustomerID: customerID,
		Marketplace: true,
		ExemptSent:  models.NotExempt, Exempt: models.PartiallyExempt, RelatedTo: new("txn_01jx4m9a2bfqv8m1x0c5t7hkdf"),
		SecondaryExternalID: new("S"), SecondarySource: new("shop"), ExternalFriendlyID: new("#1"),
		Source:       "API",
		ConnectionID: new("conn"), FilingID: new("file_01jx4m9a2bfqv8m1x0c5t7hkde"),
		BatchID: new("batc_01jx4m9a2bfqv8m1x0c5t7hkde"),
		TaxID:   new("T"), TotalTaxAmountImported: money("8.88"), TaxRateImported: money("0.0888"),
		TotalTaxAmountCalculated: money("8.88"),
		TaxRateCalculated:        money("0.08875"), TotalTaxLiabilityAmount: money("8.88"), TaxLiabilitySource: &liability,
		TaxableAmount:       taxable,
		DestinationCurrency: new("USD"), ConversionRate: &rate, City: new("New York"),
		County: new("New York County"),
		State:  new("NY"), PostalCode: new("10118"), Country: new("US"), AddressStatus: tax.StatusVerified,
		Ambiguous:      true,
		ContentVersion: new("2026.1"),
		Certainty: &tax.Certainty{Confidence: tax.ConfidenceLow, Completeness: "STREET", Warnings: []tax.Warning{
			{Code: tax.WarningClassTooCoarse, Message: "m", Line: new(int)},
		}},
		ProcessingReason: new("r"), CreatedAt: at, UpdatedAt: at.Add(time.Second),
	}
	t.Customer = models.Customer{
		OrganizationID: scope.OrganizationID, ID: customerID, ExternalID: "C-1", Name: new("Ada"),
		Status: models.CustomerActive,
		Email:  new("ada@example.com"), Phone: new("1234567"), Street1: new("s1"), Street2: new("s2"),
		City:   new("Troy"),
		County: new("Rensselaer"), State: new("NY"), PostalCode: new("12180"), Country: new("US"),
		FullAddress:   new("all"),
		AddressStatus: tax.StatusUnverified, Source: "OTHER", ConnectionID: new("conn"),
		RegistrationNumber: new("HRB"),
		ExternalFriendlyID: new("AL"), CreatedAt: at, UpdatedAt: at,
		TaxRegistrations: []models.CustomerTaxRegistration{
			{ID: "ctax_01jx4m9a2bfqv8m1x0c5t7hkde", CountryCode: "DE", TaxType: "vat", TaxID: "DE1", IsValid: true},
		},
	}
	t.Addresses = []models.TransactionAddress{{
		OrganizationID: scope.OrganizationID, TransactionID: id, Type: models.ShipTo, ID: "addr_01jx4m9a2df1gq7y2k4v6b8n0c",
		Street1: new("350 5th Ave"),
		Street2: new("2"), City: new("New York"), County: new("NY"), State: new("New York"),
		PostalCode: new("10118"),
		Country:    new("US"), FullAddress: new("all"), Phone: new("1234567"), IsUnincorporated: true,
		Status: tax.StatusVerified, ConnectionID: new("conn"),
	}}
	t.Items = []models.TransactionItem{{
		OrganizationID: scope.OrganizationID, TransactionID: id, ID: "txi_01jx4m9a2eg3hr8z5m7w9c1p2d", Date: at,
		ExternalProductID: "P-1",
		ProductID:         "prod_01jx4m0q5tb7cyd2f6g8h9j1k3", ExternalID: new("L1"), Description: new("d"),
		Product:     new("p"),
		ProductName: new("Widget"), ProductDescription: new("pd"), Quantity: money("2.250000000"),
		Amount: money("105"), TotalDiscount: money("5"),
		TaxAmountImported: money("8.88"), TaxRateImported: money("0.0888"), TaxAmountCalculated: money("8.88"),
		TaxRateCalculated: money("0.08875"),
		TaxableAmount:     taxable, Exempt: true, TaxExemption: new("WHOLESALE"),
		Sent: &models.SubmittedLine{
			Discount:          &models.Discount{ExternalID: "D1", AppliedTo: "TRANSACTION", Amount: money("5")},
			ExemptionCategory: "MANUFACTURING",
		},
		TaxItems: []models.TaxItem{
			{
				Type: "IMPORTED", RuleID: "0000", Name: "tax", Rate: money("0.1"), Amount: money("1"),
				Reason: "FROM_IMPORT", ExternalID: "T1", Currency: "CAD",
			},
			{Type: "CALCULATED", RuleID: "US-NY", Name: "New York", JurisdictionType: "STATE",
				JurisdictionName: "New York", Rate: money("0.04"),
				Amount: money("4"), TaxableAmount: &taxable, Reason: "RULE_FOUND_TAXABLE", Source: "Tax Law 1105"},
		},
	}}
	t.Exemptions = []models.Exemption{
		{OrganizationID: scope.OrganizationID, ID: "exmp_01jx4m9a2bfqv8m1x0c5t7hkde",
			ExemptionType: models.ExemptionWholesale, StartDate: day, EndDate: &end,
			CustomerID: &customerID, TransactionID: &id, CountryCode: "US", Jurisdiction: new("NY"), Reseller: true,
			FEIN:       new("12"),
			SalesTaxID: new("34"), Status: models.ExemptionActive, CreatedAt: at, UpdatedAt: &at},
		{OrganizationID: scope.OrganizationID, ID: "exmp_01jx4m9a2bfqv8m1x0c5t7hkdf",
			ExemptionType: models.ExemptionTransaction, StartDate: day,
			TransactionID: &id, CountryCode: "US", Status: models.ExemptionActive, CreatedAt: at},
	}
	return t
}

// TestTransactionAnswer compares a whole answer with testdata, because no other test finds a forgotten field.
func TestTransactionAnswer(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	b.scope = models.Scope{OrganizationID: "org_01jx4kz3s6e2fvk9d8b7m1n4pq"}
	b.found = processedTransaction(b.scope)
	answer := b.send(http.MethodGet, "/v1/transactions/"+b.found.ID, "")
	require.Equal(t, http.StatusOK, answer.Code, answer.Body.String())
	requireContract(t, "Transaction", answer.Body.Bytes())
	want, err := os.ReadFile(filepath.Join("testdata", "transaction.json"))
	require.NoError(t, err)
	require.JSONEq(t, string(want), answer.Body.String())

	document := contractDocument(t)
	shown := func(schema string, object any, except ...string) map[string]any {
		members, _ := object.(map[string]any)
		for name := range document.Components.Schemas[schema].Value.Properties {
			if !slices.Contains(except, name) {
				require.Contains(t, members, name, schema)
			}
		}
		return members
	}
	first := func(list any) any { return list.([]any)[0] }
	var object map[string]any
	require.NoError(t, json.Unmarshal(want, &object))
	shown("Transaction", object, "requires_exemption") // it lives on as an exemption
	shown("Customer", object["customer"])
	shown("TransactionAddress", first(object["addresses"]))
	shown("Exemption", first(object["exemptions"]))
	item := shown("TransactionItem", first(object["transaction_items"]),
		"reimbursed_by", "trade_in", // of coupon lines
		"net_amount", "gross_amount") // of prices that include tax
	shown("TaxItem", item["tax_items"].([]any)[1], "external_id") // that of an imported one
}

func TestTransactionAnswerConverts(t *testing.T) {
	t.Parallel()
	scope := models.Scope{OrganizationID: "org_01jx4kz3s6e2fvk9d8b7m1n4pq"}

	t.Run("rate 1 gives the same amounts", func(t *testing.T) {
		t.Parallel()
		found := processedTransaction(scope)
		found.DestinationCurrency, found.ConversionRate = new("EUR"), &decimal.One
		answer := answered(t, found)
		require.Equal(t, "1.000000000", answer.ConversionRate)
		require.Equal(t, answer.TotalAmount, answer.ConvertedTotalAmount)
		require.Equal(t, answer.FinalTotalAmount, answer.ConvertedFinalTotalAmount)
	})
	t.Run("a required exemption says which values apply where none were sent", func(t *testing.T) {
		t.Parallel()
		found := processedTransaction(scope)
		day := found.TaxDate.Format(time.DateOnly)
		for sent, want := range map[string]string{
			`{"exemption_type":"transaction","status":"ACTIVE",` +
				`"country_code":"US"}`: `{"exemption_type":"transaction","start_date":"` +
				day + `T00:00:00Z","status":"ACTIVE","reseller":false,"country_code":"US","organization_id":"` +
				scope.OrganizationID + `"}`,
			`{"exemption_type":"wholesale","start_date":"2026-01-01","status":"INACTIVE","reseller":true,"country_code":"CA",` +
				`"jurisdiction":"ON"}`: `{"exemption_type":"wholesale","start_date":"2026-01-01T00:00:00Z",` +
				`"status":"INACTIVE","reseller":true,"country_code":"CA","jurisdiction":"ON","organization_id":"` +
				scope.OrganizationID + `"}`,
		} {
			found.RequiresExemption = json.RawMessage(sent)
			answer, err := json.Marshal(answered(t, found).RequiresExemption)
			require.NoError(t, err)
			require.JSONEq(t, want, string(answer))
		}
		found.RequiresExemption = nil
		require.Nil(t, answered(t, found).RequiresExemption)
	})
	t.Run("half a cent goes away from zero", func(t *testing.T) {
		t.Parallel()
		found := processedTransaction(scope)
		half := decimal.MustParse("0.5")
		found.ConversionRate, found.TotalAmount, found.TaxableAmount = &half, decimal.MustParse("0.01"),
			decimal.MustParse("-0.01")
		answer := answered(t, found)
		require.Equal(t, "0.01", answer.ConvertedTotalAmount)
		require.Equal(t, "-0.01", answer.ConvertedTaxableAmount)
	})
	t.Run("lines add up to the document, tax lines to their line", func(t *testing.T) {
		t.Parallel()
		found := processedTransaction(scope)
		rate, cent := decimal.MustParse("0.5"), decimal.MustParse("0.01")
		line := found.Items[0]
		line.Amount, line.TaxAmountCalculated, line.TotalDiscount = cent, cent, cent
		line.TaxItems = []models.TaxItem{
			{Type: models.TaxItemCalculated, Amount: cent}, {Type: "IMPORTED", Amount: cent},
			{Type: models.TaxItemCalculated, Amount: decimal.Zero},
		}
		three := decimal.MustParse("0.03")
		found.ConversionRate, found.Items = &rate, []models.TransactionItem{line, line, line}
		found.Subtotal, found.TotalTaxAmountCalculated, found.TotalDiscount, found.TotalTaxLiabilityAmount = three,
			three, three, three
		answer := answered(t, found)
		require.Equal(t, "0.02", answer.ConvertedSubtotal)
		require.Equal(t, "0.02", answer.ConvertedFinalTotalAmount, "converted subtotal - discount + liability")
		var amounts, taxes, taxItems []string
		for _, item := range answer.TransactionItems {
			amounts, taxes = append(amounts, item.ConvertedAmount), append(taxes, item.ConvertedTaxAmountCalculated)
			require.Equal(t, item.ConvertedAmount, item.ConvertedSubtotal)
			require.Equal(t, "0.01", item.TaxItems[1].ConvertedAmount, "an imported one stands alone")
			taxItems = append(taxItems, item.TaxItems[0].ConvertedAmount, item.TaxItems[2].ConvertedAmount)
		}
		require.Equal(t, []string{"0.01", "0.01", "0.00"}, amounts)
		require.Equal(t, amounts, taxes)
		require.Equal(t, []string{"0.01", "0.00", "0.01", "0.00", "0.00", "0.00"}, taxItems)
	})
	t.Run("nothing is converted before it is processed", func(t *testing.T) {
		t.Parallel()
		found := processedTransaction(scope)
		found.DestinationCurrency, found.ConversionRate = nil, nil
		answer := answered(t, found)
		require.Empty(
			t,
			answer.ConversionRate+answer.DestinationCurrency+answer.ConvertedTotalAmount+
				answer.ConvertedFinalTotalAmount,
		)
		require.Empty(t, answer.TransactionItems[0].DestinationCurrency+answer.TransactionItems[0].ConvertedAmount)
		require.Empty(t, answer.TransactionItems[0].TaxItems[1].ConvertedAmount)
	})
}

// answered returns the answer with a record.
func answered(t *testing.T, found models.Transaction) (answer contract.Transaction) {
	b := setupTransactions(t)
	b.scope, b.found = models.Scope{OrganizationID: found.OrganizationID}, found
	response := b.send(http.MethodGet, "/v1/transactions/"+found.ID, "")
	require.Equal(t, http.StatusOK, response.Code, response.Body.String())
	require.NoError(t, contract.Decode(response.Body.Bytes(), &answer))
	return answer
}
