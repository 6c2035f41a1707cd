package ser

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/tax"
	"levy/tax/calendar"
)

// numbersOf are the numbers of errors, each once.
func numbersOf(errors []Error) (numbers []int) {
	seen := map[int]bool{}
	for _, e := range errors {
		if !seen[e.Number] {
			numbers = append(numbers, e.Number)
		}
		seen[e.Number] = true
	}
	return numbers
}

func TestTheNumberedErrorsInUse(t *testing.T) {
	t.Parallel()
	var numbers []int
	for _, e := range Errors() {
		numbers = append(numbers, e.Number)
		require.NotEmpty(t, e.Rule)
		require.Contains(t, []Level{LevelTransmission, LevelDocument}, e.Level)
	}
	require.Equal(t, []int{1, 2, 3, 4, 5, 7, 8, 11, 12, 13, 14, 15, 16, 17, 20, 21, 22, 23, 24, 25, 26}, numbers)
}

// paid is a return with a payment, as a text.
func paid(t testing.TB) (Input, string) {
	in := amendedTennessee(t)
	in.rule(tax.SimplifiedPayment, tax.ConfidenceHigh, "00")
	in.Payment = &Payment{Routing: "011000015", Account: "0001234567", Holder: "Seller", On: calendar.MustDate("2026-11-20")}
	d, findings := Make(in)
	require.NotEmpty(t, d.Bytes, "%v", findings)
	return in, string(d.Bytes)
}

// bulk is the same with the payment for all documents.
func bulk(text string) string {
	from := strings.Index(text, "    <FinancialTransaction>")
	to := strings.Index(text, "  </SimplifiedReturnDocument>")
	payment := text[from:to]
	text = text[:from] + text[to:]
	text = strings.Replace(text, "<DocumentCount>1<", "<DocumentCount>2<", 1)
	return strings.Replace(text, "</SSTSimplified", payment+"</SSTSimplified", 1)
}

