package rules

import (
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
)

func amountOf(s string) decimal.Decimal { return decimal.MustParse(s) }

func item(no int, amount string) models.TransactionItem {
	return models.TransactionItem{
		LineNo: no, Amount: amountOf(amount), TotalDiscount: amountOf("0.00"), Quantity: amountOf("1"),
	}
}

func inTexas(items ...models.TransactionItem) models.Transaction {
	txn := sale()
	txn.CustomerID = "cust_1"
	txn.Place = &tax.Place{Country: "US", State: "TX", Status: tax.StatusVerified}
	txn.Items = items
	return txn
}

func day(s string) time.Time { return calendar.MustDate(s).Time() }

func exemption(kind models.ExemptionType, id string) models.Exemption {
	return models.Exemption{
		ID: id, ExemptionType: kind, StartDate: day("2026-01-01"), CountryCode: "US",
		Status: models.ExemptionActive, CustomerID: given("cust_1"),
	}
}

func TestExemptionApplies(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(*models.Exemption)
		want   bool
	}{
		"as it stands":                       {func(*models.Exemption) {}, true},
		"EXPIRED still counts for its dates": {func(e *models.Exemption) { e.Status = models.ExemptionExpired }, true},
		"INACTIVE does not": {
			func(e *models.Exemption) { e.Status = models.ExemptionInactive }, false,
		},
		"DEACTIVATED does not": {
			func(e *models.Exemption) { e.Status = models.ExemptionDeactivated }, false,
		},
		"ARCHIVED does not": {
			func(e *models.Exemption) { e.Status = models.ExemptionArchived }, false,
		},
		"from its first day": {func(e *models.Exemption) { e.StartDate = day("2026-05-15") }, true},
		"not before it":      {func(e *models.Exemption) { e.StartDate = day("2026-05-16") }, false},
		"until its last day": {
			func(e *models.Exemption) { e.EndDate = given(day("2026-05-15")) }, true,
		},
		"not after it": {
			func(e *models.Exemption) { e.EndDate = given(day("2026-05-14")) }, false,
		},
		"in its state":                       {func(e *models.Exemption) { e.Jurisdiction = given("tx") }, true},
		"not in another":                     {func(e *models.Exemption) { e.Jurisdiction = given("NY") }, false},
		"in the country, said twice":         {func(e *models.Exemption) { e.Jurisdiction = given("US") }, true},
		"not in another country":             {func(e *models.Exemption) { e.CountryCode = "CA" }, false},
		"to the transaction it was made for": {func(e *models.Exemption) { e.TransactionID = given("txn_1") }, true},
		"to no other transaction":            {func(e *models.Exemption) { e.TransactionID = given("txn_2") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			e := exemption(models.ExemptionCustomer, "exmp_1")
			c.change(&e)
			require.Equal(t, c.want, exemptionApplies(e, inTexas()))
		})
	}
}

// Puerto Rico has a country code of its own and is a state for taxes.
func TestExemptionInPuertoRico(t *testing.T) {
	t.Parallel()
	there := inTexas()
	there.Place = &tax.Place{Country: "US", State: "PR", Status: tax.StatusVerified}
	for _, e := range []models.Exemption{
		{CountryCode: "PR"}, {CountryCode: "PR", Jurisdiction: given("PR")},
		{CountryCode: "US", Jurisdiction: given("PR")},
	} {
		e.StartDate, e.Status = day("2026-01-01"), models.ExemptionActive
		require.True(t, exemptionApplies(e, there), "%+v", e)
		require.False(t, exemptionApplies(e, inTexas()), "%+v", e)
	}
}

