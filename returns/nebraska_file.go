package returns

import (
	"regexp"
	"strings"

	"levy/models"
	"levy/tax/calendar"
	"levy/tax/money"
)

// localCode is a code of Schedule I.
var localCode = regexp.MustCompile(`^\d{1,3}$`)

// nebraskaMonths are the lengths of the periods in Nebraska that are longer than a month.
var nebraskaMonths = map[calendar.FilingFrequency]int{calendar.FilingQuarterly: 3, calendar.FilingAnnually: 12}

// nebraskaFile makes Schedule I of form 10 as a file. Each local tax has a row with its code, the use tax and the sales
// tax. It has no header. A return without local tax has no file.
func nebraskaFile(in Input) (Document, []Finding) {
	m := &maker{Input: in}
	frequency := m.Filing.Frequency()
	m.regularMonths(max(1, nebraskaMonths[frequency]))
	rows := m.byCode("I", accrued, func(x *models.FilingFigure) string { return x.Name }, all(own, func(x *models.FilingFigure) bool {
		return !m.top(x)
	}))
	var lines []string
	for _, row := range rows {
		if !localCode.MatchString(row.code) {
			m.note(models.SeverityError, "CODE_MISSING", "I", "A code of the content is none of Schedule I: that has 3 digits.", 1, row.amount)
		}
		lines = append(lines, strings.Join([]string{row.code, "0", row.amount.String()}, ","))
	}
	m.findCollected()
	m.note(models.SeverityInfo, "ENTRY_MISSING", "I", "The file has no local use tax: enter your purchases on which you paid no tax yourself.",
		0, money.Total{})
	if len(lines) == 0 && len(Refusals(m.sheet.Findings)) == 0 {
		m.note(models.SeverityInfo, "NOTHING_TO_FILE", "I", "The return has no local tax: Schedule I stays empty.", 0, money.Total{})
		return Document{}, m.sheet.Findings
	}
	return m.document(lines, "\r\n"), m.sheet.Findings
}