// Each change of a document or of its receiver is refused by the rule that it breaks, and by no other.
func TestEachRuleRefusesItsOwn(t *testing.T) {
	t.Parallel()
	base, text := paid(t)
	replace := func(old, with string) func(*testing.T, *Receiver, string) string {
		return func(t *testing.T, _ *Receiver, text string) string {
			require.Contains(t, text, old)
			return strings.Replace(text, old, with, 1)
		}
	}
	receive := func(change func(*Receiver)) func(*testing.T, *Receiver, string) string {
		return func(_ *testing.T, r *Receiver, text string) string {
			change(r)
			return text
		}
	}
	seen := func(before string) func(*testing.T, *Receiver, string) string {
		return receive(func(r *Receiver) { r.Seen = func(id string) bool { return id == before } })
	}
	bulked := func(old, with string) func(*testing.T, *Receiver, string) string {
		return func(t *testing.T, _ *Receiver, text string) string {
			text = bulk(text)
			require.Contains(t, text, old)
			return strings.Replace(text, old, with, 1)
		}
	}
	withoutHash := "    <TransmissionPaymentHash>49.36</TransmissionPaymentHash>\n"
	for name, test := range map[string]struct {
		number int // 0 is no error
		change func(*testing.T, *Receiver, string) string
	}{
		"as it is":                       {0, replace("ReturnType", "ReturnType")},
		"cut off":                        {1, func(_ *testing.T, _ *Receiver, text string) string { return text[:len(text)/2] }},
		"no XML":                         {1, func(*testing.T, *Receiver, string) string { return "TotalSales=1" }},
		"a document type":                {1, replace("\n<SST", "\n<!DOCTYPE x [<!ENTITY e \"1\">]>\n<SST")},
		"an entity":                      {1, replace("<TotalSales>", "<TotalSales>&e;")},
		"another encoding":               {1, replace("UTF-8", "ISO-8859-1")},
		"an instruction":                 {1, replace("<TransmissionHeader>", "<?php ?><TransmissionHeader>")},
		"text after the end":             {1, func(_ *testing.T, _ *Receiver, text string) string { return text + "x" }},
		"two files":                      {1, func(_ *testing.T, _ *Receiver, text string) string { return text + "<x/>" }},
		"text between elements":          {1, replace("<TransmissionHeader>", "x<TransmissionHeader>")},
		"nested too deeply":              {1, replace("</SST", strings.Repeat("<x>", 20)+strings.Repeat("</x>", 20)+"</SST")},
		"another root":                   {2, func(*testing.T, *Receiver, string) string { return "<TransmissionHeader/>" }},
		"a root that nobody knows":       {2, func(*testing.T, *Receiver, string) string { return "<x/>" }},
		"another edition":                {2, replace("SST2015V01", "SST2014V01")},
		"an attribute that nobody knows": {2, replace("<TransmissionHeader>", `<TransmissionHeader a="1">`)},
		"a namespace":                    {2, replace("<TransmissionHeader>", `<TransmissionHeader xmlns="urn:x">`)},
		"an element that nobody knows":   {2, replace("<TotalSales>", "<Sum>1</Sum><TotalSales>")},
		"an element twice":               {2, replace("<ReturnType>A</ReturnType>", "<ReturnType>A</ReturnType><ReturnType>A</ReturnType>")},
		"an element out of order": {2, replace("<ReturnType>A</ReturnType>\n      <TotalSales>74250.00</TotalSales>",
			"<TotalSales>74250.00</TotalSales>\n      <ReturnType>A</ReturnType>")},
		"an element that is missing":    {2, replace("      <TaxableSales>57500.00</TaxableSales>\n", "")},
		"an amount with a comma":        {2, replace("74250.00", "74,250.00")},
		"an amount with three decimals": {2, replace("74250.00", "74250.001")},
		"an amount with 16 digits":      {2, replace("74250.00", "12345678901234.56")},
		"an amount with an exponent":    {2, replace("74250.00", "7.4e4")},
		"a day that is none":            {2, replace("2026-09-30", "2026-09-31")},
		"a short id":                    {2, replace("S0000471126323000001", "S000047112632300001")},
		"another word":                  {2, replace("<ReturnType>A", "<ReturnType>C")},
		"a code of two characters":      {2, replace("<JurisdictionCode>037", "<JurisdictionCode>37")},
		"a seventh kind of exemption":   {2, replace("Agriculture", "Fishing")},
		"no document": {2, func(_ *testing.T, _ *Receiver, text string) string {
			return text[:strings.Index(text, "  <SimplifiedReturnDocument")] + "</SSTSimplifiedReturnTransmission>"
		}},
		"an empty file":                 {3, func(*testing.T, *Receiver, string) string { return " \n" }},
		"no content type":               {4, receive(func(r *Receiver) { r.ContentType = "" })},
		"another content type":          {4, receive(func(r *Receiver) { r.ContentType = "application/json" })},
		"a content type with a charset": {0, receive(func(r *Receiver) { r.ContentType = "Text/XML; charset=utf-8" })},
		"another state":                 {5, replace("<FIPSCode>47", "<FIPSCode>26")},
		"no state":                      {5, replace("<FIPSCode>47", "<FIPSCode>")},
		"a test of one that produces":   {7, receive(func(r *Receiver) { r.Test = false })},
		"production of one that tests":  {7, replace("<ProcessType>T", "<ProcessType>P")},
		"another count":                 {8, replace("<DocumentCount>1", "<DocumentCount>2")},
		"another transmitter":           {12, receive(func(r *Receiver) { r.SignedIn = "S00000001" })},
		"a kind that it may not send":   {13, receive(func(r *Receiver) { r.Kinds = []string{"SEROnly"} })},
		"a seller that nobody knows":    {14, receive(func(r *Receiver) { r.Known = func(string) bool { return false } })},
		"a transmission again":          {15, seen(base.IDs.Transmission)},
		"a document again":              {15, seen(base.IDs.Document)},
		"one id for both":               {15, replace(base.IDs.Document, base.IDs.Transmission)},
		"another kind of filing":        {16, replace("<FilingType>SERWithPayment", "<FilingType>SEROnly")},
		"a return alone with a payment": {16, func(_ *testing.T, _ *Receiver, text string) string {
			return strings.ReplaceAll(text, "SERWithPayment", "SEROnly")
		}},
		"a payment alone with a return": {16, func(_ *testing.T, _ *Receiver, text string) string {
			return strings.ReplaceAll(text, "SERWithPayment", "PaymentOnly")
		}},
		"a payment that is not there": {16, func(_ *testing.T, _ *Receiver, text string) string {
			from, to := strings.Index(text, "    <FinancialTransaction>"), strings.Index(text, "  </SimplifiedReturnDocument>")
			return strings.Replace(text[:from]+text[to:], withoutHash, "", 1)
		}},
		"nothing but a header": {16, func(_ *testing.T, _ *Receiver, text string) string {
			from, to := strings.Index(text, "    <SimplifiedElectronicReturn>"), strings.Index(text, "  </SimplifiedReturnDocument>")
			return strings.Replace(text[:from]+text[to:], withoutHash, "", 1)
		}},
		"a payment for all":                {0, bulked("T", "T")},
		"a payment for all of another sum": {20, bulked("<SubAmount>48.75", "<SubAmount>48.74")},
		"another sum of payments":          {21, replace("Hash>49.36", "Hash>49.35")},
		"a sum of payments with a plus":    {0, replace("Hash>49.36", "Hash>+049.360")},
		"a payment on Sunday":              {22, replace("<RequestedPaymentDate>2026-11-20", "<RequestedPaymentDate>2026-11-22")},
		"a payment yesterday":              {22, replace("<RequestedPaymentDate>2026-11-20", "<RequestedPaymentDate>2026-11-18")},
		"a payment on a holiday":           {22, receive(func(r *Receiver) { r.BusinessDay = func(calendar.Date) bool { return false } })},
		"a wrong password":                 {23, receive(func(r *Receiver) { r.Refused = true })},
		"the number of the state": {24, func(t *testing.T, r *Receiver, text string) string {
			in := base
			in.rule(tax.SimplifiedNumber, tax.ConfidenceHigh, "ONLY_SHARED")
			r.Layout = in.Layout
			return replace("<SSTPID>S00004711</SSTPID>", "<StateID>47-110</StateID>")(t, r, text)
		}},
		"the number of the state where it may be": {0, replace("<SSTPID>S00004711</SSTPID>", "<StateID>47-110</StateID>")},
		"food where it has no rate of its own": {25, receive(func(r *Receiver) {
			in := base
			in.rule(tax.SimplifiedOwnRate, tax.ConfidenceHigh)
			r.Layout = in.Layout
		})},
		"the federal number as that of the state": {26, replace("<SSTPID>S00004711</SSTPID>", "<StateID>98-7654321</StateID>")},
		"an empty number of the state":            {26, replace("<SSTPID>S00004711</SSTPID>", "<StateID></StateID>")},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			of := base.receiver()
			changed := test.change(t, &of, text)
			found := Validate([]byte(changed), of)
			if test.number == 0 {
				require.Empty(t, found)
				return
			}
			require.Equal(t, []int{test.number}, numbersOf(found), "%v", found)
			rule := ruleOf(test.number)
			require.True(t, rule.Checked)
			require.Equal(t, rule.Level == LevelDocument && test.number != numberBulk, found[0].Document != "", "%v", found[0])
		})
	}
}

