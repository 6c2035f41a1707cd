package ser

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"levy/tax/calendar"
)

// element says what an element may have: parts in their order, or a text. Words for what a schema cannot say, such as sums,
// are in Sums.
type element struct {
	parts      []part
	text       func(string) bool            // nil for any text
	attributes map[string]func(string) bool // those it may have
	required   []string                     // attributes that it must have
	any        bool                         // parts that Levy neither writes nor reads are not checked
}

// part is one of some names, which occurs at least min and at most max times; 0 is any number.
type part struct {
	names    []string
	min, max int
}

func one(names ...string) part   { return part{names, 1, 1} }
func maybe(names ...string) part { return part{names, 0, 1} }
func many(min, max int, name string) part {
	return part{[]string{name}, min, max}
}

func matching(pattern string) func(string) bool {
	return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString
}

func oneOf(words ...string) func(string) bool {
	return func(text string) bool { return slices.Contains(words, text) }
}

// between returns the condition that a text has some characters.
func between(least, most int) func(string) bool {
	return func(text string) bool { n := utf8.RuneCountInString(text); return n >= least && n <= most }
}

var (
	isID           = matching(`[A-Za-z0-9:.\-]{20}`)
	isAnyID        = matching(`[A-Za-z0-9:.\-]{1,30}`)
	isSharedNumber = matching(`S[0-9]{8}`)
	isTIN          = matching(`[0-9]{9}`)
	isRouting      = matching(`(?:0[1-9]|1[0-2]|2[1-9]|3[0-2])[0-9]{7}`)
	isAccount      = matching(`[A-Za-z0-9\-]{1,17}`)
	isCount        = matching(`\+?0*[1-9][0-9]{0,8}`)
	isErrorCount   = matching(`\+?[0-9]{1,9}`)
	isErrorID      = matching(`\+?0*[1-9][0-9]{0,5}`)
	isTime         = matching(`-?[0-9]{4,}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]+)?(?:Z|[+\-][0-9]{2}:[0-9]{2})?`)
	isDayZoned     = matching(`([1-9][0-9]{3}-[0-9]{2}-[0-9]{2})(?:Z|[+\-][0-9]{2}:[0-9]{2})?`)
	isNumber       = matching(`[+\-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)`)
	isStateText    = matching(`[A-Za-z0-9\-]{1,20}`)
)

// isStateNumber reports whether a number can be that of a state: it is not the federal one.
func isStateNumber(number, tin string) bool { return isStateText(number) && digitsOf(number) != tin }

// isDay reports whether a text is a day, with or without the zone that the schema allows.
func isDay(text string) bool {
	if !isDayZoned(text) {
		return false
	}
	_, err := calendar.ParseDate(text[:len("2006-01-02")])
	return err == nil
}

// amountOf returns the condition that a text is an amount with at most so many digits, of which 2 after the point.
func amountOf(digits int) func(string) bool {
	return func(text string) bool {
		if !isNumber(text) {
			return false
		}
		whole, frac, _ := strings.Cut(strings.TrimLeft(text, "+-"), ".")
		whole, frac = strings.TrimLeft(whole, "0"), strings.TrimRight(frac, "0")
		return len(frac) <= 2 && len(whole)+len(frac) <= digits
	}
}

var isAmount, isPaid = amountOf(15), amountOf(10)

var documentTypes = []string{returnOnly, withPayment, onlyPayment, prepayment}

func amounts(names ...string) map[string]element {
	all := map[string]element{}
	for _, name := range names {
		all[name] = element{text: isAmount}
	}
	return all
}

// merged joins tables of elements.
func merged(tables ...map[string]element) map[string]element {
	all := map[string]element{}
	for _, table := range tables {
		for name, e := range table {
			all[name] = e
		}
	}
	return all
}

