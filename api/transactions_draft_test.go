package api

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// sameDraft compares drafts by value: decimals by their number, identifiers not at all, because they are always new.
var sameDraft = []cmp.Option{
	cmp.Comparer(func(x, y decimal.Decimal) bool { return x.Cmp(y) == 0 }),
	cmpopts.IgnoreFields(models.Transaction{}, "OrganizationID", "ID", "CustomerID"),
	cmpopts.IgnoreFields(models.Customer{}, "OrganizationID", "ID"),
	cmpopts.IgnoreFields(models.CustomerTaxRegistration{}, "ID"),
	cmpopts.IgnoreFields(models.TransactionItem{}, "OrganizationID", "TransactionID", "ID", "ProductID"),
	cmpopts.IgnoreFields(models.TransactionAddress{}, "OrganizationID", "TransactionID", "ID"),
}

// smallestDraft returns the draft of the smallest sale, with the defaults of the contract.
func smallestDraft() *models.TransactionDraft {
	at := time.Date(2026, 5, 15, 10, 0, 0, 0, time.UTC)
	now := transactionNow.Truncate(time.Microsecond)
	return &models.TransactionDraft{Actor: models.Actor{
		APIKeyID: "akey_1", RequestID: "req-of-the-test",
	}, Transaction: models.Transaction{
		ExternalID: "ORDER-1", Type: models.TypeSale, Status: models.StatusCommitted,
		ProcessingStatus: models.ProcessingQueued, Epoch: 1, Revision: 1,
		Date: at, TaxDate: at.Truncate(24 * time.Hour), Currency: "USD", ExemptSent: models.NotExempt,
		Exempt: models.NotExempt, Source: "OTHER",
		AddressStatus: tax.StatusUnverified, CreatedAt: now, UpdatedAt: now, Addresses: []models.TransactionAddress{},
		Customer: models.Customer{ExternalID: "C-1", Status: models.CustomerActive, AddressStatus: tax.StatusBlank,
			Source:           "OTHER",
			TaxRegistrations: []models.CustomerTaxRegistration{}, CreatedAt: now, UpdatedAt: now},
		Items: []models.TransactionItem{
			{
				Date: at, ExternalProductID: "P-1", ProductName: new("Widget"), Quantity: decimal.One,
				TaxItems: []models.TaxItem{},
			},
		},
	}}
}

func TestTransactionDraftDefaults(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	d := b.accept(saleWith(`{}`))
	require.Empty(t, cmp.Diff(smallestDraft(), d, sameDraft...))

	require.True(t, models.IsID(models.PrefixTransaction, d.ID))
	require.Equal(t, b.scope.OrganizationID, d.OrganizationID)
	require.True(t, models.IsID(models.PrefixCustomer, d.Customer.ID))
	require.Equal(t, d.Customer.ID, d.CustomerID)
	for _, organization := range []string{d.Customer.OrganizationID, d.Items[0].OrganizationID} {
		require.Equal(t, b.scope.OrganizationID, organization)
	}
	require.True(t, models.IsID(models.PrefixItem, d.Items[0].ID))
	require.Equal(t, d.ID, d.Items[0].TransactionID)
}

// TestTransactionDraftIgnores checks that fields that a client may not set change nothing, and
// that blank optional texts are absent.
func TestTransactionDraftIgnores(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	d := b.accept(saleWith(`{"organization_id":"org_of_somebody","id":"txn_x","processing_status":"PROCESSED",
		"locked":true,"revision":7,"tax_date":"2020-01-01",
		"subtotal":9,"total_discount":9,"address_status":"VERIFIED","batch_id":"b","converted_total_amount":9,
		"unknown":{"a":[1]},
		"description":"","shop_date":null,"shop_date_tz":"","related_to":"","customer_id":"","filing_id":"","state":"",
		"refund_status":null,"currency":null,
		"customer":{"external_id":"C-1","organization_id":"org_of_somebody","id":"cust_x","name":"",
			"address_status":"VERIFIED","email":null,"country":""},
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z","organization_id":"org_of_somebody",
			"id":"txi_x","product_id":"prod_x",
			"external_id":"","quantity":null,"tax_items":null,"discount_builder":null,"total_discount":9}]}`))
	require.Empty(t, cmp.Diff(smallestDraft(), d, sameDraft...))
}

