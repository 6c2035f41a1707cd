package returns

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/returns/ach"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// weekdays reports whether banks work: from Monday to Friday, but not on 3 July 2026.
func weekdays(day calendar.Date) bool {
	w := day.Time().Weekday()
	return w != time.Saturday && w != time.Sunday && day != 20260703
}

// credited has the fields of a registration whose returns are paid by credit.
func credited() map[string]string {
	return map[string]string{
		tax.PaymentMethod: tax.PayByCredit, tax.PaymentTaxpayer: "100123456", tax.PaymentTaxType: "04101", tax.PaymentAmountType: "T",
		tax.PaymentReceiver: "CDTFA", tax.PaymentRouting: "122235821", tax.PaymentAccount: "1234567890",
	}
}

// payable is an approved return of California with 100.00 to be paid until 31 July 2026.
func payable(t *testing.T) PaymentFacts {
	t.Helper()
	due, state := calendar.MustDate("2026-07-31").Time(), "California"
	f := models.Filing{
		Status: models.FilingFiling, CountryCode: "US", StateCode: "CA", StateName: &state, Currency: "USD", DueDate: &due,
		StartDate: calendar.MustDate("2026-04-01").Time(), EndDate: calendar.MustDate("2026-06-30").Time(),
	}
	f.TotalTaxLiability = dollars(t, "100.00")
	return PaymentFacts{Filing: f, PaymentState: models.PaymentState{Fields: credited()}, Day: 20260710}
}

func dollars(t *testing.T, text string) money.Total {
	t.Helper()
	amount, err := money.ParseTotal(text)
	require.NoError(t, err)
	return amount
}

func severitiesOf(findings []Finding) []string {
	codes := []string{}
	for _, f := range findings {
		codes = append(codes, f.Severity[:1]+" "+f.Code)
	}
	return codes
}