// returnElements are the elements of a return, by their name.
var returnElements = func() map[string]element {
	payment := []part{
		one("Checking", "Savings"), one("RoutingTransitNumber"), one("BankAccountNumber"), one("PaymentAmount"),
		maybe("IdentificationNumber"), maybe("AccountHolderName"), maybe("AccountHolderType"), maybe("RequestedPaymentDate"),
		many(0, 0, "AddendaRecord"), one("NotIATTransaction", "IsIATTransaction", "FullIAT"),
	}
	checked := element{text: oneOf("X")}
	return merged(amounts(
		"TransmissionPaymentHash", "TotalSales", "ExemptionsDeductions", "ExemptionAmount", "TaxableSales", "StateTaxDueSalesInState",
		"StateTaxDueSalesOrigOutOfState", "StateTaxDueOwnPurchWithdraw", "StateTaxDueFoodDrug", "JurisTaxDueSalesInState",
		"JurisTaxDueSalesOrigOutOfState", "JurisTaxDueOwnPurchWithdraw", "TotalTaxDue", "InterestDue", "PenaltyDue", "Discounts",
		"SSTPAllowance", "Priorpayments", "NewPrepayments", "AmountDueOrRefund",
	), map[string]element{
		"SSTSimplifiedReturnTransmission": {
			parts:      []part{one("TransmissionHeader"), many(1, 0, "SimplifiedReturnDocument"), maybe("FinancialTransaction")},
			attributes: map[string]func(string) bool{"transmissionVersion": anyText}, required: []string{"transmissionVersion"},
		},
		"TransmissionHeader": {parts: []part{
			one("TransmissionId"), maybe("Timestamp"), one("Transmitter"), one("ProcessType"), one("DocumentCount"),
			maybe("TransmissionPaymentHash"),
		}},
		"TransmissionId": {text: isID}, "DocumentId": {text: isID}, "Timestamp": {text: isTime},
		"Transmitter": {parts: []part{one("ETIN")}}, "ETIN": {text: between(transmitterLength, transmitterLength)},
		"ProcessType": {text: oneOf("T", "P")}, "DocumentCount": {text: isCount},
		"SimplifiedReturnDocument": {parts: []part{
			one("DocumentId"), one("DocumentType"), one("SSTFilingHeader"), maybe("SimplifiedElectronicReturn"),
			maybe("FinancialTransaction"),
		}},
		"DocumentType": {text: oneOf(documentTypes...)}, "FilingType": {text: oneOf(documentTypes...)},
		"SSTFilingHeader": {parts: []part{
			maybe("ElectronicPostmark"), one("TaxPeriodStartDate"), one("TaxPeriodEndDate"), maybe("DateReceived"), maybe("Preparer"),
			one("FilingType"), one("SSTPID", "StateID"), one("TIN"), one("FIPSCode"),
		}},
		"ElectronicPostmark": {text: isDay, attributes: map[string]func(string) bool{"DateSupplier": oneOf("Preparer", "Transmitter")}},
		"TaxPeriodStartDate": {text: isDay}, "TaxPeriodEndDate": {text: isDay}, "DateReceived": {text: isDay},
		"Preparer": {parts: []part{
			maybe("PreparerName"), one("PreparerTIN"), maybe("PreparerPhone"), maybe("PreparerEmailAddress"), maybe("SoftwareId"),
		}},
		"PreparerName": {text: between(1, 40)}, "PreparerPhone": {text: matching(`[0-9]{10}`)},
		"PreparerEmailAddress": {text: between(1, 75)}, "SoftwareId": {text: between(9, 9)},
		"PreparerTIN": tinElement, "TIN": tinElement, "FedTIN": {text: isTIN},
		"SSTPID": {text: isSharedNumber}, "StateID": {text: between(0, 20)}, "FIPSCode": {text: between(0, 2)},
		"SimplifiedElectronicReturn": {parts: []part{
			one("ReturnType"), one("TotalSales"), one("ExemptionsDeductions"), many(0, len(exemptionTypes), "ExemptionDeductionBreakout"),
			one("TaxableSales"), one("StateTaxDueSalesInState"), one("StateTaxDueSalesOrigOutOfState"),
			one("StateTaxDueOwnPurchWithdraw"), one("StateTaxDueFoodDrug"), many(0, 0, "JurisdictionDetail"), one("TotalTaxDue"),
			maybe("InterestDue"), maybe("PenaltyDue"), maybe("Discounts"), maybe("SSTPAllowance"), maybe("Priorpayments"),
			maybe("NewPrepayments"), one("AmountDueOrRefund"),
		}},
		"ReturnType":                 {text: oneOf("O", "A")},
		"ExemptionDeductionBreakout": {parts: []part{one("ExemptionType"), one("ExemptionAmount")}},
		"ExemptionType":              {text: oneOf(exemptionTypes[:]...)},
		"JurisdictionDetail": {parts: []part{
			one("JurisdictionCode"), one("JurisTaxDueSalesInState"), one("JurisTaxDueSalesOrigOutOfState"), maybe("JurisTaxDueOwnPurchWithdraw"),
		}},
		"JurisdictionCode": {text: between(3, 5)},
		"FinancialTransaction": {parts: []part{
			many(0, 0, "StatePayment"), many(0, 3, "RefundDirectDeposit"), maybe("ACHCreditInfo"), many(0, 3, "DepositTo529Account"),
			many(0, 4, "EstimatedPayments"),
		}},
		"StatePayment": {parts: payment}, "EstimatedPayments": {any: true}, "RefundDirectDeposit": {any: true},
		"DepositTo529Account": {any: true}, "FullIAT": {any: true}, "IsIATTransaction": {any: true},
		"ACHCreditInfo": {parts: []part{
			one("PaymentAmount"), maybe("IdentificationNumber"), maybe("RequestedPaymentDate"), many(0, 0, "AddendaRecord"),
			one("NotIATTransaction", "IsIATTransaction"),
		}},
		"Checking": checked, "Savings": checked, "NotIATTransaction": checked,
		"RoutingTransitNumber": {text: isRouting}, "BankAccountNumber": {text: isAccount}, "PaymentAmount": {text: isPaid},
		"IdentificationNumber": {text: between(0, mostFieldIDs)}, "AccountHolderName": {text: between(0, mostHolder)},
		"AccountHolderType": {text: oneOf("1", "2")}, "RequestedPaymentDate": {text: isDay},
		"AddendaRecord": {parts: []part{
			maybe("TaxpayerIdentification"), maybe("TaxTypeCode"), maybe("TaxPeriodEndDate"), many(0, 3, "TXPAmount"),
		}},
		"TaxpayerIdentification": {text: between(0, mostFieldIDs)},
		"TaxTypeCode":            {parts: []part{one("FTACode"), one("StateTaxTypeCode")}},
		"FTACode":                {text: matching(`[0-9]{3}`)}, "StateTaxTypeCode": {text: matching(`[0-9]{2}| {2}`)},
		"TXPAmount":     {parts: []part{one("SubAmountType"), one("SubAmount")}},
		"SubAmountType": {text: between(0, 1)}, "SubAmount": {text: isPaid},
	})
}()

