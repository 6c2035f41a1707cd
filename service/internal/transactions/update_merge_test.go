package transactions

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models"
	"levy/service/internal/convert"
)

// mergedWith returns the request that results from an update of a stored transaction whose answer was read.
func mergedWith(t *testing.T, stored, read *models.Transaction, update string) *contract.TransactionCreate {
	t.Helper()
	var sent contract.TransactionUpdate
	require.NoError(t, json.Unmarshal([]byte(update), &sent))
	b, _, _ := merged(stored, read, &sent)
	return b
}

// Levy also sets some fields itself. A value that repeats the answer there is no request for it. Another value is one,
// and null clears the field.
func TestAFieldThatIsSentBackUnchangedKeepsItsRequestedValue(t *testing.T) {
	t.Parallel()
	shown, source, refund := "SHOWN", models.LiabilityCalculated, "PARTIALLY_REFUNDED"
	stored := &models.Transaction{
		CustomerID: "cust_shown", ExemptSent: models.NotExempt, Exempt: models.FullyExempt,
		City: &shown, County: &shown, State: &shown, PostalCode: &shown, Country: &shown,
		TotalTaxAmountImported: decimal.MustParse("7"), TotalTaxAmountCalculated: decimal.MustParse("7"),
		TaxRateCalculated: decimal.MustParse("7"), TotalTaxLiabilityAmount: decimal.MustParse("7"),
		TaxableAmount: decimal.MustParse("7"), TaxLiabilitySource: &source,
		Sent: models.SubmittedFields{
			City: "asked", County: "asked", State: "asked", PostalCode: "asked", Country: "asked",
			TotalTaxAmountImported: decimal.MustParse("3"), TotalTaxAmountCalculated: decimal.MustParse("3"),
			TaxRateCalculated: decimal.MustParse("3"), TotalTaxLiabilityAmount: decimal.MustParse("3"),
			TaxableAmount: decimal.MustParse("3"), TaxLiabilitySource: models.LiabilityCollected,
		},
	}
	before := *stored // the version that was read has been replaced meanwhile
	before.RefundStatus = &refund
	amount := func(value string) string { return decimal.MustParse(value).String() }
	for name, f := range map[string]struct {
		shown, other      string // as JSON
		asked, then, null string
		of                func(*contract.TransactionCreate) string
	}{
		"city":   {`"SHOWN"`, `"X"`, "asked", "X", "", func(b *contract.TransactionCreate) string { return b.City }},
		"county": {`"SHOWN"`, `"X"`, "asked", "X", "", func(b *contract.TransactionCreate) string { return b.County }},
		"state":  {`"SHOWN"`, `"X"`, "asked", "X", "", func(b *contract.TransactionCreate) string { return b.State }},
		"postal_code": {`"SHOWN"`, `"X"`, "asked", "X", "",
			func(b *contract.TransactionCreate) string { return b.PostalCode }},
		"country": {`"SHOWN"`, `"X"`, "asked", "X", "", func(b *contract.TransactionCreate) string { return b.Country }},
		"customer_id": {`"cust_shown"`, `"X"`, "", "X", "",
			func(b *contract.TransactionCreate) string { return b.CustomerID }},
		"exempt": {
			`"FULLY_EXEMPT"`, `"PARTIALLY_EXEMPT"`, "NOT_EXEMPT", "PARTIALLY_EXEMPT", "NOT_EXEMPT",
			func(b *contract.TransactionCreate) string { return string(b.Exempt) },
		},
		"refund_status": {
			`"PARTIALLY_REFUNDED"`, `"FULLY_REFUNDED"`, "", "FULLY_REFUNDED", "",
			func(b *contract.TransactionCreate) string { return string(b.RefundStatus) },
		},
		"tax_liability_source": {
			`"CALCULATED"`, `"X"`, "COLLECTED", "X", "",
			func(b *contract.TransactionCreate) string { return string(b.TaxLiabilitySource) },
		},
		"total_tax_amount_imported": {
			"7.00", "8", amount("3"), amount("8"), amount("0"),
			func(b *contract.TransactionCreate) string { return b.TotalTaxAmountImported.String() },
		},
		"total_tax_amount_calculated": {
			"7.00", "8", amount("3"), amount("8"), amount("0"),
			func(b *contract.TransactionCreate) string { return b.TotalTaxAmountCalculated.String() },
		},
		"tax_rate_calculated": {
			"7.00", "8", amount("3"), amount("8"), amount("0"),
			func(b *contract.TransactionCreate) string { return b.TaxRateCalculated.String() },
		},
		"total_tax_liability_amount": {
			"7.00", "8", amount("3"), amount("8"), amount("0"),
			func(b *contract.TransactionCreate) string { return b.TotalTaxLiabilityAmount.String() },
		},
		"taxable_amount": {
			"7.00", "8", amount("3"), amount("8"), amount("0"),
			func(b *contract.TransactionCreate) string { return b.TaxableAmount.String() },
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, f.asked, f.of(mergedWith(t, stored, &before, `{"`+name+`":`+f.shown+`}`)), "as shown")
			require.Equal(t, f.asked, f.of(mergedWith(t, stored, &before, `{}`)), "absent")
			require.Equal(t, f.then, f.of(mergedWith(t, stored, &before, `{"`+name+`":`+f.other+`}`)), "another value")
			require.Equal(t, f.null, f.of(mergedWith(t, stored, &before, `{"`+name+`":null}`)), "null")
		})
	}
}

