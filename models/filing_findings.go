package models

import (
	"strconv"

	"levy/tax/calendar"
	"levy/tax/money"
)

// FilingAround is what other filings and the registration say about a filing.
type FilingAround struct {
	PrepaymentsMissing int         // planned prepayments of its period that are not filed
	CreditTaken        money.Total // of an amendment: credit of its period that a later return has used
	Ends               bool        // its registration ends with its period
	Excluded           int64       // transactions that the approval has left out
	ExcludedAmount     money.Total
	IdentifiedBy       string // the member that identifies the seller at the Union scheme of the one-stop shop; "" elsewhere
	Test               bool   // of a test organization
}

// Severities of findings.
const (
	SeverityError   = "ERROR"
	SeverityWarning = "WARNING"
	SeverityInfo    = "INFO"
)

// Finding is what a person should know before the approval of a filing.
type Finding struct {
	Code     string `json:"code"`
	Severity string `json:"severity"`
	Message  string `json:"message"`
	Count    int64  `json:"count"`
	Amount   string `json:"amount"`
}

// finding adds a finding if it applies.
type finding func(when bool, code, severity string, count int64, amount money.Total, message string)

// addCreditLeft adds what becomes of the credit that the filing leaves.
func (f Filing) addCreditLeft(add finding) {
	rule, left := calendar.CreditRuleOf(f.CountryCode, f.StateCode), !f.AmountCreditCarried.IsZero()
	until := ""
	if rule.ClaimMonths > 0 {
		until = " by " + calendar.DateOf(f.EndDate).AddMonths(rule.ClaimMonths).String()
	}
	claims := rule.Treatment == calendar.CreditClaimed || f.Around.Ends
	add(left && claims, "CREDIT_TO_CLAIM", SeverityWarning, 1, f.AmountCreditCarried,
		"No later return can take off what is left: claim it from the authority"+until+".")
	const carried = "The return takes off more than it owes: nothing is paid, and later returns take off the rest."
	add(left && !claims && rule.Source != "", "CREDIT_CARRIED", SeverityInfo, 1, f.AmountCreditCarried, carried)
	corrects := f.CountryCode == EuropeanUnion && f.FilingCategory == FilingAmendment
	add(left && !claims && corrects, "CREDIT_CARRIED", SeverityWarning, 1, f.AmountCreditCarried,
		"The next return of the one-stop shop has it as a correction of this period, for each member. A member whose balance falls "+
			"below zero is not set off against others: ask it how it gives the rest back.")
	// guard: findings: a treatment of credit that no law read names is in doubt
	add(left && !claims && !corrects && rule.Source == "", "CREDIT_CARRIED", SeverityWarning, 1, f.AmountCreditCarried,
		carried+" Levy has read no law of this authority about it: ask whether it wants a claim, and until when.")
}

// addFormDifference adds by how much the form computes another tax than was accrued.
func (f Filing) addFormDifference(add finding) {
	differs, doubtful := !f.FormDifference.IsZero(), f.BeyondRoundingCount > 0
	const form = "The form computes taxable x rate, and the tax was accrued by transaction: "
	// guard: findings: a difference of the form that roundings do not explain is in doubt
	add(differs && doubtful, "FORM_DIFFERS", SeverityWarning, f.BeyondRoundingCount, f.FormDifference,
		form+"roundings do not explain the difference of these transactions, whose tax may be wrong.")
	add(differs && !doubtful, "FORM_DIFFERS", SeverityInfo, f.TransactionCount, f.FormDifference,
		form+"its roundings to the cent explain the difference.")
}

// prepaysByUnknownLaw reports whether the return is of a quarter with payments on account, of which no law was read.
func (f Filing) prepaysByUnknownLaw() bool {
	rule, _ := calendar.PrepaymentRuleOf(f.CountryCode, f.StateCode)
	return f.FilingCategory == calendar.FilingRegular && f.Frequency() == calendar.FilingQuarterlyPrepayment && !rule.Planned()
}

// Findings returns what a person should know before the approval of the filing, or of its claim.
func (f Filing) Findings() []Finding {
	findings := []Finding{}
	add := func(when bool, code, severity string, count int64, amount money.Total, message string) {
		if when {
			findings = append(findings, Finding{code, severity, message, count, amount.String()})
		}
	}
	add(!f.AmountOverCollected.IsZero() || f.OverCollectedCount > 0, "OVER_COLLECTED", SeverityWarning,
		f.OverCollectedCount, f.AmountOverCollected,
		"More tax was collected than is due by law: it is owed until it is given back to the buyers.")
	add(!f.AmountUnderCollected.IsZero() || f.UnderCollectedCount > 0, "UNDER_COLLECTED", SeverityWarning,
		f.UnderCollectedCount, f.AmountUnderCollected, "Less tax was collected than is due by law.")
	add(f.Around.PrepaymentsMissing > 0, "PREPAYMENT_MISSING", SeverityWarning, int64(f.Around.PrepaymentsMissing),
		money.Total{}, "Planned prepayments of the period are not filed: one that is filed later becomes credit.")
	// guard: findings: payments on account that no law read names are named
	add(f.prepaysByUnknownLaw(), "PREPAYMENTS_NOT_PLANNED", SeverityWarning, 0, money.Total{},
		"Levy has read no law of this authority about payments on account within the quarter, and plans none: ask which it wants.")
	add(!f.AmountCreditApplied.IsZero(), "CREDIT_APPLIED", SeverityInfo, 1, f.AmountCreditApplied,
		"Credit of earlier returns is taken off what is to be paid.")
	f.addCreditLeft(add)
	add(!f.Around.CreditTaken.IsZero(), "CREDIT_TAKEN", SeverityWarning, 1, f.Around.CreditTaken,
		"A later return has taken off credit of this period: the amendment cannot take it again.")
	f.addFormDifference(add)
	add(f.UncertainCount > 0, "UNCERTAIN_TAX", SeverityWarning, f.UncertainCount, f.UncertainTax,
		"The place of these transactions is not confirmed, and their tax may be another.")
	add(f.NoObligationCount > 0, "NO_OBLIGATION", SeverityInfo, f.NoObligationCount, f.NoObligationSales,
		"These transactions are of days without an obligation: they owe nothing and are no sales of this form.")
	add(f.Around.Excluded > 0, "EXCLUDED", SeverityWarning, f.Around.Excluded, f.Around.ExcludedAmount,
		"The approval left out "+strconv.FormatInt(f.Around.Excluded, 10)+" unresolved transactions.")
	return findings
}