func TestTransactionDraftTakesEverything(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	d := b.accept(saleWith(`{"date":"2026-05-15T01:30:00.1234567+02:00","status":"PENDING",
		"shop_date":"2026-05-14T23:59:00-05:00","shop_date_tz":"America/New_York",
		"description":" text ","refund_status":"FULLY_REFUNDED","total_amount":"12.50","marketplace":true,
		"exempt":"FULLY_EXEMPT",
		"related_to":"txn_01jx4m9a2bfqv8m1x0c5t7hkde","customer_id":"cust_01jx4m9a2cexv9z6d3n8w0r5ts","filing_id":"file_1",
		"secondary_external_id":"S","secondary_source":"shop","external_friendly_id":"#1","total_tax_amount_imported":1,
		"tax_rate_imported":0.1,
		"total_tax_amount_calculated":2,"tax_rate_calculated":0.2,"total_tax_liability_amount":3,
		"tax_liability_source":"COLLECTED","taxable_amount":4,
		"currency":"EUR","source":"POS","connection_id":"conn","city":"Berlin","county":"B","state":"BE",
		"postal_code":"10115","country":"DE","tax_id":"T",
		"customer":{"external_id":"C-1","name":"Ada","status":"ARCHIVED","email":"a@b.de","phone":"x","street_1":"1",
			"street_2":"2","city":"B","county":"C",
			"state":"S","postal_code":"P","country":"DE","full_address":"all","source":"API","connection_id":"conn",
			"registration_number":"HRB",
			"external_friendly_id":"AL","customer_tax_registrations":[{"country_code":"DE","tax_type":"vat","tax_id":"DE1"}]},
		"addresses":[{"type":"BILL_TO","phone":"+1 (212) 555-0100","is_unincorporated":true,"full_address":"all",
			"connection_id":"conn"},
			{"type":"SHIP_TO","street_1":"1","street_2":"2","city":"B","county":"C","state":"S","postal_code":"P",
				"country":"DE"}],
		"transaction_items":[{"external_product_id":"P-1","date":"2026-05-15T10:00:00-01:00","external_id":"L",
			"description":"d","product":"p","product_name":"pn",
			"product_description":"pd","quantity":0,"amount":-1.5,"tax_amount_imported":0.5,"tax_rate_imported":0.1,
			"tax_amount_calculated":0.6,
			"tax_rate_calculated":0.2,"taxable_amount":1,"exempt":true,
			"tax_items":[{"type":"CALCULATED","rate":0,"amount":0,"name":"dropped"},{"rate":"0E-9","amount":0.5,"name":"kept"},
				{"type":"IMPORTED_ORIGINAL","rule_id":"7","rate":0.1,"amount":1,"name":"n","jurisdiction_type":"STATE",
					"jurisdiction_name":"NY","external_id":"T","currency":"CAD"}]},
			{"external_product_id":"P-2","date":"2026-05-15T10:00:00","tax_exemption":"EXPORT"}]}`))

	want := smallestDraft()
	want.CustomerIDSent, want.CustomerIDPath, want.FilingIDSent = "cust_01jx4m9a2cexv9z6d3n8w0r5ts",
		"customer_id", "file_1"
	want.Date, want.TaxDate = time.Date(
		2026, 5, 14, 23, 30, 0, 123456000, time.UTC,
	), time.Date(2026, 5, 14, 0, 0, 0, 0, time.UTC)
	want.Status, want.ShopDate, want.ShopDateTZ = models.StatusPending, new("2026-05-14"),
		new("America/New_York")
	want.Description, want.RefundStatus, want.TotalAmount = new(" text "), new("FULLY_REFUNDED"),
		decimal.MustParse("12.5")
	want.Marketplace, want.ExemptSent, want.Exempt = true, models.FullyExempt, models.FullyExempt
	want.RelatedTo = new("txn_01jx4m9a2bfqv8m1x0c5t7hkde")
	want.SecondaryExternalID, want.SecondarySource, want.ExternalFriendlyID = new("S"), new("shop"),
		new("#1")
	want.TotalTaxAmountImported, want.TaxRateImported = decimal.MustParse("1"), decimal.MustParse("0.1")
	want.TotalTaxAmountCalculated, want.TaxRateCalculated = decimal.MustParse("2"), decimal.MustParse("0.2")
	want.TotalTaxLiabilityAmount, want.TaxableAmount, want.TaxLiabilitySource = decimal.MustParse("3"),
		decimal.MustParse("4"), new(models.LiabilityCollected)
	want.Currency, want.Source, want.ConnectionID, want.TaxID = "EUR", "POS", new("conn"), new("T")
	want.City, want.County, want.State, want.PostalCode, want.Country = new("Berlin"), new("B"),
		new("BE"), new("10115"), new("DE")
	want.Sent = models.SubmittedFields{
		City: "Berlin", County: "B", State: "BE", PostalCode: "10115", Country: "DE",
		TotalTaxAmountImported: want.TotalTaxAmountImported, TotalTaxAmountCalculated: want.TotalTaxAmountCalculated,
		TaxRateCalculated: want.TaxRateCalculated, TotalTaxLiabilityAmount: want.TotalTaxLiabilityAmount,
		TaxableAmount:      want.TaxableAmount,
		TaxLiabilitySource: models.LiabilityCollected,
	}
	want.Subtotal = decimal.MustParse("-1.5")
	now := want.CreatedAt
	want.Customer = models.Customer{
		ExternalID: "C-1", Name: new("Ada"), Status: models.CustomerArchived, Email: new("a@b.de"),
		Phone: new("x"), Street1: new("1"),
		Street2: new("2"), City: new("B"), County: new("C"), State: new("S"),
		PostalCode:  new("P"),
		Country:     new("DE"),
		FullAddress: new("all"), AddressStatus: tax.StatusUnverified, Source: "API",
		ConnectionID:       new("conn"),
		RegistrationNumber: new("HRB"),
		ExternalFriendlyID: new("AL"),
		TaxRegistrations:   []models.CustomerTaxRegistration{{CountryCode: "DE", TaxType: "vat", TaxID: "DE1"}},
		CreatedAt:          now, UpdatedAt: now,
	}
	want.Addresses = []models.TransactionAddress{
		{
			Type: models.BillTo, Phone: new("+1 (212) 555-0100"), IsUnincorporated: true,
			FullAddress: new("all"), ConnectionID: new("conn"), Status: tax.StatusUnverified,
		},
		{Type: models.ShipTo, Street1: new("1"), Street2: new("2"), City: new("B"),
			County: new("C"), State: new("S"),
			PostalCode: new("P"), Country: new("DE"), Status: tax.StatusUnverified},
	}
	want.Items = []models.TransactionItem{
		{Date: time.Date(
			2026, 5, 15, 11, 0, 0, 0, time.UTC,
		), ExternalProductID: "P-1", ExternalID: new("L"), Description: new("d"), Product: new("p"),
			ProductName: new("Widget"), ProductDescription: new("pd"), Amount: decimal.MustParse("-1.5"),
			TaxAmountImported: decimal.MustParse("0.5"),
			TaxRateImported:   decimal.MustParse("0.1"), TaxAmountCalculated: decimal.MustParse("0.6"),
			TaxRateCalculated: decimal.MustParse("0.2"),
			TaxableAmount:     decimal.MustParse("1"), ExemptSent: true, Exempt: true,
			TaxExemption: new("TRANSACTION"),
			Sent: &models.SubmittedLine{
				ProductName: new("pn"), ProductDescription: new("pd"),
				TaxAmountCalculated: decimal.MustParse("0.6"), TaxRateCalculated: decimal.MustParse("0.2"),
				TaxableAmount: decimal.MustParse("1"),
			},
			TaxItems: []models.TaxItem{
				{
					Type: "IMPORTED", RuleID: "0000", Name: "kept", Amount: decimal.MustParse("0.5"),
					Reason: "FROM_IMPORT",
				},
				{Type: "IMPORTED_ORIGINAL", RuleID: "7", Name: "n", JurisdictionType: "STATE", JurisdictionName: "NY",
					Rate:   decimal.MustParse("0.1"),
					Amount: decimal.MustParse("1"), Reason: "FROM_IMPORT", ExternalID: "T", Currency: "CAD"},
			}},
		{LineNo: 1, Date: time.Date(
			2026, 5, 15, 10, 0, 0, 0, time.UTC,
		), ExternalProductID: "P-2", ProductName: new("Widget"), Quantity: decimal.One,
			TaxExemptionSent: new("EXPORT"), TaxExemption: new("EXPORT"), TaxItems: []models.TaxItem{}},
	}
	require.Empty(t, cmp.Diff(want, d, sameDraft...))
}