var tinElement = element{
	parts:      []part{one("FedTIN")},
	attributes: map[string]func(string) bool{"TypeTIN": oneOf(tinTypes...)}, required: []string{"TypeTIN"},
}

// anyText is the condition of an edition, which is compared with that of the layout.
func anyText(string) bool { return true }

// checkMessage returns where a message of an edition breaks its schema. Its root has the edition.
func checkMessage(elements map[string]element, n *node, root, edition string) []fault {
	if n.name != root {
		return []fault{{n.path(), "unknown element"}}
	}
	faults := check(elements, n)
	for _, version := range elements[root].required {
		if said := n.attribute(version); said != "" && said != edition {
			faults = append(faults, fault{n.path() + "/@" + version, "another edition"})
		}
	}
	return faults
}

// fault is where a message breaks its schema, and how.
type fault struct{ path, message string }

// check returns where an element and all below it break their schema.
func check(elements map[string]element, n *node) (faults []fault) {
	e, known := elements[n.name]
	switch {
	case !known || n.space != "":
		return []fault{{n.path(), "unknown element"}}
	case e.any:
		return nil
	}
	faults = e.checkAttributes(n)
	if e.parts == nil {
		if len(n.children) > 0 || e.text != nil && !e.text(n.text) {
			faults = append(faults, fault{n.path(), "not a value that is allowed"})
		}
		return faults
	}
	if strings.TrimSpace(n.text) != "" {
		faults = append(faults, fault{n.path(), "text between elements"})
	}
	faults = append(faults, e.checkParts(n)...)
	for _, c := range n.children {
		if _, known := elements[c.name]; known || n.up != nil {
			faults = append(faults, check(elements, c)...)
		}
	}
	return faults
}

func (e *element) checkAttributes(n *node) (faults []fault) {
	for _, a := range n.attributes {
		is, known := e.attributes[a.Name.Local]
		if !known || a.Name.Space != "" || !is(a.Value) {
			faults = append(faults, fault{n.path() + "/@" + a.Name.Local, "not an attribute or value that is allowed"})
		}
	}
	for _, name := range e.required {
		if n.attribute(name) == "" {
			faults = append(faults, fault{n.path() + "/@" + name, "missing"})
		}
	}
	return faults
}

// checkParts compares the elements below an element with the parts in their order.
func (e *element) checkParts(n *node) (faults []fault) {
	rest := n.children
	for _, p := range e.parts {
		times := 0
		for len(rest) > 0 && slices.Contains(p.names, rest[0].name) && (p.max == 0 || times < p.max) {
			rest, times = rest[1:], times+1
		}
		if times < p.min {
			faults = append(faults, fault{n.path() + "/" + p.names[0], "missing"})
		}
	}
	if len(rest) > 0 {
		faults = append(faults, fault{rest[0].path(), "out of order, or too often"})
	}
	return faults
}

// attribute returns the value of an attribute; "" without it.
func (n *node) attribute(name string) string {
	for _, a := range n.attributes {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}
