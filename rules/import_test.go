package rules

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
)

// recorded is a sale, and the row of an export that has the same content.
func recorded() (*models.TransactionDraft, *models.StoredSale) {
	line := models.ExportLine{
		Type: models.TypeSale, Status: models.StatusCommitted, Date: day("2026-05-15"), TaxDate: day("2026-05-15"),
		Currency:           "USD",
		CustomerExternalID: "C-1", TransactionTotal: amountOf("108.00"), TransactionTaxImported: amountOf("8.00"),
		ItemExternalID: given("line-1"), ExternalProductID: "book", Quantity: amountOf("1"), Amount: amountOf("100.00"),
		Discount: amountOf("0.00"), TaxAmountImported: amountOf("8.00"),
		Country: given("US"), State: given("TX"), City: given("AUSTIN"), PostalCode: given("78701"),
	}
	d := &models.TransactionDraft{}
	d.Type, d.Status, d.Date, d.TaxDate, d.Currency = line.Type, line.Status, line.Date, line.TaxDate, line.Currency
	d.Customer.ExternalID, d.TotalAmount, d.TotalTaxAmountImported = "C-1", amountOf("108.00"), amountOf("8.00")
	item := ofProduct("book", "100.00")
	item.ExternalID, item.TaxAmountImported = given("line-1"), amountOf("8.00")
	d.Items = []models.TransactionItem{item}
	d.Addresses = []models.TransactionAddress{
		{Type: models.ShipTo, Country: given("US"), State: given("Texas"), City: given("Austin")},
	}
	sent := models.TransactionAddress{Country: given("US"), State: given("Texas"), City: given("Austin")}
	return d, &models.StoredSale{ID: "txn_1", Lines: []models.ExportLine{line}, Sent: sent}
}

func TestAnImportComparesEveryColumnWithTheRecord(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		alter   func(*models.TransactionDraft, *models.StoredSale)
		columns []string
		want    []string
	}{
		"the same": {alter: func(*models.TransactionDraft, *models.StoredSale) {}},
		"the transaction is not recorded": {
			alter: func(_ *models.TransactionDraft, s *models.StoredSale) { s.Lines = nil },
			want:  []string{"external_id"},
		},
		"another status": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Status = models.StatusPending },
			want:  []string{"status"},
		},
		"another moment": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Date = d.Date.Add(time.Second) },
			want:  []string{"date"},
		},
		"another tax date": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.TaxDate = day("2026-05-16") },
			want:  []string{"tax_date"},
		},
		"another time zone": {
			alter:   func(d *models.TransactionDraft, _ *models.StoredSale) { d.ShopDateTZ = given("Asia/Tokyo") },
			columns: []string{"shop_date_tz"}, want: []string{"shop_date_tz"},
		},
		"a time zone that is no column": {
			alter: func(_ *models.TransactionDraft, s *models.StoredSale) { s.Lines[0].ShopDateTZ = given("Asia/Tokyo") },
		},
		"a refund with the time zone of its sale": {
			alter: func(d *models.TransactionDraft, s *models.StoredSale) {
				d.Type, s.Lines[0].Type = models.TypeFullCreditNote, models.TypeFullCreditNote
				s.Lines[0].ShopDateTZ = given("Asia/Tokyo")
			},
			columns: []string{"shop_date_tz"},
		},
		"another currency": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Currency = "EUR" },
			want:  []string{"currency"},
		},
		"another customer": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Customer.ExternalID = "C-2" },
			want:  []string{"customer_external_id"},
		},
		"through a marketplace": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Marketplace = true },
			want:  []string{"marketplace"},
		},
		"of another sale": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.RelatedTo = given("txn_0") },
			want:  []string{"related_to"},
		},
		"another total": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.TotalAmount = amountOf("108.01") },
			want:  []string{"transaction_total_amount"},
		},
		"the sign of a total": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.TotalAmount = amountOf("-108.00") },
			want:  []string{"transaction_total_amount"},
		},
		"a total that the row does not say": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) {
				d.TotalAmount, d.TotalMissing = amountOf("1.00"), true
			},
		},
		"a tax that is no column": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.TotalTaxAmountImported = amountOf("1.00") },
		},
		"a tax that is a column": {
			alter:   func(d *models.TransactionDraft, _ *models.StoredSale) { d.TotalTaxAmountImported = amountOf("1.00") },
			columns: []string{"transaction_tax_amount_imported"}, want: []string{"transaction_tax_amount_imported"},
		},
		"an address as processing normalized it": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) {
				d.Addresses[0].State, d.Addresses[0].City = given("TX"), given("AUSTIN")
			},
		},
		"a part of an address that is empty": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Addresses[0].City = nil },
		},
		"another city": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Addresses[0].City = given("Dallas") },
			want:  []string{"city"},
		},
		"another street": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) { d.Addresses[0].Street1 = given("2 Main St") },
			want:  []string{"street_1"},
		},
		"the street as it was sent": {
			alter: func(d *models.TransactionDraft, s *models.StoredSale) {
				d.Addresses[0].Street1, s.Sent.Street1 = given(" 1 Main St"), given(" 1 Main St")
			},
		},
		"the street as an export has it": {
			alter: func(d *models.TransactionDraft, s *models.StoredSale) {
				d.Addresses[0].Street1, s.Sent.Street1, s.Lines[0].Street = given("1 Main St"),
					given(" 1 Main St"), given("1 Main St")
			},
		},
		"an address that is not the destination": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) {
				d.Addresses = append(d.Addresses, models.TransactionAddress{Type: models.BillTo, City: given("Dallas")})
			},
		},
		"a line more": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) {
				d.Items = append(
					d.Items, d.Items[0],
				)
			}, want: []string{"item_id"},
		},
		"everything of a line": {
			alter: func(d *models.TransactionDraft, _ *models.StoredSale) {
				d.Items[0] = models.TransactionItem{
					ExternalProductID: "cup", Quantity: amountOf("2"), TotalDiscount: amountOf("1"),
				}
			},
			want: []string{
				"item_external_id", "external_product_id", "quantity", "amount", "discount",
				"tax_amount_imported",
			},
		},
		"a refund, whose lines and customer may be those of the sale": {
			alter: func(d *models.TransactionDraft, s *models.StoredSale) {
				d.Type, s.Lines[0].Type = models.TypeFullCreditNote, models.TypePartialCreditNote
				d.TotalAmount, d.Items, d.Customer.ExternalID, d.Marketplace = amountOf("-108.00"), nil, "", true
			},
		},
		"a refund of tax is no credit note": {
			alter: func(d *models.TransactionDraft, s *models.StoredSale) {
				d.Type, s.Lines[0].Type = models.TypeTaxRefund, models.TypePartialCreditNote
			},
			want: []string{"type"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d, stored := recorded()
			c.alter(d, stored)
			require.Equal(t, c.want, DifferingColumns(d, stored, c.columns))
		})
	}
}