// lines returns transaction_items from members of each line.
func lines(members ...string) string {
	for i, m := range members {
		members[i] = `{"external_product_id":"P-1","date":"2026-05-15T10:00:00Z",` + m + `}`
	}
	return `"transaction_items":[` + strings.Join(members, ",") + `]`
}

func discount(target, amount string) string {
	return fmt.Sprintf(`"discount_builder":{"applied_to":%q,"discount_amount":%s}`, target, amount)
}

func TestTransactionDraftDiscounts(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	const whole, line = "TRANSACTION", "TRANSACTION_ITEM"
	for _, test := range []struct {
		rule  string
		lines string
		want  string // the discount of each line
		total string
	}{
		{"none", lines(`"amount":10`), "0.00", "0"},
		{"a line's own", lines(`"amount":10`, `"amount":10,`+discount(line, "2.5")), "0.00 2.50", "2.5"},
		{"the whole, in proportion", lines(`"amount":30,`+discount(whole, "4"), `"amount":10`), "3.00 1.00", "4"},
		{
			"the missing cent goes to the largest remainder",
			lines(`"amount":1,`+discount(whole, "0.10"), `"amount":1`, `"amount":4`), "0.02 0.02 0.06", "0.1",
		},
		{
			"the earlier of equal remainders first", lines(`"amount":1,`+discount(whole, "0.01"), `"amount":1`),
			"0.01 0.00", "0.01",
		},
		{
			"several are added up and then spread",
			lines(`"amount":1,`+discount(whole, "0.01"), `"amount":1,`+discount(whole, "0.01")), "0.01 0.01",
			"0.02",
		},
		{
			"the line's and the share of the whole",
			lines(`"amount":10,`+discount(line, "1"), `"amount":10,`+discount(whole, "4")), "2.89 2.11", "5",
		},
		{
			"a negative line carries no share",
			lines(`"amount":100,`+discount(whole, "9"), `"amount":-10`), "9.00 0.00", "9",
		},
		{
			"a line without amount has no share", lines(`"amount":0`, `"amount":5,`+discount(whole, "5")),
			"0.00 5.00", "5",
		},
		{"nothing to spread", lines(`"amount":0,` + discount(whole, "0")), "0.00", "0"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			d := b.accept(saleWith("{" + test.lines + "}"))
			var got []string
			for _, item := range d.Items {
				got = append(got, money.Format(item.TotalDiscount))
			}
			require.Equal(t, test.want, strings.Join(got, " "))
			require.Zero(t, d.TotalDiscount.Cmp(decimal.MustParse(test.total)), d.TotalDiscount)
		})
	}
}

