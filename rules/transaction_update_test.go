package rules

import (
	"encoding/json"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

// storedSale is a processed sale with everything that a client can set.
func storedSale() models.Transaction {
	line := ofProduct("book", "100.00")
	line.ID, line.ExternalID, line.Date = "txi_1", given("line-1"), day("2026-05-15")
	line.TaxItems = []models.TaxItem{
		{Type: "IMPORTED", RuleID: "0001", Amount: amountOf("8.00"), Rate: amountOf("0.08")},
	}
	sold := inTexas(line)
	sold.ExternalID, sold.Source, sold.Date = "ORDER-1", "SHOP", day("2026-05-15")
	sold.Customer.ExternalID = "C-1"
	sold.TotalAmount, sold.TotalTaxAmountImported = amountOf("108.00"), amountOf("8.00")
	sold.ExemptSent, sold.TaxRounding = models.NotExempt, given("TAX_PER_LINE")
	sold.Addresses = []models.TransactionAddress{
		{Type: models.ShipTo, City: given("Austin"), State: given("TX"), Country: given("US")},
	}
	sold.RequiresExemption = json.RawMessage(`{"a": 1, "b": [2]}`)
	sold.ProcessingStatus = models.ProcessingProcessed
	return sold
}

// anotherVersion is a copy whose parts can be changed.
func anotherVersion() models.Transaction { return storedSale() }

func TestWhichFieldsOfATransactionDiffer(t *testing.T) {
	t.Parallel()
	for field, alter := range map[string]func(*models.Transaction){
		"external_id":               func(n *models.Transaction) { n.ExternalID = "ORDER-2" },
		"status":                    func(n *models.Transaction) { n.Status = models.StatusCancelled },
		"date":                      func(n *models.Transaction) { n.Date = n.Date.Add(time.Second) },
		"shop_date":                 func(n *models.Transaction) { n.ShopDate = given("2026-05-14") },
		"tax_rounding":              func(n *models.Transaction) { n.TaxRounding = given("TAX_PER_DOCUMENT") },
		"shop_date_tz":              func(n *models.Transaction) { n.ShopDateTZ = given("-05:00") },
		"description":               func(n *models.Transaction) { n.Description = given("x") },
		"marketplace":               func(n *models.Transaction) { n.Marketplace = true },
		"exempt":                    func(n *models.Transaction) { n.ExemptSent = models.FullyExempt },
		"related_to":                func(n *models.Transaction) { n.RelatedTo = given("txn_2") },
		"secondary_external_id":     func(n *models.Transaction) { n.SecondaryExternalID = given("x") },
		"secondary_source":          func(n *models.Transaction) { n.SecondarySource = given("x") },
		"external_friendly_id":      func(n *models.Transaction) { n.ExternalFriendlyID = given("x") },
		"source":                    func(n *models.Transaction) { n.Source = "OTHER" },
		"connection_id":             func(n *models.Transaction) { n.ConnectionID = given("x") },
		"tax_id":                    func(n *models.Transaction) { n.TaxID = given("x") },
		"city":                      func(n *models.Transaction) { n.Sent.City = "Dallas" },
		"county":                    func(n *models.Transaction) { n.Sent.County = "Dallas" },
		"state":                     func(n *models.Transaction) { n.Sent.State = "OK" },
		"postal_code":               func(n *models.Transaction) { n.Sent.PostalCode = "75201" },
		"country":                   func(n *models.Transaction) { n.Sent.Country = "CA" },
		"currency":                  func(n *models.Transaction) { n.Currency = "EUR" },
		"total_amount":              func(n *models.Transaction) { n.TotalAmount = amountOf("108.01") },
		"total_tax_amount_imported": func(n *models.Transaction) { n.TotalTaxAmountImported = amountOf("8.01") },
		"tax_rate_imported":         func(n *models.Transaction) { n.TaxRateImported = amountOf("0.08") },
		"customer":                  func(n *models.Transaction) { n.Customer.ExternalID = "C-2" },
		"addresses":                 func(n *models.Transaction) { n.Addresses[0].City = given("Dallas") },
		"transaction_items":         func(n *models.Transaction) { n.Items[0].Amount = amountOf("100.01") },
		"requires_exemption":        func(n *models.Transaction) { n.RequiresExemption = json.RawMessage(`{"a": 2}`) },
		"exemptions":                func(n *models.Transaction) { n.Sent.Exemptions = json.RawMessage(`[{}]`) },
	} {
		t.Run(field, func(t *testing.T) {
			t.Parallel()
			stored, next := storedSale(), anotherVersion()
			alter(&next)
			require.Equal(t, []string{field}, TransactionChanges(&stored, &next))
		})
	}
}

// Every text of a transaction is compared, unless Levy decides it. A new field must be compared, too, or be named
// here.
func TestEveryTextOfATransactionIsCompared(t *testing.T) {
	t.Parallel()
	decided := []string{
		"OrganizationID", "ID", "Type", "ProcessingStatus", "ProcessingReason", "RefundStatus", "CustomerID", "Exempt",
		"FilingID", "BatchID", "DuplicateOf", "TaxLiabilitySource", "DestinationCurrency", "AddressStatus", "ContentVersion", "Home",
		"City", "County", "State", "PostalCode", "Country", // Sent holds the values that were sent
	}
	fields := reflect.TypeFor[models.Transaction]()
	for i := range fields.NumField() {
		field := fields.Field(i)
		text := field.Type
		if text.Kind() == reflect.Pointer {
			text = text.Elem()
		}
		if text.Kind() != reflect.String || slices.Contains(decided, field.Name) {
			continue
		}
		stored, next := storedSale(), anotherVersion()
		value := reflect.New(text)
		value.Elem().SetString("another")
		if field.Type.Kind() != reflect.Pointer {
			value = value.Elem()
		}
		reflect.ValueOf(&next).Elem().Field(i).Set(value)
		require.Len(t, TransactionChanges(&stored, &next), 1, field.Name)
	}
}

func TestVersionsWithEqualContentAreEqual(t *testing.T) {
	t.Parallel()
	for name, alter := range map[string]func(stored, next *models.Transaction){
		"nothing was changed":          func(_, _ *models.Transaction) {},
		"an amount with more decimals": func(_, next *models.Transaction) { next.TotalAmount = amountOf("108.000") },
		"a moment in another zone": func(_, next *models.Transaction) {
			next.Date = next.Date.In(time.FixedZone("", 3600))
		},
		"a text that is empty instead of absent": func(_, next *models.Transaction) { next.Description = given("") },
		"JSON in another layout": func(_, next *models.Transaction) {
			next.RequiresExemption = json.RawMessage(`{"b":[2],"a":1}`)
		},
		"what processing calculated": func(stored, _ *models.Transaction) {
			stored.Items[0].TaxItems = append(stored.Items[0].TaxItems, models.TaxItem{
				Type: models.TaxItemCalculated, RuleID: "us-tx",
			})
		},
		"a line that answers show as exempt": func(stored, next *models.Transaction) {
			stored.Items[0].Exempt, stored.Items[0].TaxExemption = true, given("CUSTOMER")
			next.Items[0].ExemptSent, next.Items[0].TaxExemptionSent = true, given("CUSTOMER")
		},
		"a product name that is the catalogue's": func(stored, _ *models.Transaction) {
			stored.Items[0].ProductName, stored.Items[0].ProductDescription = given("Book"), given("With pages")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored, next := storedSale(), anotherVersion()
			alter(&stored, &next)
			require.Empty(t, TransactionChanges(&stored, &next))
		})
	}
}

