package ser

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// michigan is October 2026 of a seller in Ohio: no local tax, something for resale, groceries.
func michigan(t testing.TB) Input {
	in := filed(t, "MI", time.October,
		"STATE Michigan 0.06 OWN /PHYSICAL out 15500.00 15500.00 930.00",
		"STATE Michigan 0 OWN RESALE/PHYSICAL out 2000.00 0.00 0.00",
		"STATE Michigan 0 OWN NOT_TAXABLE/FOOD out 950.00 0.00 0.00")
	in.Filing.AmountDiscounts = total(t, "6.00")
	return in
}

func TestTheReturnOfAStateWithoutLocalTax(t *testing.T) {
	t.Parallel()
	in := michigan(t)
	in.rule(tax.SimplifiedBreakout, tax.ConfidenceHigh, "NEVER")
	d, root := made(t, in)
	require.Equal(t, tax.ConfidenceHigh, d.Sure)
	require.Equal(t, "US-MI-2026-10-01-2026-10-31.xml", d.FileName)
	require.Equal(t, []string{
		"TransmissionId S0000471126323000001", "ETIN S00004711", "ProcessType T", "DocumentCount 1", "DocumentId S0000471126323000002",
		"DocumentType SEROnly", "ElectronicPostmark 2026-11-19", "TaxPeriodStartDate 2026-10-01", "TaxPeriodEndDate 2026-10-31",
		"FilingType SEROnly", "SSTPID S00004711", "FedTIN 987654321", "FIPSCode 26", "ReturnType O", "TotalSales 18450.00",
		"ExemptionsDeductions 2950.00", "TaxableSales 15500.00", "StateTaxDueSalesInState 0.00", "StateTaxDueSalesOrigOutOfState 930.00",
		"StateTaxDueOwnPurchWithdraw 0.00", "StateTaxDueFoodDrug 0.00", "TotalTaxDue 930.00", "Discounts 6.00", "AmountDueOrRefund 924.00",
	}, texts(root))
	again, _ := Make(in)
	require.Equal(t, d, again, "the same bytes, however often")
}

func TestExemptionsByKind(t *testing.T) {
	t.Parallel()
	in := michigan(t)
	in.add(t, figure(t, "STATE Michigan 0 OWN CUSTOMER/PHYSICAL out 10.00 0.00 0.00"))
	d, findings := Make(in)
	root, err := parse(d.Bytes)
	require.NoError(t, err)
	require.Equal(t, []string{"ExemptionType Resale", "ExemptionAmount 2000.00", "ExemptionType Other", "ExemptionAmount 960.00"},
		append(texts(root.all(documentElement, returnElement, "ExemptionDeductionBreakout")[0]),
			texts(root.all(documentElement, returnElement, "ExemptionDeductionBreakout")[1])...))
	require.Equal(t, []string{"CATEGORY_MISSING", "LAYOUT_MED"}, codes(findings))
	require.Equal(t, total(t, "10.00"), findings[0].Amount)
}

// tennessee is September 2026: warehouses in Nashville and Georgia, food with a rate of its own, four codes. 40,000 in state
// and 12,000 from outside at 7 %, 5,000 of food at 4 %, and 1,000 of own purchases.
func tennessee(t testing.TB) Input {
	in := filed(t, "TN", time.September,
		"STATE Tennessee 0.07 OWN /PHYSICAL in 40000.00 40000.00 2800.00",
		"STATE Tennessee 0.07 OWN /PHYSICAL out 12000.00 12000.00 840.00",
		"STATE Tennessee 0.04 OWN /FOOD in 5000.00 5000.00 200.00",
		"STATE Tennessee 0 OWN AGRICULTURE/PHYSICAL in 1500.00 0.00 0.00",
		"STATE Tennessee 0 OWN GOVERNMENT/PHYSICAL in 2500.00 0.00 0.00",
		"STATE Tennessee 0 OWN MANUFACTURING/PHYSICAL in 3000.00 0.00 0.00",
		"STATE Tennessee 0 OWN RESALE/PHYSICAL in 8000.00 0.00 0.00",
		"STATE Tennessee 0 OWN NOT_TAXABLE/SERVICE in 750.00 0.00 0.00",
		"COUNTY Davidson_County 0.0225 OWN /PHYSICAL in 0.00 40000.00 900.00",
		"COUNTY Davidson_County 0.0225 OWN /FOOD in 0.00 5000.00 112.50",
		"COUNTY Shelby_County 0.0225 OWN /PHYSICAL out 0.00 12000.00 270.00",
		"CITY Bartlett 0.005 OWN /PHYSICAL out 0.00 12000.00 60.00")
	for _, text := range []string{"0.00 40000.00 200.00", "0.00 5000.00 25.00"} {
		x := figure(t, "SPECIAL _ 0.005 OWN /PHYSICAL in "+text)
		x.Name = transit(t)
		in.add(t, x)
	}
	in.purchase(t, "", "", "70.00", "1000.00")
	in.purchase(t, "COUNTY", "Davidson County", "22.50", "1000.00")
	in.purchase(t, "SPECIAL", transit(t), "5.00", "1000.00")
	return in
}