func TestExemptionOfLines(t *testing.T) {
	t.Parallel()
	product := func(i models.TransactionItem) models.TransactionItem { i.ProductTaxExempt = true; return i }
	flagged := func(i models.TransactionItem, reason string) models.TransactionItem {
		i.ExemptSent, i.TaxExemptionSent = true, given(reason)
		return i
	}
	everywhere := exemption(models.ExemptionCustomer, "exmp_1")
	inState := exemption(models.ExemptionCustomer, "exmp_2")
	inState.Jurisdiction = given("TX")
	country := exemption(models.ExemptionCustomer, "exmp_1")
	country.Jurisdiction = given("us")
	wholesale := exemption(models.ExemptionWholesale, "exmp_0")
	single := exemption(models.ExemptionTransaction, "exmp_00")
	single.TransactionID = given("txn_1")

	for name, c := range map[string]struct {
		items      []models.TransactionItem
		exemptions []models.Exemption
		sent       models.ExemptStatus
		status     models.ExemptStatus
		reasons    []string
		applied    []string
	}{
		"nothing": {
			[]models.TransactionItem{item(1, "10")}, nil, "", models.NotExempt, []string{""}, nil,
		},
		"a product": {
			[]models.TransactionItem{product(item(1, "10")), item(2, "5")}, nil, "", models.PartiallyExempt,
			[]string{"PRODUCT", ""}, nil,
		},
		"every line with a value": {
			[]models.TransactionItem{product(item(1, "10")), item(2, "0")}, nil, "", models.FullyExempt,
			[]string{"PRODUCT", ""}, nil,
		},
		"a line of amount 0 gets no exemption": {
			[]models.TransactionItem{product(item(1, "0")), item(2, "5")}, nil, "", models.NotExempt,
			[]string{"PRODUCT", ""}, nil,
		},
		"the customer": {
			[]models.TransactionItem{item(1, "10"), item(2, "5")}, []models.Exemption{everywhere}, "",
			models.FullyExempt, []string{"CUSTOMER", "CUSTOMER"}, []string{"exmp_1"},
		},
		"wholesale": {
			[]models.TransactionItem{item(1, "10")}, []models.Exemption{wholesale}, "", models.FullyExempt,
			[]string{"WHOLESALE"}, []string{"exmp_0"},
		},
		"an exemption of the transaction": {
			[]models.TransactionItem{item(1, "10")}, []models.Exemption{single}, "", models.FullyExempt,
			[]string{"TRANSACTION"}, []string{"exmp_00"},
		},
		"the customer before the transaction": {
			[]models.TransactionItem{item(1, "10")}, []models.Exemption{single, wholesale, everywhere}, "",
			models.FullyExempt, []string{"CUSTOMER"}, []string{"exmp_1"},
		},
		"the state before the country": {
			[]models.TransactionItem{item(1, "10")}, []models.Exemption{everywhere, inState}, "",
			models.FullyExempt, []string{"CUSTOMER"}, []string{"exmp_2"},
		},
		"the state before the country, said twice": {
			[]models.TransactionItem{item(1, "10")}, []models.Exemption{country, inState}, "",
			models.FullyExempt, []string{"CUSTOMER"}, []string{"exmp_2"},
		},
		"the older of two": {
			[]models.TransactionItem{item(1, "10")}, []models.Exemption{exemption(models.ExemptionCustomer, "exmp_2"), country},
			"", models.FullyExempt, []string{"CUSTOMER"}, []string{"exmp_1"},
		},
		"the product before the customer": {
			[]models.TransactionItem{product(item(1, "10"))}, []models.Exemption{everywhere}, "",
			models.FullyExempt, []string{"PRODUCT"}, nil,
		},
		"the flag of a line": {
			[]models.TransactionItem{flagged(item(1, "10"), ""), item(2, "1")}, nil, "", models.PartiallyExempt,
			[]string{"TRANSACTION", ""}, nil,
		},
		"the flag of a line with its reason": {
			[]models.TransactionItem{flagged(item(1, "10"), "EXPORT")}, nil, "", models.FullyExempt,
			[]string{"EXPORT"}, nil,
		},
		"the whole transaction as sent": {
			[]models.TransactionItem{item(1, "10"), item(2, "5")}, nil, models.FullyExempt, models.FullyExempt,
			[]string{"TRANSACTION", "TRANSACTION"}, nil,
		},
		"fields that Levy sets change nothing when a client sends them": {
			[]models.TransactionItem{item(1, "10")}, nil, models.PartiallyExempt, models.NotExempt, []string{""},
			nil,
		},
		"only lines without value": {
			[]models.TransactionItem{item(1, "0")}, nil, "", models.NotExempt, []string{""}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			txn := inTexas(c.items...)
			txn.Exemptions, txn.ExemptSent = c.exemptions, c.sent
			outcome, err := DecideExemptions(txn)
			require.NoError(t, err)
			require.Equal(t, c.status, outcome.Exempt)
			require.Equal(t, c.applied, outcome.Applied)
			require.Len(t, outcome.Lines, len(c.items))
			for i, line := range outcome.Lines {
				require.Equal(t, c.items[i].LineNo, line.LineNo)
				require.Equal(t, c.reasons[i], line.TaxExemption)
				require.Equal(t, c.reasons[i] != "", line.Exempt)
			}
		})
	}
}

