package returns

import (
	"cmp"
	"fmt"
	"slices"

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

// periodOf names the period of a correction, such as "2026/Q3" or "2026-07".
func (m *maker) periodOf(c Correction) string {
	if partsOfYear(&m.Filing) == 12 {
		return fmt.Sprintf("%d-%02d", c.Year, c.Part)
	}
	return fmt.Sprintf("%d/Q%d", c.Year, c.Part)
}

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
		if corrected.IsNeg() {
			m.CorrectionCredit = m.added(m.CorrectionCredit, corrected.Neg())
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

// lastCorrection is how many years a period may be corrected (Directive 2006/112/EC, articles 365 and 369g).
const lastCorrection = 3

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
