package returns

import (
	"fmt"
	"slices"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// shopSpan is when returns of the one-stop shop have these lines. The rules of July 2028 were not read.
var shopSpan = calendar.Span{From: 20210701, To: 20280630}

// ShopLayout returns the layout of the worksheet of the one-stop shop. Its lines are those of the regulation, which each member
// shows on a form of its own.
func ShopLayout() tax.ReturnLayout {
	layout := tax.ReturnLayout{
		ID: "EU-OSS/2021-07", Country: models.EuropeanUnion, State: models.EuropeanUnion, Form: "OSS", Name: "Return of the one-stop shop",
		Edition: "2021-07", Span: shopSpan, Amends: tax.AmendCorrects, Rounding: tax.RoundCentAccrued, Confidence: tax.ConfidenceMedium,
		Source: "Implementing Regulation (EU) 2020/194, annex III; Directive 2006/112/EC, articles 365, 369g and 369t",
	}
	for _, l := range [...][3]string{
		{"*-n", "Taxable amount by kind and rate", supplyRule}, {"*-nt", "VAT by kind and rate", supplyTaxRule},
		{"*-period", "Correction of an earlier period", correctionRule}, {"*", "Balance of a member", balanceRule},
		{"TOTAL", "Total to pay", shopTotalRule},
	} {
		layout.Lines = append(layout.Lines, tax.ReturnLine{
			Line: l[0], Name: l[1], Rule: l[2], Source: layout.Source, Confidence: layout.Confidence, Formula: tax.Formula{Function: "shop"},
		})
	}
	return layout
}

// How the lines of the worksheet are computed.
const (
	supplyRule     = "Taxable amount of own supplies"
	supplyTaxRule  = "VAT that is owed on them"
	correctionRule = "Difference of the filed amendments of this period"
	balanceRule    = "VAT and corrections"
	shopTotalRule  = "Sum of the balances above zero"
)

// HasShopWorksheet reports whether the worksheet of a filing is that of the one-stop shop. An amendment has the general one,
// because the next return corrects its period.
func HasShopWorksheet(f *models.Filing) bool {
	return f.CountryCode == models.EuropeanUnion && f.FilingCategory == calendar.FilingRegular &&
		shopSpan.Holds(calendar.DateOf(f.EndDate))
}

// AmendsShop reports whether a filing is an amendment of the one-stop shop. Nothing is paid for it: the next return corrects its
// period.
func AmendsShop(f *models.Filing) bool {
	return f.CountryCode == models.EuropeanUnion && f.FilingCategory == models.FilingAmendment
}

// incomplete are the errors of a worksheet of the one-stop shop whose total lacks something.
var incomplete = []string{"FIGURES_MISSING", "SUMS_DIFFER", "CLASS_MISSING", "CODE_MISSING", "CORRECTIONS_MISSING", "AMOUNT_TOO_LARGE"}

// ShopTotal returns what a worksheet of the one-stop shop says is to be paid: its last line; nil where that lacks something.
func ShopTotal(w *Worksheet) *money.Total {
	for _, f := range w.Findings {
		// guard: payments: a total that lacks something is not paid
		if f.Severity == models.SeverityError && slices.Contains(incomplete, f.Code) {
			return nil
		}
	}
	return &w.Lines[len(w.Lines)-1].Amount
}

// ShopWorksheet makes the lines of a return of the one-stop shop. Each member has its supplies by kind and rate, its
// corrections and its balance. The last line is the total to pay. A negative balance is not set off against others (Implementing
// Regulation (EU) 2020/194, annex III). Errors: money.ErrOverflow.
func ShopWorksheet(in Input) (Worksheet, error) {
	in.Layout = ShopLayout()
	m := shopOf(in)
	m.sheet.Layout, m.sheet.Sure, m.sheet.Notice = in.Layout, in.Layout.Sure(), notices[in.Layout.Sure()]
	m.used, m.collects = make([]bool, len(in.Entries)), true
	m.find()
	m.findScheme()
	supplies, corrections := m.supplies(), m.corrections()
	line := func(number, name, rule string, amount money.Total, figures []int) {
		m.sheet.Lines = append(m.sheet.Lines, Line{
			Line: number, Name: name, Amount: amount, Rule: rule, Sure: in.Layout.Confidence, Figures: append([]int{}, figures...),
		})
	}
	var due, corrected money.Total
	for _, member := range m.Members {
		var balance money.Total
		before, n := len(m.sheet.Lines), 0
		for _, s := range supplies {
			if s.member.Country != member.Country {
				continue
			}
			n++
			name := fmt.Sprintf("%s: %s, %s rate %s", member.Name, strings.ToLower(s.kind), strings.ToLower(s.rateType()), percent(s.rate))
			line(fmt.Sprintf("%s-%d", member.Code, n), name, supplyRule, s.taxable, s.figures)
			line(fmt.Sprintf("%s-%dt", member.Code, n), name, supplyTaxRule, s.tax, s.figures)
			balance = m.added(balance, s.tax)
		}
		for _, c := range corrections {
			if c.Country == member.Country {
				line(member.Code+"-"+strings.ReplaceAll(m.periodOf(c), "/", ""), member.Name+": correction of "+m.periodOf(c), correctionRule,
					c.Tax, nil)
				balance, corrected = m.added(balance, c.Tax), m.added(corrected, c.Tax)
			}
		}
		if len(m.sheet.Lines) > before {
			line(member.Code, member.Name+": balance", balanceRule, balance, nil)
			// guard: returns: a member that is not set off against others is told
			if balance.IsNeg() {
				m.note(models.SeverityWarning, "BALANCE_BELOW_ZERO", member.Code, "The balance of "+member.Name+" is below zero, and the total "+
					"to pay does not take it off: pay that total, also where the amount of the filing is less, and ask this member how it "+
					"gives the rest back.", 1, balance)
			}
			due = m.added(due, money.MaxTotal(balance, money.Total{}))
		}
	}
	line("TOTAL", "Total to pay", shopTotalRule, due, nil)
	if len(corrections) > 0 {
		m.note(models.SeverityInfo, "CORRECTIONS", "TOTAL", "The total has corrections of earlier periods. The amount of this filing has "+
			"them as credit, where they are below zero; those above are in the amounts of the amendments.", int64(len(corrections)), corrected)
	}
	m.checkShopCredit()
	return m.sheet, m.check()
}

// findScheme notes that the return gets no file for want of a member that identifies the seller in the scheme of the Union. A
// business from elsewhere uses the non-Union scheme (Directive 2006/112/EC, articles 358a to 369), of which Levy has no file.
func (m *maker) findScheme() {
	if m.Filing.Around.IdentifiedBy != "" {
		return
	}
	m.note(models.SeverityWarning, "SCHEME_WITHOUT_FILE", "", "This return gets no file: Levy has files of the Union scheme of the one-stop "+
		"shop alone, and the registration names no member that identifies you in it. Type these lines into the portal of the member that "+
		"registered you. If you do use the Union scheme, end the registration, and make one with oss_type UNION and its member.",
		0, money.Total{})
}

// checkShopCredit notes prepayments and credit that are no corrections: the return of the one-stop shop has no line for them, and takes
// no entries.
func (m *maker) checkShopCredit() {
	m.paid = true
	other := m.added(m.added(m.Filing.AmountPrepaid, m.Filing.AmountCreditApplied), m.CorrectionCredit.Neg())
	// guard: returns: credit by corrections is in their lines
	if !other.IsPositive() {
		return
	}
	m.note(models.SeverityWarning, "ENTRY_MISSING", "TOTAL", "The filing has prepayments or credit that are no corrections, which the total "+
		"lacks: ask the member that identifies you how it takes them.", 1, other)
}