// A document that breaks the rules of the state does not leave, whatever made it.
func TestADocumentThatBreaksTheRulesDoesNotLeave(t *testing.T) {
	t.Parallel()
	in, _ := paid(t)
	in.rule(tax.SimplifiedPayment, tax.ConfidenceHigh, "ten")
	d, findings := Make(in)
	require.Nil(t, d.Bytes)
	require.Contains(t, codes(findings), "DOCUMENT_WRONG")
}

// Sums that are wrong are no errors of states, and are found before anything leaves.
func TestWrongSumsAreFoundBeforeAnythingLeaves(t *testing.T) {
	t.Parallel()
	in, text := paid(t)
	require.Empty(t, Sums([]byte(text)))
	require.Empty(t, Sums([]byte("no XML")))
	for old, with := range map[string]string{
		"<TotalSales>74250.00":                            "<TotalSales>74250.01",
		"<TaxableSales>57500.00":                          "<TaxableSales>57500.01",
		"<ExemptionAmount>9000.00":                        "<ExemptionAmount>9000.01",
		"<ExemptionType>Resale":                           "<ExemptionType>Other",
		"<StateTaxDueFoodDrug>200.00":                     "<StateTaxDueFoodDrug>199.99",
		"<JurisTaxDueOwnPurchWithdraw>5.00":               "<JurisTaxDueOwnPurchWithdraw>5.01",
		"<JurisdictionCode>157":                           "<JurisdictionCode>037",
		"<JurisdictionCode>03440":                         "<JurisdictionCode>99999",
		"<TotalTaxDue>5553.75":                            "<TotalTaxDue>-5553.75",
		"<InterestDue>0.61":                               "<InterestDue>0.60",
		"<Priorpayments>5505.00":                          "<Priorpayments>5504.00",
		"<AmountDueOrRefund>49.36":                        "<AmountDueOrRefund>49.37",
		"<SubAmount>48.75":                                "<SubAmount>48.76",
		"<TaxPeriodStartDate>2026-09-01":                  "<TaxPeriodStartDate>2026-10-01",
		"<TaxPeriodEndDate>2026-09-30</TaxPeriodEndDate>": "<TaxPeriodEndDate>2026-09-30Z</TaxPeriodEndDate>",
	} {
		require.Contains(t, text, old)
		changed := []byte(strings.Replace(text, old, with, 1))
		require.NotEmpty(t, Sums(changed), with)
		require.Empty(t, Validate(changed, in.receiver()), with)
	}
}
