package returns

import (
	"cmp"
	"slices"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// partsOfYear returns how many periods of a filing a year has: 12 for the import scheme, otherwise 4.
func partsOfYear(f *models.Filing) int {
	if f.Frequency() == calendar.FilingMonthly {
		return 12
	}
	return 4
}

// partOf returns the quarter, or the month, in which a filing ends.
func partOf(f *models.Filing) int {
	months := 12 / partsOfYear(f)
	return (int(f.EndDate.Month()) + months - 1) / months
}

// supply is what a return of the one-stop shop has of a member at one rate.
type supply struct {
	member   tax.ShopMember
	kind     string // GOODS or SERVICES
	rate     decimal.Decimal
	standard bool
	taxable  money.Total
	tax      money.Total
	figures  []int
}

// rateType is the type of the rate in the words of all members.
func (s *supply) rateType() string {
	if s.standard {
		return "STANDARD"
	}
	return "REDUCED"
}

// percent writes a rate as files want it, such as "20.00".
func percent(rate decimal.Decimal) string {
	const digits = 4 // of "0.2000", of which two stand behind the point of the percentage
	padded := rate.Trim(0).Pad(digits)
	return decimal.MustNew(int64(padded.Coef()), padded.Scale()-2).String()
}

// supplies adds up own supplies by member, kind and rate. A figure of no member, or of no kind of supply, is a finding.
func (m *maker) supplies() (found []supply) {
	at := func(member tax.ShopMember, kind string, rate decimal.Decimal) *supply {
		i := slices.IndexFunc(found, func(s supply) bool {
			return s.member.Country == member.Country && s.kind == kind && s.rate.Cmp(rate) == 0
		})
		if i < 0 {
			i = len(found)
			found = append(found, supply{member: member, kind: kind, rate: rate, standard: member.IsStandard(rate)})
		}
		return &found[i]
	}
	var charges []int
	add := func(n int, kind string) {
		x := &m.Figures.Figures[n]
		i := slices.IndexFunc(m.Members, func(s tax.ShopMember) bool { return s.Name == x.Name })
		rate, err := money.ParseDecimal(x.Rate)
		switch {
		case i < 0 || err != nil:
			m.note(models.SeverityError, "CODE_MISSING", "", "The content has no member of the Union with the name "+x.Name+
				" and a rate.", x.Transactions, x.Owed)
			return
		case kind == "":
			m.note(models.SeverityError, "CLASS_MISSING", "", "It is not known whether these supplies are goods or services: set the tax "+
				"class of their products.", x.Transactions, x.Owed)
			return
		}
		if kind == tax.SupplyCharge { // it goes with goods at its rate, otherwise with services
			kind = tax.SupplyService
			if slices.ContainsFunc(found, func(s supply) bool {
				return s.member.Name == x.Name && s.kind == tax.SupplyGoods && s.rate.Cmp(rate) == 0
			}) {
				kind = tax.SupplyGoods
			}
		}
		s := at(m.Members[i], kind, rate)
		s.taxable = m.added(s.taxable, x.Taxable)
		s.tax = m.added(s.tax, x.Owed)
		s.figures = append(s.figures, n)
	}
	for i := range m.Figures.Figures {
		x := &m.Figures.Figures[i]
		if !own(x) || x.Taxable.IsZero() && x.Owed.IsZero() {
			continue
		}
		if kind := tax.SupplyOf(tax.TaxClass(x.Class)); kind == tax.SupplyCharge {
			charges = append(charges, i)
		} else {
			add(i, kind)
		}
	}
	for _, i := range charges {
		add(i, tax.SupplyCharge)
	}
	for i := range found {
		m.refuseNegative(found[i].member.Code, money.MinTotal(found[i].taxable, found[i].tax))
	}
	slices.SortFunc(found, func(a, b supply) int {
		return cmp.Or(cmp.Compare(a.member.Code, b.member.Code), cmp.Compare(a.kind, b.kind), b.rate.Cmp(a.rate))
	})
	return found
}

// added adds two amounts. A sum that is too large is a finding.
func (m *maker) added(a, b money.Total) money.Total {
	sum, err := a.Plus(b)
	m.noteTooLarge("", err)
	return sum
}

// codeOf returns the code of a member; "" for a country that is none.
func (m *maker) codeOf(country string) string {
	i := slices.IndexFunc(m.Members, func(s tax.ShopMember) bool { return s.Country == country })
	if i < 0 {
		return ""
	}
	return m.Members[i].Code
}

// shopPeriod refuses returns that are not of a whole quarter, or month. An amendment gets no file of its own.
func (m *maker) shopPeriod() {
	f := &m.Filing
	start, end, months := f.StartDate, f.EndDate, 12/partsOfYear(f)
	switch {
	// guard: returns: an amendment of the one-stop shop is a correction of the next return
	case f.FilingCategory == models.FilingAmendment:
		m.note(models.SeverityError, "AMENDMENT_CORRECTS", "", "The one-stop shop takes no amended return: the next return has the "+
			"difference as a correction of this period.", 1, money.Total{})
	case f.FilingCategory != calendar.FilingRegular:
		m.note(models.SeverityError, "PERIOD_KIND", "", "The one-stop shop takes returns of a period: this filing is of another "+
			"kind.", 1, money.Total{})
	case start.Day() != 1 || (int(start.Month())-1)%months != 0 || !end.AddDate(0, 0, 1).Equal(start.AddDate(0, months, 0)):
		m.note(models.SeverityError, "PERIOD_PART", "", "The filing is not of a whole period of the scheme: add the figures of the other "+
			"filings of this period, and enter them yourself.", 1, money.Total{})
	}
	var refunds int64
	var sum money.Total
	for i := range m.Figures.Figures {
		if x := &m.Figures.Figures[i]; own(x) && below(x) {
			refunds += x.Transactions
			sum = m.added(sum, x.Owed)
		}
	}
	if refunds > 0 {
		m.note(models.SeverityWarning, "REFUNDS", "", "Refunds of this period are taken off its supplies. Refunds of sales of an earlier "+
			"period are corrections of that one: move them before you file.", refunds, sum)
	}
}

// WithShop adds what a return of the one-stop shop is made of in a content: its members, and the corrections by amendments.
func (in Input) WithShop(content *tax.Content, amended models.ShopCorrections) Input {
	in.Members = content.ShopMembers(calendar.DateOf(in.Filing.StartDate), calendar.DateOf(in.Filing.EndDate))
	m := &maker{Input: in}
	m.correct(content, amended)
	in.Corrections, in.CorrectionFindings, in.CorrectionCredit = m.Corrections, m.sheet.Findings, m.CorrectionCredit
	return in
}

// shopOf begins a return of the one-stop shop with the findings of its period and of its corrections.
func shopOf(in Input) *maker {
	m := &maker{Input: in}
	m.sheet.Findings = slices.Clone(in.CorrectionFindings)
	m.shopPeriod()
	return m
}