// A payment says what it lacks, all at once.
func TestThePaymentOfAReturn(t *testing.T) {
	t.Parallel()
	confirmed := "P-1"
	for name, c := range map[string]struct {
		change func(*PaymentFacts)
		want   []string
	}{
		"by credit":        {func(*PaymentFacts) {}, []string{}},
		"filed and unpaid": {func(p *PaymentFacts) { p.Filing.Status = models.FilingFiled }, []string{"W PAYMENT_OPEN"}},
		"filed": {func(p *PaymentFacts) {
			p.Filing.Status, p.Filing.TaxRemitted = models.FilingFiled, p.Filing.TotalTaxLiability
		}, []string{}},
		"paid later": {func(p *PaymentFacts) {
			p.Filing.Status, p.Filing.TaxRemitted = models.FilingFiled, p.Filing.TotalTaxLiability
			p.Made = []models.RecordedPayment{{Amount: p.Filing.TotalTaxLiability}}
		}, []string{"E PAYMENT_MADE"}},
		"confirmed and unpaid": {func(p *PaymentFacts) {
			p.Filing.Status, p.Filing.PaymentConfirmationID = models.FilingFiled, &confirmed
		}, []string{"E PAYMENT_MADE", "W PAYMENT_OPEN"}},
		"open":             {func(p *PaymentFacts) { p.Filing.Status = models.FilingUnfiled }, []string{"E PAYMENT_NOT_APPROVED"}},
		"with an issue":    {func(p *PaymentFacts) { p.Filing.Status = models.FilingIssue }, []string{"E PAYMENT_NOT_APPROVED"}},
		"paid":             {func(p *PaymentFacts) { p.Filing.PaymentConfirmationID = &confirmed }, []string{"E PAYMENT_MADE"}},
		"in a file before": {func(p *PaymentFacts) { p.Exported = 20260709 }, []string{"W PAYMENT_REPEATED"}},
		"nothing due":      {func(p *PaymentFacts) { p.Filing.TotalTaxLiability = money.Total{} }, []string{"I PAYMENT_NONE"}},
		"owed back":        {func(p *PaymentFacts) { p.Filing.AmountAdjusted = dollars(t, "-200.00") }, []string{"I PAYMENT_NONE"}},
		"at the site":      {func(p *PaymentFacts) { p.Fields = nil }, []string{"I PAYMENT_BY_HAND"}},
		"drawn":            {func(p *PaymentFacts) { p.Fields[tax.PaymentMethod] = "DEBIT" }, []string{"I PAYMENT_BY_HAND"}},
		"an unknown way":   {func(p *PaymentFacts) { p.Fields[tax.PaymentMethod] = "CASH" }, []string{"E FIELD_FORMAT"}},
		"no fields": {func(p *PaymentFacts) { p.Fields = map[string]string{tax.PaymentMethod: "CREDIT"} },
			slices.Repeat([]string{"E FIELD_MISSING"}, 6)},
		"a check digit":      {func(p *PaymentFacts) { p.Fields[tax.PaymentRouting] = "122235822" }, []string{"E FIELD_FORMAT"}},
		"a separator":        {func(p *PaymentFacts) { p.Fields[tax.PaymentTaxType] = "04*01" }, []string{"E FIELD_FORMAT"}},
		"in euro":            {func(p *PaymentFacts) { p.Filing.Currency = "EUR" }, []string{"E PAYMENT_FORMAT"}},
		"to New York":        {func(p *PaymentFacts) { p.Filing.StateCode = "NY" }, []string{"E PAYMENT_FORMAT"}},
		"too large":          {func(p *PaymentFacts) { p.Filing.TotalTaxLiability = dollars(t, "100000000.00") }, []string{"E AMOUNT_TOO_LARGE"}},
		"with penalties":     {func(p *PaymentFacts) { p.Filing.AmountPenalties = dollars(t, "1.00") }, []string{"I PAYMENT_UNSPLIT"}},
		"without a due day":  {func(p *PaymentFacts) { p.Filing.DueDate = nil }, []string{"E DAY_MISSING"}},
		"after the due day":  {func(p *PaymentFacts) { p.Day = 20260803 }, []string{"W PAYMENT_LATE"}},
		"on the due day":     {func(p *PaymentFacts) { p.Day = 20260731 }, []string{"W PAYMENT_LATE"}},
		"the day before due": {func(p *PaymentFacts) { p.Day = 20260730 }, []string{}},
	} {
		facts := payable(t)
		c.change(&facts)
		p := PaymentOf(facts, weekdays)
		require.Equal(t, c.want, severitiesOf(p.Findings), name)
		for _, f := range p.Findings {
			for field, value := range credited() {
				if field != tax.PaymentMethod && len(value) > 1 {
					require.NotContains(t, f.Message, value, name)
				}
			}
		}
	}
}

// A bank file pays no part that was paid with the return, whether or not payments were recorded later.
func TestOfAFiledReturnWhatIsOpenIsPaid(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ remitted, made, amount, codes string }{
		{"0.00", "", "100.00", "W PAYMENT_OPEN"}, {"60.00", "", "40.00", "W PAYMENT_OPEN"}, {"100.00", "", "100.00", ""},
		{"80.00", "20.00", "20.00", "W PAYMENT_OPEN"}, {"100.00", "40.00", "0.00", "E PAYMENT_MADE"},
	} {
		facts := payable(t)
		facts.Filing.Status, facts.Filing.TaxRemitted = models.FilingFiled, dollars(t, c.remitted)
		if c.made != "" {
			facts.Made = []models.RecordedPayment{{Amount: dollars(t, c.made)}}
		}
		p := PaymentOf(facts, weekdays)
		require.Equal(t, c.amount+" "+c.codes, p.Amount.String()+" "+strings.Join(severitiesOf(p.Findings), " "), c)
	}
}

// Money arrives on the last day until the due day on which banks work, or on the first one that they can do.
func TestTheDayOfAPayment(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ due, today, want calendar.Date }{
		{20260731, 20260710, 20260731},
		{20260705, 20260629, 20260702}, // Sunday, after a holiday
		{20260703, 20260701, 20260702}, // the holiday
		{20260703, 20260702, 20260706}, // nothing is left before it
		{20260701, 20260703, 20260706},
	} {
		require.Equal(t, c.want, settlementDay(c.due, c.today, weekdays), c.today)
	}
}