// A line of a refund is exempt where the line that it refunds was, whatever exemptions exist now.
func TestALineOfARefundIsExemptAsItsOriginal(t *testing.T) {
	t.Parallel()
	free, taxed := item(1, "10.00"), item(2, "5.00")
	free.Exempt, free.TaxExemption, free.ExemptionID = true, given("CUSTOMER"), given("exmp_0")
	refunds := func(no, of int) models.TransactionItem {
		back := item(no, "1.00")
		back.OriginalLine, back.ProductTaxExempt = &of, true
		return back
	}
	for name, c := range map[string]struct {
		items   []models.TransactionItem
		status  models.ExemptStatus
		lines   []models.LineExemption
		applied []string
	}{
		"an exempt line": {
			[]models.TransactionItem{refunds(1, 1)}, models.FullyExempt,
			[]models.LineExemption{{LineNo: 1, Exempt: true, TaxExemption: "CUSTOMER", ExemptionID: "exmp_0"}},
			[]string{"exmp_0"},
		},
		"a taxed line": {
			[]models.TransactionItem{refunds(1, 2)}, models.NotExempt, []models.LineExemption{{LineNo: 1}}, nil,
		},
		"a line that the original has not": {
			[]models.TransactionItem{refunds(1, 7)}, models.NotExempt, []models.LineExemption{{LineNo: 1}}, nil,
		},
		"both, in another order": {
			[]models.TransactionItem{refunds(1, 2), refunds(2, 1)}, models.PartiallyExempt,
			[]models.LineExemption{{LineNo: 1}, {LineNo: 2, Exempt: true, TaxExemption: "CUSTOMER", ExemptionID: "exmp_0"}},
			[]string{"exmp_0"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			back := inTexas(c.items...)
			back.Type = models.TypePartialCreditNote
			back.Original = &models.Original{Items: []models.TransactionItem{free, taxed}}
			back.Exemptions = []models.Exemption{exemption(models.ExemptionCustomer, "exmp_1")}
			back.ExemptSent = models.FullyExempt
			outcome, err := DecideExemptions(back)
			require.NoError(t, err)
			require.Equal(t, c.status, outcome.Exempt)
			require.Equal(t, c.lines, outcome.Lines)
			require.Equal(t, c.applied, outcome.Applied)
		})
	}
}

func TestExemptionsWithEqualContentAreEqual(t *testing.T) {
	t.Parallel()
	base := exemption(models.ExemptionCustomer, "exmp_1")
	base.EndDate = at("2026-12-31")
	for name, c := range map[string]struct {
		alter func(*models.Exemption)
		same  bool
	}{
		"whatever their ids":                 {func(e *models.Exemption) { e.ID = "exmp_2" }, true},
		"an empty text equals an absent one": {func(e *models.Exemption) { e.FEIN = given("") }, true},
		"the same last day":                  {func(e *models.Exemption) { e.EndDate = at("2026-12-31") }, true},
		"another last day":                   {func(e *models.Exemption) { e.EndDate = at("2026-12-30") }, false},
		"no last day":                        {func(e *models.Exemption) { e.EndDate = nil }, false},
		"another first day":                  {func(e *models.Exemption) { e.StartDate = day("2026-01-02") }, false},
		"another kind": {
			func(e *models.Exemption) { e.ExemptionType = models.ExemptionWholesale }, false,
		},
		"another country":              {func(e *models.Exemption) { e.CountryCode = "CA" }, false},
		"another state":                {func(e *models.Exemption) { e.Jurisdiction = new("TX") }, false},
		"another customer":             {func(e *models.Exemption) { e.CustomerID = new("cust_2") }, false},
		"for one transaction":          {func(e *models.Exemption) { e.TransactionID = new("txn_1") }, false},
		"for resale":                   {func(e *models.Exemption) { e.Reseller = true }, false},
		"of another status":            {func(e *models.Exemption) { e.Status = models.ExemptionExpired }, false},
		"with another number of a tax": {func(e *models.Exemption) { e.SalesTaxID = new("1") }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			other := base
			c.alter(&other)
			require.Equal(t, c.same, SameGrant(base, other))
			require.Equal(t, c.same, SameGrant(other, base))
		})
	}
}