// The same applies to the fields of a line.
func TestALineThatIsSentBackUnchangedKeepsItsRequestedValues(t *testing.T) {
	t.Parallel()
	reason, asked, shown := "PRODUCT", "asked", "SHOWN"
	line := models.TransactionItem{
		ID: "txi_1", Exempt: true, TaxExemption: &reason, ProductName: &shown, ProductDescription: &shown,
		TaxAmountCalculated: decimal.MustParse("7"), TaxRateCalculated: decimal.MustParse("7"),
		TaxableAmount: decimal.MustParse("7"),
		Sent: &models.SubmittedLine{
			ProductName: &asked, ProductDescription: &asked, TaxAmountCalculated: decimal.MustParse("3"),
			TaxRateCalculated: decimal.MustParse("3"), TaxableAmount: decimal.MustParse("3"),
			Discount: &models.Discount{AppliedTo: models.DiscountOfLine, Amount: decimal.MustParse("2")},
		},
	}
	stored := &models.Transaction{Currency: "USD", Items: []models.TransactionItem{line}}
	const echo = `"id":"txi_1","exempt":true,"tax_exemption":"PRODUCT","product_name":"SHOWN",
		"product_description":"SHOWN",
		"tax_amount_calculated":7,"tax_rate_calculated":7,"taxable_amount":7`
	first := func(stored, read *models.Transaction, members string) contract.TransactionItemCreate {
		return mergedWith(t, stored, read, `{"transaction_items":[{`+members+`}]}`).TransactionItems[0]
	}
	got := first(stored, stored, echo)
	require.False(t, got.Exempt)
	require.Empty(t, got.TaxExemption)
	require.Equal(t, []string{"asked", "asked"}, []string{got.ProductName, got.ProductDescription})
	require.Equal(t, []string{"3", "3", "3"}, []string{
		got.TaxAmountCalculated.String(), got.TaxRateCalculated.String(), got.TaxableAmount.String(),
	})
	require.Equal(t, "2", got.DiscountBuilder.DiscountAmount.String())
	require.Nil(t, first(stored, stored, echo+`,"discount_builder":null`).DiscountBuilder)

	other := first(stored, stored,
		`"id":"txi_1","exempt":false,"tax_exemption":"WHOLESALE","product_name":"x","product_description":"y",
		"tax_amount_calculated":1,"tax_rate_calculated":2,"taxable_amount":4`)
	require.Equal(t, contract.TransactionItemCreate{
		TaxExemption: "WHOLESALE", ProductName: "x", ProductDescription: "y",
		TaxAmountCalculated: decimal.MustParse("1"),
		TaxRateCalculated:   decimal.MustParse("2"), TaxableAmount: decimal.MustParse("4"),
		DiscountBuilder: other.DiscountBuilder,
		TaxItems:        other.TaxItems, Quantity: other.Quantity,
	}, other)

	old := *stored // from before requests were stored
	old.Items = []models.TransactionItem{line}
	old.Items[0].Sent = &models.SubmittedLine{Unknown: true}
	require.Equal(t, "SHOWN", first(&old, &old, echo).ProductName)
	require.Equal(t, "7", first(&old, &old, echo).TaxableAmount.String())

	// The stored version no longer has the line, and the version that was read has it.
	none := &models.Transaction{Currency: "USD"}
	require.Equal(t, "asked", first(none, stored, echo).ProductName)
	require.Equal(t, "SHOWN", first(none, none, echo).ProductName, "a new line")
	require.Equal(t, "asked", first(stored, none, echo).ProductName)
}