func TestTransactionDraftSums(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	d := b.accept(saleWith("{" + lines(
		`"amount":9999999999.99,"tax_amount_imported":1.10`, `"amount":9999999999.99,"tax_amount_imported":2.20`,
		`"amount":-9999999999.99`,
	) + "}"))
	require.Equal(t, "9999999999.99", d.Subtotal.String(), "only the sum has to fit")
	require.Equal(t, "3.30", money.Format(d.TotalTaxAmountImported), "absent: the sum of the lines")
	d = b.accept(saleWith(`{"total_tax_amount_imported":0,` + lines(`"tax_amount_imported":-1.10`) + "}"))
	require.Equal(t, "-1.10", money.Format(d.TotalTaxAmountImported), "0: the sum of the lines")
	d = b.accept(saleWith(`{"total_tax_amount_imported":5,` + lines(`"tax_amount_imported":1`) + "}"))
	require.Equal(t, "5.00", money.Format(d.TotalTaxAmountImported))
}

func TestTransactionDraftRefuses(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	const most, discounted = "9999999999.99", ".discount_builder.discount_amount"
	for _, test := range []struct {
		rule, change string
		want         []string
	}{
		{
			"a credit note of nothing", `{"type":"FULL_CREDIT_NOTE","related_to":"txn_x"}`,
			[]string{"out_of_range body.total_amount"},
		},
		{
			"a tax refund with a status of sales",
			`{"type":"TAX_REFUND","related_to":"txn_x","total_amount":-1,"status":"INVALID"}`,
			[]string{"invalid_enum body.status"},
		},
		{
			"the sum of the amounts", `{` + lines(`"amount":`+most, `"amount":0.01`) + `}`,
			[]string{"out_of_range body.transaction_items"},
		},
		{"the sum of the discounts", `{` + lines(
			`"amount":`+most+`,`+discount("TRANSACTION_ITEM", most),
			`"amount":0,`+discount("TRANSACTION_ITEM", "0.01"),
		) + `}`,
			[]string{"out_of_range body.transaction_items[1]" + discounted, "out_of_range body.transaction_items"}},
		{"a discount above the amount of its line", `{` + lines(
			`"amount":5,`+discount("TRANSACTION_ITEM", "5"), `"amount":7,`+discount("TRANSACTION_ITEM", "7.01"),
			`"amount":-1,`+discount("TRANSACTION_ITEM", "0.01"), `"amount":-1,`+discount("TRANSACTION_ITEM", "0"),
		) + `}`,
			[]string{"out_of_range body.transaction_items[1]" + discounted, "out_of_range body.transaction_items[2]" +
				discounted}},
		{
			"discounts above the amount of the whole",
			`{` + lines(`"amount":5`, `"amount":7,`+discount("TRANSACTION", "10"),
				`"amount":0,`+discount("TRANSACTION", "2.01")) + `}`,
			[]string{"out_of_range body.transaction_items[1]" + discounted},
		},
		{
			"discounts above what the lines leave of it",
			`{` + lines(`"amount":5,`+discount("TRANSACTION_ITEM", "4"), `"amount":7,`+discount("TRANSACTION", "8.01")) + `}`,
			[]string{"out_of_range body.transaction_items[1]" + discounted},
		},
		{
			"the sum of the tax of the lines",
			`{` + lines(`"tax_amount_imported":`+most, `"tax_amount_imported":0.01`) + `}`,
			[]string{"out_of_range body.total_tax_amount_imported"},
		},
		{
			"the final total", `{"total_tax_liability_amount":0.01,` + lines(`"amount":`+most) + `}`,
			[]string{"out_of_range body.total_tax_liability_amount"},
		},
		{
			"a line after its discount",
			`{` + lines(`"amount":-`+most+`,`+discount("TRANSACTION_ITEM", "0.01"), `"amount":1`) + `}`,
			[]string{"out_of_range body.transaction_items[0]" + discounted, "out_of_range body.transaction_items[0].amount"},
		},
		{"the sum of discounts of the whole", `{` + lines(
			`"amount":1,`+discount("TRANSACTION", most), `"amount":1,`+discount("TRANSACTION", "0.01"),
		) + `}`,
			[]string{"out_of_range body.transaction_items[0]" + discounted}},
		{
			"the share of a line",
			`{` + lines(`"amount":`+most, `"amount":-9999999999.98,`+discount("TRANSACTION", "1")) + `}`,
			[]string{"out_of_range body.transaction_items[1]" + discounted},
		},
		{
			"no amount to allocate a discount to",
			`{` + lines(`"amount":5`, `"amount":-5,`+discount("TRANSACTION", "1")) + `}`,
			[]string{"out_of_range body.transaction_items[1]" + discounted},
		},
		{"an exemption that ends before the tax date it starts with",
			`{"requires_exemption":{"exemption_type":"transaction","end_date":"2026-05-14"},
			"exemptions":[{"exemption_type":"customer","end_date":"2026-05-15"},{"exemption_type":"customer",
				"end_date":"2026-05-13"}]}`,
			[]string{"mismatch body.requires_exemption.end_date", "mismatch body.exemptions[1].end_date"}},
		{"two customers", `{"customer_id":"cust_1","requires_exemption":{"exemption_type":"customer","customer_id":"cust_1"},
			"exemptions":[{"exemption_type":"customer","customer_id":"cust_2"}]}`, []string{
			"mismatch body.exemptions[0].customer_id",
		}},
		{"all faults together", `{"type":"PARTIAL_CREDIT_NOTE","related_to":"txn_x",` +
			`"requires_exemption":{"exemption_type":"customer","end_date":"2026-05-01"},` +
			lines(
				`"amount":0,`+discount("TRANSACTION", "1"), `"tax_amount_imported":`+most,
				`"tax_amount_imported":1`,
			) + `}`,
			[]string{"out_of_range body.total_amount", "not_allowed body.transaction_items[0].discount_builder",
				"out_of_range body.transaction_items[0]" + discounted,
				"out_of_range body.total_tax_amount_imported"}},
		// Rules of the contract on which the conversion relies.
		{"shop_date within one day", `{"shop_date":"2026-05-13"}`, []string{"mismatch body.shop_date"}},
		{
			"each address type once", `{"addresses":[{"type":"SHIP_TO"},{"type":"BILL_TO"},{"type":"SHIP_TO"}]}`,
			[]string{"duplicate_value body.addresses[2].type"},
		},
		{"total and quantity of a sale not negative", `{"total_amount":-0.01,` + lines(`"quantity":-1`) + `}`,
			[]string{"out_of_range body.total_amount", "out_of_range body.transaction_items[0].quantity"}},
	} {
		t.Run(test.rule, func(t *testing.T) {
			require.Equal(t, test.want, b.refuse(saleWith(test.change)))
		})
	}
}