// transit is the district of Nashville.
func transit(t testing.TB) string {
	j, ok := content(t).Jurisdiction("US-TN-D-davidson-transit")
	require.True(t, ok)
	return j.Name
}

func (in *Input) purchase(t testing.TB, kind, name, tax, base string) {
	t.Helper()
	in.enter(t, models.FilingEntry{
		Kind: models.EntryPurchase, Amount: total(t, tax), Taxable: total(t, base), JurisdictionType: kind, JurisdictionName: name,
	})
}

func TestTheReturnOfAStateWithLocalTaxAndFood(t *testing.T) {
	t.Parallel()
	d, root := made(t, tennessee(t))
	require.Equal(t, tax.ConfidenceMedium, d.Sure, "exemptions by kind were not read for the state")
	require.Equal(t, []string{
		"ReturnType O", "TotalSales 72750.00", "ExemptionsDeductions 15750.00", "ExemptionType Agriculture", "ExemptionAmount 1500.00",
		"ExemptionType GovernmentExemptOrg", "ExemptionAmount 2500.00", "ExemptionType Manufacturing", "ExemptionAmount 3000.00",
		"ExemptionType Resale", "ExemptionAmount 8000.00", "ExemptionType Other", "ExemptionAmount 750.00", "TaxableSales 57000.00",
		"StateTaxDueSalesInState 2800.00", "StateTaxDueSalesOrigOutOfState 840.00", "StateTaxDueOwnPurchWithdraw 70.00",
		"StateTaxDueFoodDrug 200.00", "JurisdictionCode 03440", "JurisTaxDueSalesInState 0.00", "JurisTaxDueSalesOrigOutOfState 60.00",
		"JurisdictionCode 037", "JurisTaxDueSalesInState 1012.50", "JurisTaxDueSalesOrigOutOfState 0.00",
		"JurisTaxDueOwnPurchWithdraw 22.50", "JurisdictionCode 157", "JurisTaxDueSalesInState 0.00",
		"JurisTaxDueSalesOrigOutOfState 270.00", "JurisdictionCode 91951", "JurisTaxDueSalesInState 225.00",
		"JurisTaxDueSalesOrigOutOfState 0.00", "JurisTaxDueOwnPurchWithdraw 5.00", "TotalTaxDue 5505.00", "AmountDueOrRefund 5505.00",
	}, texts(root.first(documentElement, returnElement)))
}

// An article for 2,000 bears the tax of the state, and a further one on 400 of it. Its sale is one of 2,000, and all of it is taxable.
func TestAFurtherTaxOfTheStateIsOnTheSameSales(t *testing.T) {
	t.Parallel()
	_, root := made(t, filed(t, "TN", time.September,
		"STATE Tennessee 0.07 OWN /PHYSICAL in 2000.00 2000.00 140.00",
		"STATE Tennessee 0.0275 OWN ADDITIONAL/PHYSICAL in 0.00 400.00 11.00",
		"STATE Tennessee 0 OWN RESALE/PHYSICAL in 100.00 0.00 0.00"))
	require.Equal(t, []string{
		"ReturnType O", "TotalSales 2100.00", "ExemptionsDeductions 100.00", "ExemptionType Resale", "ExemptionAmount 100.00",
		"TaxableSales 2000.00", "StateTaxDueSalesInState 151.00", "StateTaxDueSalesOrigOutOfState 0.00", "StateTaxDueOwnPurchWithdraw 0.00",
		"StateTaxDueFoodDrug 0.00", "TotalTaxDue 151.00", "AmountDueOrRefund 151.00",
	}, texts(root.first(documentElement, returnElement)))
}