func TestChangesOfLinesAndAddressesAreFound(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		alter func(*models.Transaction)
		field string
	}{
		"a line less": {func(n *models.Transaction) { n.Items = nil }, "transaction_items"},
		"another product": {
			func(n *models.Transaction) { n.Items[0].ExternalProductID = "cup" }, "transaction_items",
		},
		"another quantity": {
			func(n *models.Transaction) { n.Items[0].Quantity = amountOf("2") }, "transaction_items",
		},
		"another discount": {
			func(n *models.Transaction) {
				n.Items[0].Sent = &models.SubmittedLine{Discount: discount(models.DiscountOfLine, "1")}
			}, "transaction_items",
		},
		"another bearer of a coupon": {
			func(n *models.Transaction) {
				n.Items[0].SetTerms(tax.DiscountTerms{ReimbursedBy: tax.ReimbursedByManufacturer})
			}, "transaction_items",
		},
		"a line that is exempt": {
			func(n *models.Transaction) { n.Items[0].ExemptSent = true }, "transaction_items",
		},
		"another imported tax line": {
			func(n *models.Transaction) { n.Items[0].TaxItems[0].Amount = amountOf("7") }, "transaction_items",
		},
		"no imported tax line": {func(n *models.Transaction) { n.Items[0].TaxItems = nil }, "transaction_items"},
		"a name that is sent": {
			func(n *models.Transaction) { n.Items[0].ProductName = given("x") }, "transaction_items",
		},
		"an address of another type": {
			func(n *models.Transaction) { n.Addresses[0].Type = models.BillTo }, "addresses",
		},
		"an address more": {
			func(n *models.Transaction) {
				n.Addresses = append(n.Addresses, models.TransactionAddress{Type: models.BillTo})
			}, "addresses",
		},
		"an unincorporated place": {
			func(n *models.Transaction) { n.Addresses[0].IsUnincorporated = true }, "addresses",
		},
		"JSON that cannot be read": {
			func(n *models.Transaction) { n.RequiresExemption = json.RawMessage(`{`) }, "requires_exemption",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored, next := storedSale(), anotherVersion()
			c.alter(&next)
			require.Equal(t, []string{c.field}, TransactionChanges(&stored, &next))
		})
	}
}