// The currency of a tax line is that of the transaction unless the client submitted one, even the same.
func TestTheCurrencyOfATaxLineThatIsSentBackUnchangedIsKept(t *testing.T) {
	t.Parallel()
	for currency, want := range map[string]string{"": "", "USD": "USD"} {
		stored := &models.Transaction{Currency: "USD", Items: []models.TransactionItem{
			{ID: "txi_1", TaxItems: []models.TaxItem{{Name: "VAT", Currency: currency}}},
		}}
		got := mergedWith(t, stored, stored, `{"currency":"EUR","transaction_items":[{"id":"txi_1","tax_items":[
			{"name":"VAT","rate":0,"amount":1,"currency":"USD"},{"name":"b","rate":0,"amount":1,"currency":"GBP"}]}]}`)
		require.Equal(t, want, got.TransactionItems[0].TaxItems[0].Currency, "%q was sent", currency)
		require.Equal(t, "GBP", got.TransactionItems[0].TaxItems[1].Currency)
	}
}

// A total of imported tax that equals the sum of the lines continues to follow them.
func TestATotalThatIsTheSumOfItsLinesFollowsThem(t *testing.T) {
	t.Parallel()
	three := decimal.MustParse("3")
	stored := &models.Transaction{
		TotalTaxAmountImported: three, Sent: models.SubmittedFields{TotalTaxAmountImported: three},
		Items: []models.TransactionItem{{TaxAmountImported: three}},
	}
	for _, update := range []string{`{}`, `{"total_tax_amount_imported":3}`} {
		require.True(t, mergedWith(t, stored, stored, update).TotalTaxAmountImported.IsZero(), update)
	}
}

// An exemption that repeats the answer keeps its requested values and applies to the present customer.
func TestExemptionsThatAreSentBackUnchangedKeepTheirRequestedValues(t *testing.T) {
	t.Parallel()
	day := time.Date(2026, 5, 15, 0, 0, 0, 0, time.UTC)
	stored := &models.Transaction{
		TaxDate: day, Customer: models.Customer{ExternalID: "C-1"},
		RequiresExemption: json.RawMessage(`{"exemption_type":"transaction","customer_id":"cust_1","status":"ACTIVE"}`),
		Exemptions: []models.Exemption{{ID: "exmp_required"}, {ID: "exmp_made"}, {ID: "exmp_named"},
			{ID: "exmp_found"}},
		Sent: models.SubmittedFields{
			Exemptions: json.RawMessage(`[{"exemption_type":"wholesale","status":"INACTIVE"},
				{"exemption_type":"wholesale","customer_id":"cust_1","status":"ACTIVE","FEIN":"F"},{"id":"exmp_named"}]`),
			Made: []string{"exmp_required", "exmp_made"},
		},
	}
	with := func(update string) *contract.TransactionCreate { return mergedWith(t, stored, stored, update) }

	for update, want := range map[string]string{
		`{}`: "cust_1 true",
		`{"requires_exemption":{"exemption_type":"transaction","customer_id":"cust_1",` +
			`"start_date":"2026-05-15"}}`: "cust_1 true",
		`{"requires_exemption":{"exemption_type":"transaction","customer_id":"cust_1",` +
			`"start_date":"2026-05-14"}}`: "cust_1 false",
		`{"customer":{"external_id":"C-2"}}`: " true",
		`{"customer":{"external_id":"C-2"},"requires_exemption":{"exemption_type":"transaction",` +
			`"customer_id":"cust_1"}}`: " true",
		`{"customer":{"external_id":"C-2"},"requires_exemption":{"exemption_type":"transaction",` +
			`"customer_id":"cust_2"}}`: "cust_2 true",
	} {
		r := with(update).RequiresExemption
		got := r.CustomerID + " false"
		if r.StartDate.IsZero() {
			got = r.CustomerID + " true"
		}
		require.Equal(t, want, got, update)
	}
	require.Nil(t, with(`{"requires_exemption":null}`).RequiresExemption)

	fresh := &models.Transaction{TaxDate: day}
	r := mergedWith(t, fresh, fresh,
		`{"requires_exemption":{"exemption_type":"transaction","start_date":"2026-05-15"}}`).RequiresExemption
	require.False(t, r.StartDate.IsZero(), "none was requested before")
	r = mergedWith(t, fresh, fresh, `{"customer":{"external_id":"C-2"},
		"requires_exemption":{"exemption_type":"customer","customer_id":"cust_2"}}`).RequiresExemption
	require.Equal(t, "cust_2", r.CustomerID)
	fresh.RequiresExemption = json.RawMessage(`{"exemption_type":"transaction","start_date":"2026-05-15"}`)
	r = mergedWith(t, fresh, fresh,
		`{"requires_exemption":{"exemption_type":"transaction","start_date":"2026-05-15"}}`).RequiresExemption
	require.False(t, r.StartDate.IsZero(), "it had a first day of its own")

	ids := func(list []contract.TransactionExemptionCreate) (names []string) {
		for _, e := range list {
			names = append(names, e.ID+"/"+e.FEIN+"/"+string(e.Status)+"/"+e.CustomerID)
		}
		return names
	}
	asked := []string{"//INACTIVE/", "/F/ACTIVE/cust_1", "exmp_named///"}
	const required, made, named, found = `{"id":"exmp_required"}`, `{"id":"exmp_made"}`, `{"id":"exmp_named"}`,
		`{"id":"exmp_found"}`
	for update, want := range map[string][]string{
		`{}`: asked,
		`{"exemptions":[` + required + `,` + made + `,` + named + `,` + found + `]}`: asked,
		`{"exemptions":null}`: nil,
		`{"exemptions":[]}`:   nil,
		`{"exemptions":[` + required + `,` + made + `,` + found + `]}`: {"/F/ACTIVE/cust_1"},
		`{"exemptions":[` + made + `]}`:                                {"/F/ACTIVE/cust_1"},
		`{"exemptions":[` + required + `]}`:                            nil,
		`{"exemptions":[` + required + `,` + made + `,` + named +
			`,{"id":"exmp_new"}]}`: {"/F/ACTIVE/cust_1", "exmp_named///", "exmp_new///"},
		`{"exemptions":[` + named + `]}`: {"exmp_named///"},
		`{"exemptions":[` + required + `,` + made + `,` + named + `,` + found +
			`,{"id":"exmp_new"}]}`: {"/F/ACTIVE/cust_1", "exmp_named///", "exmp_new///"},
		`{"exemptions":[{"exemption_type":"wholesale","FEIN":"G"}]}`: {"/G//"},
		`{"customer":{"external_id":"C-2"}}`: {"//INACTIVE/",
			"/F/ACTIVE/", "exmp_named///"},
	} {
		require.Equal(t, want, ids(with(update).Exemptions), update)
	}
	stored.Exemptions = stored.Exemptions[2:] // those that were created do not apply
	require.Empty(t, with(`{"exemptions":[`+required+`]}`).Exemptions, "it is required already")
}