func inQuebec(items ...models.TransactionItem) models.Transaction {
	txn := inTexas(items...)
	txn.Currency = "CAD"
	txn.Place = &tax.Place{
		Country: "CA", State: "QC", Status: tax.StatusVerified, Resolution: tax.ResolutionState,
		Jurisdictions: []string{"CA", "CA-QC"},
	}
	return txn
}

// An exemption for a province of Canada leaves the lines taxed by the country: what frees them altogether goes before it.
func TestAnExemptionForAProvinceLeavesLinesTaxed(t *testing.T) {
	t.Parallel()
	province := exemption(models.ExemptionCustomer, "exmp_1")
	province.CountryCode, province.Jurisdiction = "CA", given("qc")
	country := exemption(models.ExemptionTransaction, "exmp_2")
	country.CountryCode = "CA"
	said := item(1, "10.00")
	said.ExemptSent = true
	freed := models.LineExemption{LineNo: 1, Exempt: true, TaxExemption: "TRANSACTION"}
	freedByCountry := freed
	freedByCountry.ExemptionID = "exmp_2"
	for name, c := range map[string]struct {
		item       models.TransactionItem
		sent       models.ExemptStatus
		exemptions []models.Exemption
		line       models.LineExemption
	}{
		"alone": {
			item(1, "10.00"), "", []models.Exemption{province}, models.LineExemption{LineNo: 1, ExemptionID: "exmp_1"},
		},
		"beside one for the country": {item(1, "10.00"), "", []models.Exemption{province, country}, freedByCountry},
		"of a line sent as exempt":   {said, "", []models.Exemption{province}, freed},
		"of a sale sent as exempt":   {item(1, "10.00"), models.FullyExempt, []models.Exemption{province}, freed},
	} {
		txn := inQuebec(c.item)
		txn.ExemptSent, txn.Exemptions = c.sent, c.exemptions
		outcome, err := DecideExemptions(txn)
		require.NoError(t, err)
		require.Equal(t, []models.LineExemption{c.line}, outcome.Lines, name)
		status := models.FullyExempt
		if !c.line.Exempt {
			status = models.NotExempt
		}
		require.Equal(t, status, outcome.Exempt, name)
	}
}

// A refund says by which exemption the line that it refunds was free of the tax of a province.
func TestARefundKeepsTheExemptionForAProvince(t *testing.T) {
	t.Parallel()
	sold, back := item(1, "10.00"), item(1, "10.00")
	sold.ExemptionID, back.OriginalLine = given("exmp_1"), new(1)
	txn := inQuebec(back)
	txn.Type = models.TypeFullCreditNote
	txn.Original = &models.Original{Items: []models.TransactionItem{sold}}
	outcome, err := DecideExemptions(txn)
	require.NoError(t, err)
	require.Equal(t, []models.LineExemption{{LineNo: 1, ExemptionID: "exmp_1"}}, outcome.Lines)
	require.Equal(t, []string{"exmp_1"}, outcome.Applied)
}

// The parts of a country with one tax on value added have none of their own: the line stays taxed, for stage 4 to say so.
func TestAnExemptionForAPartOfGermanyLeavesLinesTaxed(t *testing.T) {
	t.Parallel()
	bavaria := exemption(models.ExemptionCustomer, "exmp_1")
	bavaria.CountryCode, bavaria.Jurisdiction = "DE", given("BY")
	txn := inTexas(item(1, "10.00"))
	txn.Place = &tax.Place{Country: "DE", State: "BY", Status: tax.StatusVerified, Jurisdictions: []string{"DE"}}
	txn.Exemptions = []models.Exemption{bavaria}
	outcome, err := DecideExemptions(txn)
	require.NoError(t, err)
	require.Equal(t, []models.LineExemption{{LineNo: 1, ExemptionID: "exmp_1"}}, outcome.Lines)
	require.Equal(t, "BY", exemptOf(txn, models.TransactionItem{ExemptionID: given("exmp_1")}).State)
}