func TestWhichUpdateOfATransactionIsAllowed(t *testing.T) {
	t.Parallel()
	cheaper := func(_, next *models.Transaction) { next.TotalAmount = amountOf("1.00") }
	for name, c := range map[string]struct {
		alter    func(stored, next *models.Transaction)
		credited bool
		refusal  error
	}{
		"any other content": {alter: cheaper},
		"a sale with credit notes": {
			alter: cheaper, credited: true,
			refusal: &models.HasCreditNotesError{Fields: []string{"total_amount"}},
		},
		"the collected tax that credit notes give back": {
			alter:    func(_, next *models.Transaction) { next.TotalTaxAmountImported = amountOf("1.00") },
			credited: true,
			refusal:  &models.HasCreditNotesError{Fields: []string{"total_tax_amount_imported"}},
		},
		"a field that no credit note depends on": {
			alter:    func(_, next *models.Transaction) { next.Description = given("x") },
			credited: true,
		},
		"a credit note": {
			alter: func(stored, _ *models.Transaction) {
				stored.Type, stored.RelatedTo = models.TypeTaxRefund, given("txn_0")
			},
			refusal: &models.CreditEndpointError{RelatedTo: "txn_0"},
		},
		"a sale that a filing has claimed": {
			alter: func(stored, _ *models.Transaction) {
				stored.ProcessingStatus, stored.FilingID = models.ProcessingFilingStarted, given("filg_1")
			},
			refusal: &models.LockedError{FilingID: "filg_1"},
		},
		"an archived sale": {
			alter:   func(stored, _ *models.Transaction) { stored.ProcessingStatus = models.ProcessingArchived },
			refusal: &models.LockedError{},
		},
		"a status that cannot follow": {
			alter: func(_, next *models.Transaction) { next.Status = models.StatusPending },
			refusal: &models.TransitionError{
				From: "COMMITTED", To: "PENDING", Allowed: []string{"CANCELLED", "INVALID", "ARCHIVED"},
			},
		},
		"being a refund comes first": {
			alter: func(stored, next *models.Transaction) {
				stored.Type, stored.ProcessingStatus, next.Status = models.TypeTaxRefund, models.ProcessingLocked,
					models.StatusPending
			},
			refusal: &models.CreditEndpointError{},
		},
		"being locked comes before the status": {
			alter: func(stored, next *models.Transaction) {
				stored.ProcessingStatus, next.Status = models.ProcessingLocked, models.StatusPending
			},
			refusal: &models.LockedError{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored, next := storedSale(), anotherVersion()
			c.alter(&stored, &next)
			require.Equal(t, c.refusal, CheckUpdate(&stored, &next, c.credited))
		})
	}
}