// theFile is a bank file of some payments.
func theFile(t *testing.T, facts ...PaymentFacts) BankFileInput {
	t.Helper()
	in := BankFileInput{
		Day: 20260710, Name: "Seller LLC", EIN: "12-3456789", Modifier: "A",
		Bank: &ach.Account{Routing: "021000021", Number: "000123456789", Name: "Seller LLC", BankName: "First Bank"},
	}
	for _, f := range facts {
		in.Payments = append(in.Payments, PaymentOf(f, weekdays))
	}
	return in
}

// The file has the payments of the chosen returns. Another number at the bank replaces that of the tax id.
func TestTheBankFileOfReturns(t *testing.T) {
	t.Parallel()
	nothing := payable(t)
	nothing.Filing.TotalTaxLiability = money.Total{}
	in := theFile(t, payable(t), nothing)
	d, findings := BankFile(in)
	require.Equal(t, []string{"I PAYMENT_NONE", "I PAYMENT_CODES"}, severitiesOf(findings))
	require.Equal(t, "California, 2026-04-01 to 2026-06-30", findings[0].Line)
	lines := strings.Split(string(d.Bytes), "\r\n")
	require.Equal(t, "6221222358211234567890       0000010000100123456      CDTFA                   1021000020000001", lines[2])
	require.Equal(t, `TXP*100123456*04101*260630*T*10000\`, strings.TrimSpace(lines[3][3:83]))
	require.Contains(t, lines[1], "1123456789CCD")
	require.Equal(t, []string{"payments-2026-07-10-A.ach", "text/plain", "NACHA-CCD-TXP/2012-12"}, []string{d.FileName, d.MediaType, d.Layout})
	require.NotContains(t, string(d.Bytes), "000123456789")
	again, _ := BankFile(in)
	require.Equal(t, d, again)
	in.Origin, in.EIN, in.Offset = "9000000001", "", true
	d, _ = BankFile(in)
	require.Contains(t, string(d.Bytes), "9000000001CCD")
	require.Contains(t, string(d.Bytes), "627021000021000123456789     0000010000")
}

// One ERROR leaves no file, and no finding has a number of an account.
func TestNoBankFileWithAnError(t *testing.T) {
	t.Parallel()
	open := payable(t)
	open.Filing.Status = models.FilingUnfiled
	byHand := payable(t)
	byHand.Fields = maps.Clone(byHand.Fields)
	delete(byHand.Fields, tax.PaymentMethod)
	nothing := payable(t)
	nothing.Filing.TotalTaxLiability = money.Total{}
	for name, c := range map[string]struct {
		in   BankFileInput
		want []string
	}{
		"an open one with another": {theFile(t, payable(t), open), []string{"E PAYMENT_NOT_APPROVED"}},
		"one that is paid by hand": {theFile(t, payable(t), byHand), []string{"I PAYMENT_BY_HAND", "E PAYMENT_WAY"}},
		"nothing to pay":           {theFile(t, nothing), []string{"I PAYMENT_NONE", "I PAYMENT_NONE"}},
	} {
		d, findings := BankFile(c.in)
		require.Empty(t, d, name)
		require.Equal(t, c.want, severitiesOf(findings), name)
	}
	in := theFile(t, payable(t))
	in.Bank, in.EIN, in.Test = nil, "", true
	d, findings := BankFile(in)
	require.Empty(t, d)
	require.Equal(t, []string{"E BANK_MISSING", "E PAYMENT_TEST", "E ID_MISSING"}, severitiesOf(findings))
	in = theFile(t, payable(t))
	in.Bank.Number, in.Offset = strings.Repeat("7", 18), true
	d, findings = BankFile(in)
	require.Empty(t, d)
	require.Equal(t, []string{"I PAYMENT_CODES", "E DOCUMENT_WRONG"}, severitiesOf(findings))
	require.NotContains(t, findings[1].Message, "777")
}