// amendedTennessee adds a late sale of 2,000 from Georgia to Davidson and a credit note of 500 in Bartlett. A certificate for
// resale of 1,000 in Davidson came later, too.
func amendedTennessee(t testing.TB) Input {
	in := filed(t, "TN", time.September,
		"STATE Tennessee 0.07 OWN /PHYSICAL out 2000.00 2000.00 140.00",
		"COUNTY Davidson_County 0.0225 OWN /PHYSICAL out 0.00 2000.00 45.00",
		"STATE Tennessee 0.07 OWN /PHYSICAL out -500.00 -500.00 -35.00",
		"COUNTY Shelby_County 0.0225 OWN /PHYSICAL out 0.00 -500.00 -11.25",
		"CITY Bartlett 0.005 OWN /PHYSICAL out 0.00 -500.00 -2.50",
		"STATE Tennessee 0.07 OWN /PHYSICAL in -1000.00 -1000.00 -70.00",
		"STATE Tennessee 0 OWN RESALE/PHYSICAL in 1000.00 0.00 0.00",
		"COUNTY Davidson_County 0.0225 OWN /PHYSICAL in 0.00 -1000.00 -22.50")
	for _, text := range []string{"out 0.00 2000.00 10.00", "in 0.00 -1000.00 -5.00"} {
		x := figure(t, "SPECIAL _ 0.005 OWN /PHYSICAL "+text)
		x.Name = transit(t)
		in.add(t, x)
	}
	in.enter(t, models.FilingEntry{Kind: models.EntryInterest, Amount: total(t, "0.61")})
	in.amends(t, tennessee(t))
	return in
}

func TestAnAmendedReturnReplacesTheFirst(t *testing.T) {
	t.Parallel()
	in := amendedTennessee(t)
	in.Payment = &Payment{Routing: "011000015", Account: "0001234567", Holder: "Example Seller LLC", On: calendar.MustDate("2026-11-20")}
	in.rule(tax.SimplifiedPayment, tax.ConfidenceHigh, "00")
	d, root := made(t, in)
	require.Equal(t, "US-TN-2026-09-01-2026-09-30-amended.xml", d.FileName)
	require.Equal(t, []string{
		"ReturnType A", "TotalSales 74250.00", "ExemptionsDeductions 16750.00", "ExemptionType Agriculture", "ExemptionAmount 1500.00",
		"ExemptionType GovernmentExemptOrg", "ExemptionAmount 2500.00", "ExemptionType Manufacturing", "ExemptionAmount 3000.00",
		"ExemptionType Resale", "ExemptionAmount 9000.00", "ExemptionType Other", "ExemptionAmount 750.00", "TaxableSales 57500.00",
		"StateTaxDueSalesInState 2730.00", "StateTaxDueSalesOrigOutOfState 945.00", "StateTaxDueOwnPurchWithdraw 70.00",
		"StateTaxDueFoodDrug 200.00", "JurisdictionCode 03440", "JurisTaxDueSalesInState 0.00", "JurisTaxDueSalesOrigOutOfState 57.50",
		"JurisdictionCode 037", "JurisTaxDueSalesInState 990.00", "JurisTaxDueSalesOrigOutOfState 45.00",
		"JurisTaxDueOwnPurchWithdraw 22.50", "JurisdictionCode 157", "JurisTaxDueSalesInState 0.00",
		"JurisTaxDueSalesOrigOutOfState 258.75", "JurisdictionCode 91951", "JurisTaxDueSalesInState 220.00",
		"JurisTaxDueSalesOrigOutOfState 10.00", "JurisTaxDueOwnPurchWithdraw 5.00", "TotalTaxDue 5553.75", "InterestDue 0.61",
		"Priorpayments 5505.00", "AmountDueOrRefund 49.36",
	}, texts(root.first(documentElement, returnElement)))
	require.Equal(t, []string{
		"Checking X", "RoutingTransitNumber 011000015", "BankAccountNumber 0001234567", "PaymentAmount 49.36",
		"AccountHolderName Example Seller LLC", "AccountHolderType 1", "RequestedPaymentDate 2026-11-20", "TaxpayerIdentification S00004711",
		"FTACode 041", "StateTaxTypeCode 00", "TaxPeriodEndDate 2026-09-30", "SubAmountType T", "SubAmount 48.75", "SubAmountType I",
		"SubAmount 0.61", "NotIATTransaction X",
	}, texts(root.first(documentElement, paymentElement)))
	require.Equal(t, "49.36", root.get("TransmissionHeader", "TransmissionPaymentHash"))
	in.Payment.On = calendar.MustDate("2026-11-22")
	d, findings := Make(in)
	require.Nil(t, d.Bytes)
	require.Contains(t, codes(findings), "PAYMENT_DAY", "a Sunday")
}