func TestTransactionDraftDates(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	for _, test := range []struct{ rule, change, want string }{
		{"the UTC day of date", `{"date":"2026-05-15T00:30:00Z"}`, "2026-05-15"},
		{"the day as written with an offset", `{"date":"2026-05-15T00:30:00+02:00"}`, "2026-05-15"},
		{"shop_date one day later", `{"date":"2026-05-15T23:59:59Z","shop_date":"2026-05-16"}`, "2026-05-16"},
		{"shop_date one day earlier", `{"date":"2026-05-15T00:00:00Z","shop_date":"2026-05-14"}`, "2026-05-14"},
		{
			"the written day of a date-time",
			`{"date":"2026-05-15T12:00:00Z","shop_date":"2026-05-16T01:00:00+09:00"}`, "2026-05-16",
		},
	} {
		t.Run(test.rule, func(t *testing.T) {
			d := b.accept(saleWith(test.change))
			require.Equal(t, test.want, d.TaxDate.Format(time.DateOnly))
			require.Equal(t, time.UTC, d.Date.Location())
		})
	}
}

func TestTransactionDraftExemptions(t *testing.T) {
	t.Parallel()
	b := setupTransactions(t)
	d := b.accept(saleWith(`{"requires_exemption":{"exemption_type":"wholesale","reseller":true,"jurisdiction":"NY",
		"FEIN":"12","sales_tax_id":"34",
			"start_date":"2026-01-01T10:00:00Z","end_date":"2026-12-31","customer_id":"cust_1"},
		"exemptions":[{"id":"exmp_1"},{"exemption_type":"transaction","country_code":"CA"},{"id":"exmp_2",
			"exemption_type":"customer"},{"id":"exmp_1"},
			{"exemption_type":"customer","status":"INACTIVE"}]}`))
	require.Equal(t, []models.LinkedExemption{
		{ID: "exmp_1", Path: "exemptions[0].id"}, {ID: "exmp_2", Path: "exemptions[2].id"},
	}, d.LinkedExemptions)
	require.Equal(t, "cust_1", d.CustomerIDSent, "who the exemption is for must be the customer of the transaction")
	require.Equal(t, "requires_exemption.customer_id", d.CustomerIDPath)
	for change, path := range map[string]string{
		`{"exemptions":[{"id":"exmp_1"},{"exemption_type":"customer","customer_id":"cust_1"},{"exemption_type":"wholesale",` +
			`"customer_id":"cust_1"}]}`: "exemptions[1].customer_id",
		`{"exemptions":[{"exemption_type":"customer","customer_id":"cust_1"}],` +
			`"requires_exemption":{"exemption_type":"customer","customer_id":"cust_1"}}`: "requires_exemption.customer_id",
		`{"customer_id":"cust_1","requires_exemption":{"exemption_type":"customer",` +
			`"customer_id":"cust_1"}}`: "customer_id",
	} {
		require.Equal(t, path, b.accept(saleWith(change)).CustomerIDPath)
	}

	end := time.Date(2026, 12, 31, 0, 0, 0, 0, time.UTC)
	want := []models.Exemption{
		{OrganizationID: d.OrganizationID, ExemptionType: models.ExemptionWholesale, StartDate: time.Date(
			2026, 1, 1, 0, 0, 0, 0, time.UTC,
		), EndDate: &end,
			TransactionID: &d.ID, CountryCode: "US", Jurisdiction: new("NY"), Reseller: true, FEIN: new("12"),
			SalesTaxID: new("34"),
			Status:     models.ExemptionActive, CreatedAt: d.CreatedAt},
		{OrganizationID: d.OrganizationID, ExemptionType: models.ExemptionTransaction, StartDate: d.TaxDate,
			TransactionID: &d.ID, CountryCode: "CA",
			Status: models.ExemptionActive, CreatedAt: d.CreatedAt},
	}
	require.Empty(
		t, cmp.Diff(want, d.Exemptions, cmpopts.IgnoreFields(models.Exemption{}, "ID")),
		"an exemption that is not ACTIVE is not created",
	)
	require.True(t, models.IsID(models.PrefixExemption, d.Exemptions[0].ID))
	require.JSONEq(t, `[]`, exemptionsOf(b.send(
		http.MethodPost, "/v1/transactions", saleWith(`{"requires_exemption":{"exemption_type":"transaction"}}`),
	).Body.String()),
		"none is applied before it is processed")
}

func exemptionsOf(answer string) string {
	_, rest, _ := strings.Cut(answer, `"exemptions":`)
	list, _, _ := strings.Cut(rest, `,"external_id"`)
	return list
}