// A fault has the path of the exemption in the request, also after ignored exemptions.
func TestFaultsOfExemptionsAreLocatedWhereTheyWereSent(t *testing.T) {
	t.Parallel()
	stored := &models.Transaction{
		ID: "txn_1", Type: models.TypeSale, Customer: models.Customer{ExternalID: "C-1"},
		Exemptions: []models.Exemption{{ID: "exmp_found"}, {ID: "exmp_made"}, {ID: "exmp_named"}},
		Sent: models.SubmittedFields{
			Exemptions: json.RawMessage(`[{"exemption_type":"wholesale","status":"INACTIVE","end_date":"2026-06-01"},
				{"id":"exmp_named"},{"exemption_type":"wholesale","status":"ACTIVE","end_date":"2026-06-30"}]`),
			Made: []string{"exmp_made"},
		},
	}
	const found, made, named = `{"id":"exmp_found"}`, `{"id":"exmp_made"}`, `{"id":"exmp_named"}`
	const ended = `{"exemption_type":"wholesale","status":"ACTIVE","end_date":"2026-05-01"}`
	const forAnother = `{"exemption_type":"wholesale","status":"ACTIVE","customer_id":"cust_2"}`
	for update, want := range map[string][]string{
		`"date":"2026-05-15T10:00:00Z","exemptions":[` + found + `,` + ended + `]`: {"exemptions[1].end_date"},
		`"date":"2026-05-15T10:00:00Z","exemptions":[` + found + `,{"id":"exmp_other"},` + named + `]`: {
			"exemptions[1].id", "exemptions[2].id",
		},
		`"date":"2026-05-15T10:00:00Z","customer_id":"cust_1","exemptions":[` + found + `,` + forAnother + `]`: {
			"exemptions[1].customer_id",
		},
		`"date":"2026-07-01T10:00:00Z","exemptions":[` + found + `,` + ended + `,` + made + `]`: {
			"exemptions[1].end_date", "exemptions[2].end_date",
		},
		// The first is still requested, although it is not in answers.
		`"date":"2026-07-01T10:00:00Z","exemptions":[` + found + `,` + named + `,` + made + `]`: {
			"exemptions", "exemptions[2].end_date",
		},
		`"date":"2026-06-15T10:00:00Z","exemptions":[` + named + `,` + found + `,` + made + `]`: {"exemptions"},
	} {
		var sent contract.TransactionUpdate
		require.NoError(t, json.Unmarshal([]byte(`{"customer":{"external_id":"C-1"},`+update+`}`), &sent))
		d, err := (&Operations{}).UpdateDraft(models.Actor{}, testNow, stored, stored, &sent)
		var paths []string
		for _, f := range convert.FaultsOf(err) {
			paths = append(paths, f.Path)
		}
		if err == nil {
			for _, link := range d.LinkedExemptions {
				paths = append(paths, link.Path)
			}
		}
		require.Equal(t, want, paths, update)
	}
}