// A jurisdiction whose tax became zero stays, so that the state does not keep what it had.
func TestAPlaceThatBecameZeroStaysInAnAmendedReturn(t *testing.T) {
	t.Parallel()
	in := filed(t, "TN", time.September, "STATE Tennessee 0.07 OWN /PHYSICAL out -12000.00 -12000.00 -840.00",
		"COUNTY Shelby_County 0.0225 OWN /PHYSICAL out 0.00 -12000.00 -270.00",
		"CITY Bartlett 0.005 OWN /PHYSICAL out 0.00 -12000.00 -60.00")
	in.amends(t, tennessee(t))
	_, root := made(t, in)
	require.Equal(t, []string{"JurisdictionCode 157", "JurisTaxDueSalesInState 0.00", "JurisTaxDueSalesOrigOutOfState 0.00"},
		texts(root.all(documentElement, returnElement, "JurisdictionDetail")[2]))
	require.Equal(t, "-1170.00", root.get(documentElement, returnElement, "AmountDueOrRefund"))
}

func TestAZeroReturnIsADocument(t *testing.T) {
	t.Parallel()
	for _, state := range content(t).SimplifiedStates(calendar.MustDate("2026-10-31")) {
		in := filed(t, state, time.October)
		d, root := made(t, in)
		require.Equal(t, tax.ConfidenceHigh, d.Sure, state)
		require.Equal(t, "0.00", root.get(documentElement, returnElement, "AmountDueOrRefund"))
		require.Nil(t, root.first(documentElement, returnElement, "JurisdictionDetail"))
	}
}

// The tax of all of Nevada is reported under the county of the sale, also where the county has no rate of its own.
func TestATaxOfTheWholeStateIsReportedUnderTheCounty(t *testing.T) {
	t.Parallel()
	in := filed(t, "NV", time.October, "STATE Nevada 0.046 OWN /PHYSICAL out 2000.00 2000.00 92.00",
		"COUNTY Clark_County 0.01525 OWN /PHYSICAL out 0.00 1000.00 15.25")
	for place, tax := range map[string]string{"Clark County": "22.50", "Esmeralda County": "22.50"} {
		x := figure(t, "SPECIAL _ 0.0225 OWN /PHYSICAL out 0.00 1000.00 "+tax)
		x.Name = "Nevada statewide local taxes (BCCRT 0.50 + SCCRT 1.75)"
		x.Place = place + ", " + x.Name
		in.add(t, x)
	}
	_, root := made(t, in)
	var found []string
	for _, d := range root.all(documentElement, returnElement, "JurisdictionDetail") {
		found = append(found, d.get("JurisdictionCode")+" "+d.get("JurisTaxDueSalesOrigOutOfState"))
	}
	require.Equal(t, []string{"003 37.75", "009 22.50"}, found)
	in.Figures.Figures[len(in.Figures.Figures)-1].Place = ""
	_, findings := Make(in)
	require.Contains(t, codes(findings), "CODE_MISSING")
}