func TestWhichTransactionMayBeArchived(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind     models.TransactionType
		status   models.TransactionStatus
		at       models.ProcessingStatus
		credited bool
		refusal  error
	}{
		"a committed sale": {models.TypeSale, models.StatusCommitted, models.ProcessingProcessed, false, nil},
		"an archived one":  {models.TypeSale, models.StatusArchived, models.ProcessingArchived, true, nil},
		"a locked one": {
			models.TypeSale, models.StatusCommitted, models.ProcessingLocked, false, &models.LockedError{},
		},
		"one with credit notes": {
			models.TypeSale, models.StatusCommitted, models.ProcessingProcessed, true,
			&models.HasCreditNotesError{Fields: []string{"status"}},
		},
		"a pending credit note": {models.TypeTaxRefund, models.StatusPending, models.ProcessingPending, false, nil},
		"a cancelled credit note": {
			models.TypeTaxRefund, models.StatusCancelled, models.ProcessingExcluded, false, nil,
		},
		"a committed credit note": {
			models.TypeTaxRefund, models.StatusCommitted, models.ProcessingProcessed, false,
			&models.TransitionError{From: "COMMITTED", To: "ARCHIVED", Allowed: []string{"CANCELLED"}},
		},
		"a locked one with a note": {
			models.TypeSale, models.StatusCommitted, models.ProcessingFilingDone, true, &models.LockedError{},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored := storedSale()
			stored.Type, stored.Status, stored.ProcessingStatus = c.kind, c.status, c.at
			require.Equal(t, c.refusal, CheckArchive(&stored, c.credited))
		})
	}
}

func TestWhichTransactionMayBeProcessedAgain(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		status  models.ProcessingStatus
		filing  string
		refusal error
	}{
		"one that is processed":               {models.ProcessingProcessed, "", nil},
		"one that waits for a rate":           {models.ProcessingNeedsRefetch, "", nil},
		"one that is queued is only tried":    {models.ProcessingQueued, "", nil},
		"one that is under way is only tried": {models.ProcessingNexusDone, "", nil},
		"one in a filing": {
			models.ProcessingProcessed, "filg_1", &models.LockedError{FilingID: "filg_1"},
		},
		"one that a filing has claimed": {
			models.ProcessingFilingStarted, "filg_1", &models.LockedError{FilingID: "filg_1"},
		},
		"one that was filed":   {models.ProcessingLocked, "", &models.LockedError{}},
		"one that is archived": {models.ProcessingArchived, "", &models.LockedError{}},
		"one whose status excludes it": {models.ProcessingExcluded, "", &models.TransitionError{
			From: "EXCLUDED_IN_CALCULATION", To: "QUEUED", Allowed: []string{"UPDATED", "ARCHIVED"},
		}},
		"one that its merchant has not committed": {models.ProcessingPending, "", &models.TransitionError{
			From: "PENDING", To: "QUEUED", Allowed: []string{"UPDATED", "ARCHIVED"},
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stored := storedSale()
			stored.ProcessingStatus, stored.FilingID = c.status, given(c.filing)
			require.Equal(t, c.refusal, CheckReprocess(&stored))
		})
	}
}

