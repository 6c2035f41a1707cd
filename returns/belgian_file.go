package returns

import (
	"encoding/xml"
	"fmt"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

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