// Each finding names what a merchant can fill, and none has a number of the seller. All are told at once.
func TestFindings(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		change func(*testing.T, *Input)
		want   []string
	}{
		"no number":                {func(_ *testing.T, in *Input) { in.Taxpayer.Number = "" }, []string{"ID_MISSING"}},
		"a number of another form": {func(_ *testing.T, in *Input) { in.Taxpayer.Number = "S4711" }, []string{"ID_FORMAT"}},
		"the number of the state": {func(_ *testing.T, in *Input) { in.Taxpayer.Number, in.Taxpayer.StateNumber = "", "47-110" },
			[]string{"LAYOUT_MED"}},
		"the federal number for that of the state": {
			func(_ *testing.T, in *Input) { in.Taxpayer.Number, in.Taxpayer.StateNumber = "", "987654321" },
			[]string{"ID_FORMAT", "LAYOUT_MED"}},
		"a state that wants the other number": {func(_ *testing.T, in *Input) {
			in.Taxpayer.Number, in.Taxpayer.StateNumber = "", "47-110"
			in.rule(tax.SimplifiedNumber, tax.ConfidenceHigh, "ONLY_SHARED")
		}, []string{"ID_MISSING"}},
		"no federal number":      {func(_ *testing.T, in *Input) { in.Taxpayer.TIN = "" }, []string{"ID_MISSING"}},
		"a short federal number": {func(_ *testing.T, in *Input) { in.Taxpayer.TIN = "98-76543" }, []string{"ID_FORMAT"}},
		"another type of it":     {func(_ *testing.T, in *Input) { in.Taxpayer.TINType = "VAT" }, []string{"ID_FORMAT"}},
		"ids that are equal":     {func(_ *testing.T, in *Input) { in.IDs.Document = in.IDs.Transmission }, []string{"ID_FORMAT"}},
		"a short transmitter":    {func(_ *testing.T, in *Input) { in.IDs.Transmitter = "S1" }, []string{"ID_FORMAT"}},
		"no day":                 {func(_ *testing.T, in *Input) { in.Day = 0 }, []string{"DAY_MISSING"}},
		"half a month": {func(_ *testing.T, in *Input) { in.Filing.StartDate = in.Filing.StartDate.AddDate(0, 0, 14) },
			[]string{"PERIOD_PART"}},
		"a prepayment": {func(_ *testing.T, in *Input) { in.Filing.FilingCategory = calendar.FilingPrepayment }, []string{"PERIOD_KIND"}},
		"an amendment of nothing": {func(_ *testing.T, in *Input) { in.Filing.FilingCategory = models.FilingAmendment },
			[]string{"ORIGINAL_UNKNOWN"}},
		"figures that are missing": {func(_ *testing.T, in *Input) { in.Figures.Missing = 3 }, []string{"FIGURES_MISSING"}},
		"fees":                     {func(t *testing.T, in *Input) { in.Filing.AmountFees = total(t, "1.00") }, []string{"FREE_ADJUSTMENT"}},
		"an adjustment":            {func(t *testing.T, in *Input) { in.Filing.AmountAdjusted = total(t, "1.00") }, []string{"FREE_ADJUSTMENT"}},
		"a bad debt": {func(t *testing.T, in *Input) {
			in.enter(t, models.FilingEntry{Kind: models.EntryBadDebt, Amount: total(t, "1.00")})
		}, []string{"ENTRY_WITHOUT_LINE"}},
		"penalties as one amount": {func(t *testing.T, in *Input) { in.Filing.AmountPenalties = total(t, "1.00") },
			[]string{"INTEREST_UNKNOWN"}},
		"credit": {func(t *testing.T, in *Input) { in.Filing.AmountCreditApplied = total(t, "1.00") }, []string{"LAYOUT_MED"}},
		"an unknown origin": {func(_ *testing.T, in *Input) {
			in.Located, in.Figures.Figures[0].Origin = true, models.OriginUnknown
		}, []string{"ORIGIN_UNKNOWN"}},
		"an unknown origin without a place": {func(_ *testing.T, in *Input) { in.Figures.Figures[0].Origin = models.OriginUnknown }, nil},
		"a place without a code": {func(t *testing.T, in *Input) {
			in.add(t, figure(t, "CITY Nowhere 0.01 OWN /PHYSICAL out 0.00 100.00 1.00"))
		}, []string{"CODE_MISSING"}},
		"a marketplace": {func(t *testing.T, in *Input) {
			in.add(t, figure(t, "STATE Michigan 0.06 MARKETPLACE /PHYSICAL out 100.00 100.00 6.00"))
		}, []string{"LAYOUT_LOW"}},
		"a day without an obligation": {func(t *testing.T, in *Input) {
			x := figure(t, "STATE Michigan 0.06 NO_OBLIGATION /PHYSICAL out 100.00 100.00 6.00")
			x.Owed = total(t, "0.00")
			in.add(t, x)
		}, nil},
		"another liability": {func(t *testing.T, in *Input) { in.Filing.TotalTaxLiability = total(t, "930.01") },
			[]string{"SUMS_DIFFER", "SUMS_DIFFER"}},
		"too many digits": {func(t *testing.T, in *Input) {
			in.add(t, figure(t, "STATE Michigan 0.06 OWN RESALE/PHYSICAL out 99999999999999.00 0.00 0.00"))
		}, []string{"AMOUNT_TOO_LARGE"}},
		"a sum that overflows": {func(t *testing.T, in *Input) {
			for range 2 {
				in.add(t, figure(t, "STATE Michigan 0.06 OWN RESALE/PHYSICAL out 999999999999999999.00 0.00 0.00"))
			}
		}, []string{"AMOUNT_TOO_LARGE"}},
		"a late discount": {func(_ *testing.T, in *Input) {
			due := time.Date(2026, 11, 18, 0, 0, 0, 0, time.UTC)
			in.Filing.DueDate = &due
		}, []string{"DISCOUNT_LATE"}},
		"a payment whose words were not read": {func(_ *testing.T, in *Input) {
			in.Payment = &Payment{Routing: "011000015", Account: "1", On: calendar.MustDate("2026-11-20")}
		}, []string{"LAYOUT_LOW"}},
		"a payment to no bank": {func(_ *testing.T, in *Input) {
			in.rule(tax.SimplifiedPayment, tax.ConfidenceHigh, "00")
			in.Payment = &Payment{Routing: "991000015", Account: "1", On: calendar.MustDate("2026-11-20")}
		}, []string{"PAYMENT_FORMAT"}},
		"no payment, because nothing is due": {func(t *testing.T, in *Input) {
			in.Filing.AmountPrepaid, in.Payment = total(t, "924.00"), &Payment{}
		}, []string{"PAYMENT_NONE"}},
		"everything at once": {func(t *testing.T, in *Input) {
			in.Taxpayer, in.Figures.Missing, in.Filing.AmountFees = Taxpayer{}, 1, total(t, "1.00")
		}, []string{"FIGURES_MISSING", "ID_MISSING", "ID_MISSING", "FREE_ADJUSTMENT"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := michigan(t)
			in.rule(tax.SimplifiedBreakout, tax.ConfidenceHigh, "EACH")
			test.change(t, &in)
			d, findings := Make(in)
			require.ElementsMatch(t, test.want, codes(findings), "%v", findings)
			failed := false
			for _, f := range findings {
				failed = failed || f.Severity == models.SeverityError
				for _, number := range []string{in.Taxpayer.Number, in.Taxpayer.StateNumber, digitsOf(in.Taxpayer.TIN)} {
					require.False(t, number != "" && strings.Contains(f.Message, number), f.Message)
				}
			}
			require.Equal(t, failed, d.Bytes == nil, "an error leaves no document")
			require.NotEmpty(t, d.Lines, "the lines are there")
		})
	}
}

