package returns

import (
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

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