// The address of each type keeps its id; the addresses stand in the order of their ids, in which they are read.
func TestAddressesKeepTheirIDs(t *testing.T) {
	t.Parallel()
	addresses := func(list ...string) (all []models.TransactionAddress) {
		for i := 0; i < len(list); i += 2 {
			all = append(all, models.TransactionAddress{ID: list[i], Type: models.AddressType(list[i+1])})
		}
		return all
	}
	for name, c := range map[string]struct{ stored, next, want []models.TransactionAddress }{
		"the same type": {addresses("a", "SHIP_TO"), addresses("x", "SHIP_TO"), addresses("a", "SHIP_TO")},
		"another order": {addresses("a", "SHIP_TO", "b", "BILL_TO"), addresses("x", "BILL_TO", "y", "SHIP_TO"),
			addresses("a", "SHIP_TO", "b", "BILL_TO")},
		"another type": {addresses("a", "SHIP_TO"), addresses("x", "BILL_TO"), addresses("x", "BILL_TO")},
		"one more": {addresses("b", "SHIP_TO"), addresses("x", "SHIP_TO", "a", "BILL_TO"),
			addresses("a", "BILL_TO", "b", "SHIP_TO")},
		"none are left": {addresses("a", "SHIP_TO"), nil, nil},
	} {
		KeepAddressIDs(c.stored, c.next)
		require.Equal(t, c.want, c.next, name)
	}
}

func TestTheHistoryNamesTheFieldsOfAnUpdate(t *testing.T) {
	t.Parallel()
	stored, next := storedSale(), anotherVersion()
	require.Equal(t, map[string]any{"changed": []string{}}, UpdateDetail(&stored, &next))
	next.Status, next.TotalAmount, next.Subtotal = models.StatusCancelled, amountOf("1.00"), amountOf("2")
	next.TotalDiscount, next.TotalTaxAmountImported, next.TaxDate = amountOf("3.00"), amountOf("0"),
		calendar.MustDate("2026-05-16").Time()
	require.Equal(t, map[string]any{
		"changed":                   []string{"status", "total_amount", "total_tax_amount_imported"},
		"status":                    map[string]any{"from": models.StatusCommitted, "to": models.StatusCancelled},
		"total_amount":              map[string]any{"from": "108.00", "to": "1.00"},
		"subtotal":                  map[string]any{"from": "0.00", "to": "2.00"},
		"total_discount":            map[string]any{"from": "0.00", "to": "3.00"},
		"total_tax_amount_imported": map[string]any{"from": "8.00", "to": "0.00"},
		"tax_date":                  map[string]any{"from": "2026-05-15", "to": "2026-05-16"},
	}, UpdateDetail(&stored, &next))
}

func TestLinesOfANewVersionKeepTheirIDs(t *testing.T) {
	t.Parallel()
	stored := []models.TransactionItem{
		{ID: "txi_1", ExternalID: given("a")}, {ID: "txi_2", ExternalID: given("a")}, {ID: "txi_3", ExternalID: given("b")},
		{ID: "txi_4"},
	}
	for name, c := range map[string]struct {
		next []LineName
		want []int
	}{
		"by external id, in order":             {[]LineName{{"", "a"}, {"", "a"}, {"", "b"}}, []int{0, 1, 2}},
		"by the id that was sent":              {[]LineName{{"txi_4", "x"}}, []int{3}},
		"an id counts before an external id":   {[]LineName{{"", "a"}, {"txi_1", ""}}, []int{1, 0}},
		"each line is continued once":          {[]LineName{{"", "b"}, {"", "b"}}, []int{2, -1}},
		"an id that was sent twice":            {[]LineName{{"txi_4", ""}, {"txi_4", ""}}, []int{3, -1}},
		"an id that is not of this sale":       {[]LineName{{"txi_9", ""}}, []int{-1}},
		"without ids there is nothing to find": {[]LineName{{"", ""}}, []int{-1}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, ContinuedLines(stored, c.next))
		})
	}
}