// A rule that was not read gives no document, until the operator adds what the state says.
func TestSalesThroughMarketplaces(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{"DEDUCTED": "18550.00 3050.00 15500.00", "OMITTED": "18450.00 2950.00 15500.00"} {
		in := michigan(t)
		in.add(t, figure(t, "STATE Michigan 0.06 MARKETPLACE /PHYSICAL out 100.00 100.00 6.00"))
		in.rule(tax.SimplifiedFacilitated, tax.ConfidenceHigh, value)
		_, root := made(t, in)
		r := root.first(documentElement, returnElement)
		require.Equal(t, want, r.get("TotalSales")+" "+r.get("ExemptionsDeductions")+" "+r.get("TaxableSales"))
	}
}

// Food that only localities tax counts as taxable, once that is known of the state.
func TestFoodThatOnlyLocalitiesTax(t *testing.T) {
	t.Parallel()
	in := filed(t, "KS", time.October, "STATE Kansas 0 OWN ZERO_RATE/FOOD in 100.00 0.00 0.00",
		"COUNTY Riley_County 0.01 OWN /FOOD in 0.00 100.00 1.00")
	d, findings := Make(in)
	require.Nil(t, d.Bytes)
	require.Equal(t, []string{"LAYOUT_LOW"}, codes(findings))
	in.rule(tax.SimplifiedLocalOnly, tax.ConfidenceHigh, "FOOD")
	_, root := made(t, in)
	r := root.first(documentElement, returnElement)
	require.Equal(t, "100.00 0.00 100.00 1.00", r.get("TotalSales")+" "+r.get("ExemptionsDeductions")+" "+r.get("TaxableSales")+" "+
		r.get("TotalTaxDue"))
}

