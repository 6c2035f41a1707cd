package returns

import (
	"regexp"
	"strings"

	"levy/models"
	"levy/tax/money"
)

// deductions are the codes of deductions from retail sales, by the class of what was sold. Source: combined excise tax
// return of Washington, deduction detail (2010, 2013). All others have otherDeduction, which wants an explanation.
var deductions = map[string]string{"FOOD": food, "BOTTLED_WATER": food, "CANDY": food, "DRUGS_RX": drugs}

const (
	drugs          = "21" // prescription drugs
	food           = "22" // food that is exempt
	exported       = "04" // interstate and foreign sales
	returned       = "31" // returns and allowances
	otherDeduction = "99"
)

// washingtonFile makes the combined excise tax return as E-file 1.0, for a month. It has bases, and the state computes
// the taxes. Lines: 1 retail sales, 2 and 3 retailing and wholesaling of the business and occupation tax, 45 local sales.
func washingtonFile(in Input) (Document, []Finding) {
	m := &maker{Input: in}
	m.regularMonths(1)
	m.refuseTwoRates()
	retail := all(m.top, own, func(x *models.FilingFigure) bool { return x.Category != models.CategoryResale })
	resale := all(m.top, own, func(x *models.FilingFigure) bool { return x.Category == models.CategoryResale })
	sold := m.total("1", gross, all(retail, func(x *models.FilingFigure) bool { return !below(x) }))
	wholesale := m.total("3", gross, resale)
	if len(m.places(own)) == 0 && sold.IsZero() && wholesale.IsZero() {
		m.note(models.SeverityInfo, "NOTHING_TO_FILE", "", "The return has no sales: report no business on the site of the authority.",
			0, money.Total{})
		return Document{}, m.sheet.Findings
	}

	lines := []string{"E-file, 1.0", m.washingtonAccount()}
	add := func(parts ...string) { lines = append(lines, strings.Join(parts, ", ")) }
	add("TAX", "2", "0", sold.String())
	if !wholesale.IsZero() {
		add("TAX", "3", "0", wholesale.String())
	}
	add("TAX", "1", "0", sold.String())
	left := sold
	local := m.byCode("45", taxable, func(x *models.FilingFigure) string { return x.Place }, retail)
	for _, c := range local {
		if !locationCode.MatchString(c.code) {
			m.note(models.SeverityError, "CODE_MISSING", "45", "A code of the content is no location code: that has 4 digits.", 1, c.amount)
		}
		add("TAX", "45", c.code, c.amount.String())
	}
	for _, c := range m.washingtonDeductions(retail) {
		record := []string{"DED", "01", c.code, c.amount.String()}
		if c.code == otherDeduction {
			record = append(record, "Exempt sales")
		}
		add(record...)
		left, _ = left.Minus(c.amount) // a smaller amount of what was summed above
	}
	m.checkLocal(left, local)
	m.findCollected()
	m.note(models.SeverityWarning, "OTHER_TAXES", "2", "The file has the gross of the business and occupation tax, and no deductions from "+
		"it: enter these yourself, and what was sold through marketplaces.", 0, money.Total{})
	m.note(models.SeverityInfo, "ENTRY_MISSING", "5", "The file has no use tax: enter your purchases on which you paid no tax yourself.",
		0, money.Total{})
	return m.document(lines, "\n"), m.sheet.Findings
}

// refuseTwoRates refuses places whose rate changed inside the period: the file may not carry their line.
func (m *maker) refuseTwoRates() {
	rates := map[[2]string]string{}
	for _, p := range m.places(all(own, func(x *models.FilingFigure) bool { return !x.Taxable.IsZero() })) {
		key := [2]string{p.level, p.name}
		before, ok := rates[key]
		if ok && before != p.rate {
			m.note(models.SeverityError, "RATE_CHANGED", "45", "The rate of "+p.name+" changed inside the period, and the file may not carry "+
				"such a line: enter the return yourself.", 1, money.Total{})
		}
		rates[key] = p.rate
	}
}

var (
	mail         = regexp.MustCompile(`^[^@\s]+@[^@\s]+\.[^@\s]+$`)
	locationCode = regexp.MustCompile(`^\d{4}$`)
)

// washingtonAccount returns the record of the account, and refuses numbers and contacts that the state does not take.
func (m *maker) washingtonAccount() string {
	const accountDigits, phoneDigits = 9, 10
	account, plain := digits(m.Filer.Account)
	switch {
	case m.Filer.Account == "":
		m.note(models.SeverityError, "ID_MISSING", "ACCOUNT", "The registration has no number of the authority: enter the account id of "+
			"9 digits as its sales tax id.", 1, money.Total{})
	case !plain || len(account) != accountDigits:
		m.note(models.SeverityError, "ID_FORMAT", "ACCOUNT", "The sales tax id of the registration is no account id of Washington: that has "+
			"9 digits.", 1, money.Total{})
	}
	name := m.raw("ACCOUNT", "name", m.Filer.Contact)
	email := m.raw("ACCOUNT", "e-mail address", m.Filer.Email)
	if email != "" && !mail.MatchString(email) {
		m.note(models.SeverityError, "TEXT_REFUSED", "ACCOUNT", "The e-mail address of the business contact is none.", 1, money.Total{})
	}
	phone, plain := digits(m.Filer.Phone)
	phone = strings.TrimPrefix(phone, "1") // no area code begins with it
	switch {
	case m.Filer.Phone == "":
		m.raw("ACCOUNT", "phone number", "")
	case !plain || len(phone) != phoneDigits:
		m.note(models.SeverityError, "TEXT_REFUSED", "ACCOUNT", "The phone number of the business contact does not have 10 digits.",
			1, money.Total{})
	default:
		phone = phone[:3] + "-" + phone[3:6] + "-" + phone[6:]
	}
	return strings.Join([]string{"ACCOUNT", account, m.Filing.EndDate.Format("012006"), name, email, phone}, ", ")
}

// washingtonDeductions returns what is taken off the gross of retail sales, in the order of the codes.
func (m *maker) washingtonDeductions(retail where) []coded {
	var found []coded
	codeOf := func(x *models.FilingFigure) string {
		if x.Category == models.CategoryExport {
			return exported
		}
		if code, ok := deductions[x.Class]; ok && x.Category == models.CategoryNotTaxable {
			return code
		}
		return otherDeduction
	}
	for _, code := range []string{exported, drugs, food, returned, otherDeduction} {
		of, is := untaxed, func(x *models.FilingFigure) bool { return codeOf(x) == code }
		if code == returned {
			of, is = func(x *models.FilingFigure) money.Total { return x.Gross.Neg() }, below
		}
		if amount := m.total("1-"+code, of, all(retail, is)); !amount.IsZero() {
			found = append(found, coded{code, amount})
		}
	}
	return found
}

// checkLocal checks that the bases of all places add up to what is left of retail sales. Places without a code have their
// own finding.
func (m *maker) checkLocal(left money.Total, local []coded) {
	if len(Refusals(m.sheet.Findings)) > 0 {
		return
	}
	for _, c := range local {
		left, _ = left.Minus(c.amount)
	}
	// guard: returns: the local bases of the file of Washington add up to its taxable sales
	if !left.IsZero() {
		m.note(models.SeverityError, "SUMS_DIFFER", "45", "The bases of the places do not add up to the taxable sales: do not file them, and "+
			"tell your operator.", 1, left)
	}
}
