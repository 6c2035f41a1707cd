package returns

import (
	"cmp"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"

	"github.com/govalues/decimal"

	"levy/models"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/money"
)

// Correction is by how much the tax of an earlier period changes, in a member of the Union. Part is the quarter of the year, or
// the month where the scheme has months.
type Correction struct {
	Country    string
	Year, Part int
	Tax        money.Total
}

// partsOfYear returns how many periods of a filing a year has: 12 for the import scheme, otherwise 4.
func partsOfYear(f *models.Filing) int {
	if f.FilingFrequency != nil && calendar.FilingFrequency(*f.FilingFrequency) == calendar.FilingMonthly {
		return 12
	}
	return 4
}

// partOf returns the quarter, or the month, in which a filing ends.
func partOf(f *models.Filing) int {
	months := 12 / partsOfYear(f)
	return (int(f.EndDate.Month()) + months - 1) / months
}

// periodOf names the period of a correction, such as "2026/Q3" or "2026-07".
func (m *maker) periodOf(c Correction) string {
	if partsOfYear(&m.Filing) == 12 {
		return fmt.Sprintf("%d-%02d", c.Year, c.Part)
	}
	return fmt.Sprintf("%d/Q%d", c.Year, c.Part)
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

// lastCorrection is how many years a period may be corrected (Directive 2006/112/EC, articles 365 and 369g).
const lastCorrection = 3

// CorrectionsOf returns what an amendment of a return of the one-stop shop corrects: the tax of each member. The next return
// has it. Errors: money.ErrOverflow.
func CorrectionsOf(members []tax.ShopMember, amendment models.Filing, figures models.FilingFigures) (found []Correction, err error) {
	for _, member := range members {
		c := Correction{Country: member.Country, Year: amendment.EndDate.Year(), Part: partOf(&amendment)}
		for i := range figures.Figures {
			if x := &figures.Figures[i]; x.Name == member.Name && own(x) {
				if c.Tax, err = c.Tax.Plus(x.Owed); err != nil {
					return nil, err
				}
			}
		}
		if !c.Tax.IsZero() {
			found = append(found, c)
		}
	}
	return found, nil
}

// correct takes over the corrections of a return: the differences of amendments, one for each member and period. It finds
// amendments that lack a part of their difference, and those that no return has yet.
func (m *maker) correct(content *tax.Content, amended models.ShopCorrections) {
	sums := map[Correction]money.Total{}
	for i := range amended.Amendments {
		a := &amended.Amendments[i]
		members := content.ShopMembers(calendar.DateOf(a.Filing.StartDate), calendar.DateOf(a.Filing.EndDate))
		corrections, err := CorrectionsOf(members, a.Filing, a.Figures)
		m.noteTooLarge("", err)
		var corrected money.Total
		for _, c := range corrections {
			corrected = m.added(corrected, c.Tax)
			key := Correction{Country: c.Country, Year: c.Year, Part: c.Part}
			sums[key] = m.added(sums[key], c.Tax)
		}
		// guard: returns: corrections have the whole difference of each amendment
		if a.Figures.Missing > 0 || corrected != a.Filing.TotalTaxLiability {
			difference, err := a.Filing.TotalTaxLiability.Minus(corrected)
			m.noteTooLarge("", err)
			m.note(models.SeverityError, "CORRECTIONS_MISSING", "", "The figures of an amendment of an earlier period do not add up to its "+
				"tax, or are not written yet. Wait; if it stays so, enter the correction yourself.", 1, difference)
		}
	}
	for c, sum := range sums {
		if c.Tax = sum; !sum.IsZero() {
			m.Corrections = append(m.Corrections, c)
		}
	}
	if amended.Waiting > 0 {
		m.note(models.SeverityWarning, "CORRECTIONS_MISSING", "", "Amendments of earlier periods are not filed yet: this return does not "+
			"have what they correct. File them first, or leave it to the next return.", amended.Waiting, money.Total{})
	}
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

// corrections returns the corrections by member and period, and refuses those that come too late.
func (m *maker) corrections() []Correction {
	found := slices.Clone(m.Corrections)
	slices.SortFunc(found, func(a, b Correction) int {
		return cmp.Or(cmp.Compare(m.codeOf(a.Country), m.codeOf(b.Country)), a.Year-b.Year, a.Part-b.Part)
	})
	parts := partsOfYear(&m.Filing)
	now := m.Filing.EndDate.Year()*parts + partOf(&m.Filing)
	for _, c := range found {
		if m.codeOf(c.Country) == "" {
			m.note(models.SeverityError, "CODE_MISSING", "", "A correction is of a country that is no member of the Union.", 1, c.Tax)
		}
		// guard: returns: a return of the one-stop shop corrects the three years before it
		if age := now - c.Year*parts - c.Part; age < 1 || age > lastCorrection*parts {
			m.note(models.SeverityError, "CORRECTION_PERIOD", m.codeOf(c.Country), "A return corrects periods of the three years before it: "+
				m.periodOf(c)+" is none of them.", 1, c.Tax)
		}
	}
	return found
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

// shopOf begins a return of the one-stop shop with the findings of its period and of its corrections.
func shopOf(in Input) *maker {
	m := &maker{Input: in}
	m.sheet.Findings = slices.Clone(in.CorrectionFindings)
	m.shopPeriod()
	return m
}

// germanShop makes the file that the portal of the Federal Central Tax Office imports. It has supplies of goods that were
// sent from Germany: how it writes others was not read.
func germanShop(in Input) (Document, []Finding) {
	m := shopOf(in)
	lines := []string{"#v2.0"}
	for _, s := range m.supplies() {
		// guard: returns: the file of Germany has goods alone
		if s.kind != tax.SupplyGoods {
			m.note(models.SeverityError, "LAYOUT_LOW", s.member.Code, "How the file writes services was not read: enter the return yourself.",
				1, s.tax)
			continue
		}
		if s.taxable.IsZero() || s.tax.IsZero() {
			continue // the portal refuses zeros
		}
		lines = append(lines, strings.Join([]string{
			"3", s.member.Code, s.rateType(), percent(s.rate), s.taxable.String(), s.tax.String(),
		}, ","))
	}
	for _, c := range m.corrections() {
		m.note(models.SeverityError, "LAYOUT_LOW", m.codeOf(c.Country), "How the file writes corrections of earlier periods was not read: "+
			"enter the return yourself.", 1, c.Tax)
	}
	m.note(models.SeverityWarning, "ORIGIN_UNKNOWN", "", "The file says that all goods were sent from Germany: do not import it if some were "+
		"sent from elsewhere.", 0, money.Total{})
	if len(lines) == 1 {
		m.note(models.SeverityInfo, "NOTHING_TO_FILE", "", "The portal imports no file without amounts: enter the return of zero yourself.",
			0, money.Total{})
		return Document{}, m.sheet.Findings
	}
	return m.document(lines, "\n"), m.sheet.Findings
}

// Names of the file of Belgium.
const (
	belgianReturns = "http://www.minfin.fgov.be/OSSDeclaration"
	belgianCommon  = "urn:minfin.fgov.be:oss:common"
)

// belgianShop makes the file that Intervat takes.
func belgianShop(in Input) (Document, []Finding) {
	const numberDigits = 10
	m := shopOf(in)
	account := strings.TrimPrefix(strings.ToUpper(strings.TrimSpace(m.Filer.Account)), "BE")
	number, plain := digits(account)
	switch {
	case account == "":
		m.note(models.SeverityError, "ID_MISSING", "", "The registration has no VAT number of the scheme: enter it as its sales tax id.", 1,
			money.Total{})
	case !plain || len(number) != numberDigits:
		m.note(models.SeverityError, "ID_FORMAT", "", "The sales tax id of the registration is no Belgian VAT number: that has 10 digits.", 1,
			money.Total{})
	}
	year, quarter := m.Filing.EndDate.Year(), partOf(&m.Filing)
	lines := []string{
		strings.TrimSpace(xml.Header),
		`<OSSConsignment xmlns="` + belgianReturns + `" xmlns:c="` + belgianCommon + `" OSSDeclarationNbr="1">`,
		`<OSSDeclaration SequenceNumber="1">`,
		`<Trader_ID><c:VATNumber issuedBy="BE">` + number + `</c:VATNumber></Trader_ID>`,
		fmt.Sprintf(`<Period><c:Year>%d</c:Year><c:Quarter>%d</c:Quarter></Period>`, year, quarter),
	}
	supplies, corrections := m.supplies(), m.corrections()
	n := 0
	for _, member := range m.Members {
		rows := m.belgianMember(member, supplies, corrections)
		if len(rows) == 0 {
			continue
		}
		n++
		lines = append(lines, fmt.Sprintf(`<OSSDeclarationInfo SequenceNumber="%d">`, n),
			"<c:MemberStateOfConsumption>"+member.Code+"</c:MemberStateOfConsumption>")
		lines = append(append(lines, rows...), "</OSSDeclarationInfo>")
	}
	if n == 0 {
		m.note(models.SeverityInfo, "NOTHING_TO_FILE", "", "How the file writes a return of zero was not read: enter it yourself.", 0,
			money.Total{})
		return Document{}, m.sheet.Findings
	}
	return m.document(append(lines, "</OSSDeclaration>", "</OSSConsignment>"), "\n"), m.sheet.Findings
}

// belgianMember returns the rows of a member: its supplies, then its corrections.
func (m *maker) belgianMember(member tax.ShopMember, supplies []supply, corrections []Correction) (rows []string) {
	n := 0
	for _, s := range supplies {
		if s.member.Country != member.Country {
			continue
		}
		n++
		rows = append(rows, fmt.Sprintf(`<c:OSSDeclarationRows SequenceNumber="%d"><c:SupplyType>%s</c:SupplyType>`+
			`<c:VatRateType type="%s">%s</c:VatRateType><c:VatAmount currency="EUR">%s</c:VatAmount>`+
			`<c:TaxableAmount currency="EUR">%s</c:TaxableAmount></c:OSSDeclarationRows>`,
			n, s.kind, s.rateType(), percent(s.rate), s.tax, s.taxable))
	}
	for _, c := range corrections {
		if c.Country == member.Country {
			rows = append(rows, fmt.Sprintf(`<c:CorrectionsInfo><c:Period><c:Year>%d</c:Year><c:Quarter>%d</c:Quarter></c:Period>`+
				`<c:TotalVATAmountCorrection currency="EUR">%s</c:TotalVATAmountCorrection></c:CorrectionsInfo>`, c.Year, c.Part, c.Tax))
		}
	}
	return rows
}

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

// WithShop adds what a return of the one-stop shop is made of in a content: its members, and the corrections by amendments.
func (in Input) WithShop(content *tax.Content, amended models.ShopCorrections) Input {
	in.Members = content.ShopMembers(calendar.DateOf(in.Filing.StartDate), calendar.DateOf(in.Filing.EndDate))
	m := &maker{Input: in}
	m.correct(content, amended)
	in.Corrections, in.CorrectionFindings = m.Corrections, m.sheet.Findings
	return in
}

// ShopWorksheet makes the lines of a return of the one-stop shop. Each member has its supplies by kind and rate, its
// corrections and its balance. The last line is the total to pay. A negative balance is not set off against others (Implementing
// Regulation (EU) 2020/194, annex III). Errors: money.ErrOverflow.
func ShopWorksheet(in Input) (Worksheet, error) {
	in.Layout = ShopLayout()
	m := shopOf(in)
	m.sheet.Layout, m.sheet.Sure, m.sheet.Notice = in.Layout, in.Layout.Sure(), notices[in.Layout.Sure()]
	m.used = make([]bool, len(in.Entries))
	m.find()
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
			due = m.added(due, money.MaxTotal(balance, money.Total{}))
		}
	}
	line("TOTAL", "Total to pay", shopTotalRule, due, nil)
	if len(corrections) > 0 {
		m.note(models.SeverityInfo, "CORRECTIONS", "TOTAL", "The total has corrections of earlier periods. The amount of this filing does not: "+
			"they are in the amounts of the amendments.", int64(len(corrections)), corrected)
	}
	return m.sheet, m.check()
}