// An allowance of the state is proposed until the due day, and never taken by itself. It is not of the tax on own purchases.
func TestAnAllowanceIsProposed(t *testing.T) {
	t.Parallel()
	of := [2]string{}
	asked := func(state, all money.Total) (money.Total, error) {
		of = [2]string{state.String(), all.String()}
		return total(t, "25.00"), nil
	}
	due := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for _, test := range []struct{ entered, day, want string }{
		{"0.00", "2026-11-20", "DISCOUNT_PROPOSED"}, {"6.00", "2026-11-20", "DISCOUNT_ENTERED"}, {"25.00", "2026-11-20", ""},
		{"0.00", "2026-11-21", ""}, {"25.00", "2026-11-21", "DISCOUNT_LATE"},
	} {
		in := tennessee(t)
		in.rule(tax.SimplifiedBreakout, tax.ConfidenceHigh, "EACH")
		in.Filing.DueDate, in.Filing.AmountDiscounts, in.Day = &due, total(t, test.entered), calendar.MustDate(test.day)
		in.Allowance = asked
		d, findings := Make(in)
		require.NotEmpty(t, d.Bytes)
		require.Equal(t, test.want, strings.Join(codes(findings), " "), test)
	}
	require.Equal(t, [2]string{"3840.00", "5407.50"}, of)
	in := amendedTennessee(t)
	in.Filing.DueDate, in.Allowance = &due, asked
	_, findings := Make(in)
	require.NotContains(t, codes(findings), "DISCOUNT_PROPOSED")
}

// A preview has no ids of its own, and is never mistaken for what was sent.
func TestAPreviewShowsZeros(t *testing.T) {
	t.Parallel()
	in := michigan(t)
	in.IDs = IDs{}
	d, _ := Make(in)
	root, err := parse(d.Bytes)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("0", 20), root.get("TransmissionHeader", "TransmissionId"))
	require.Equal(t, strings.Repeat("0", 20), root.get(documentElement, "DocumentId"))
}

func TestTheLinesNameTheirFigures(t *testing.T) {
	t.Parallel()
	d, _ := Make(amendedTennessee(t))
	amounts := map[string]string{}
	for _, l := range d.Lines {
		require.NotContains(t, amounts, l.Line, "a line is there once")
		require.NotEmpty(t, l.Rule)
		amounts[l.Line] = l.Amount.String()
	}
	require.Equal(t, "990.00 45.00 22.50", amounts["Local037"]+" "+amounts["Local037o"]+" "+amounts["Local037p"])
	require.Equal(t, "TotalSales", d.Lines[0].Line)
	require.Equal(t, []int{0, 2, 5, 6, 10, 11, 12, 13, 14, 15, 16, 17}, d.Lines[0].Figures)
}

func TestAStateThatTakesNoSimplifiedReturn(t *testing.T) {
	t.Parallel()
	d, findings := Make(Input{})
	require.Equal(t, []string{"LAYOUT_MISSING"}, codes(findings))
	require.Nil(t, d.Bytes)
}
