package tax

import (
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
)

// taxNouns are the names of the taxes that states levy on sales.
var taxNouns = map[string]string{
	"SALES": "sales tax",
	"TPT":   "transaction privilege tax",
	"GRT":   "gross receipts tax",
	"GET":   "general excise tax",
	"IVU":   "sales and use tax",
}

func (b *builder) addRates(rows []content.RateRow, sources []content.SourceRow) {
	c := b.c
	bySource := make(map[string]content.SourceRow, len(sources))
	for _, s := range sources {
		bySource[s.ID] = s
	}
	last := make(map[rateKey]*content.RateRow, len(rows))
	for _, row := range byStart(rows, func(r *content.RateRow) calendar.Date { return r.From }) {
		j, ok := c.byID[row.JurisdictionID]
		if !ok {
			b.fault(row.At, "unknown jurisdiction %s", row.JurisdictionID)
			continue
		}
		class, ok := classKeys[TaxClass(row.Class)]
		if !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		source, ok := bySource[row.SourceID]
		switch {
		case !ok:
			b.fault(row.At, "unknown source %q", row.SourceID)
		case source.Edition == "" && row.AsOf == 0:
			b.fault(row.At, "neither an edition of its source nor a day")
		}
		key := rateKey{j, class}
		if before := last[key]; before != nil && (before.To == 0 || before.To >= row.From) {
			b.fault(row.At, "overlaps %s of the same jurisdiction and class", before.At)
		}
		last[key] = row
		b.addRate(&c.jurisdictions[j], row, class, source)
	}
	for i := range c.jurisdictions {
		if j := &c.jurisdictions[i]; j.taxName == "" {
			j.taxName = taxName(j, taxNouns["SALES"])
		}
	}
}

func (b *builder) addRate(jur *jurisdiction, row *content.RateRow, class classKey, source content.SourceRow) {
	r := rate{
		Span: calendar.Span{From: row.From, To: row.To}, class: class, certain: row.CertainStart,
		confidence: levelOf(Confidence(row.Confidence)), nano: b.fraction(row.At, row.Rate),
	}
	b.checkSpan(row.At, r.Span)
	edition := source.Edition
	if edition == "" {
		edition = "as known on " + row.AsOf.String()
	}
	r.source = cite(source.Publisher+": "+source.Title, edition, r.Span)
	if r.confidence == levelLow {
		of := "the rate of " + withArticle(jur.Name)
		if class != keyAny {
			of += " for " + classNouns[class]
		}
		r.doubt = doubtOf(of, row.Notes, r.confidence)
	}
	noun, sales := taxNouns[row.TaxType]
	kind, levied := levyKinds[row.TaxType]
	switch {
	case !sales && !levied:
		b.fault(row.At, "tax type %q", row.TaxType)
	case sales != (jur.Country == "US"):
		b.fault(row.At, "tax type %q in %s", row.TaxType, jur.Country)
	case levied:
		r.levy = b.levy(jur, kind, class)
	}
	jur.rates = append(jur.rates, r)
	jur.taxName = taxName(jur, noun)
}

// doubtOf is the sentence about a row of the content that is not certain.
func doubtOf(row, note string, sure level) string {
	switch {
	case sure != levelLow:
		return ""
	case note == "":
		return " What is not certain is " + row + "."
	}
	return " Noted about " + row + ": " + note + "."
}

type rateKey struct {
	jurisdiction uint16
	class        classKey
}

func taxName(j *jurisdiction, noun string) string {
	switch {
	case j.Type == TypeState && j.State != "DC" && j.State != "PR":
		return j.Name + " state " + noun
	case j.Type == TypeSpecial && strings.Contains(strings.ToLower(j.Name), "tax"):
		return j.Name
	}
	return j.Name + " " + noun
}
