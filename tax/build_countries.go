package tax

import (
	"cmp"
	"slices"
	"strings"

	"levy/tax/calendar"
	"levy/tax/content"
	"levy/tax/postal"
)

func (b *builder) levy(j *jurisdiction, kind levyKind, class classKey) *levy {
	id := j.rulePart + strings.ToLower(levyNames[kind])
	if class != keyAny {
		id += "-" + classSlugs[class]
	}
	if kind == levyQSTOnGST {
		id += "-on-gst"
	}
	l := b.levies[id]
	if l == nil {
		l = &levy{
			kind: kind, ruleID: id, name: j.Name + " " + cmp.Or(ownLevyNames[j.Country], levyNames[kind]), state: j.State,
			authority: Authority{j.Country, j.State},
		}
		if kind.federal() {
			l.authority.State = ""
		}
		b.levies[id] = l
	}
	return l
}

func (b *builder) addClassRules(rows []content.ClassRuleRow) {
	for _, row := range rows {
		j, known := b.c.byID[row.JurisdictionID]
		if !known {
			b.fault(row.At, "unknown jurisdiction %s", row.JurisdictionID)
		}
		class, ok := TaxClass(row.Class).key()
		if !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		treatment, ok := classTreatments[row.Treatment]
		if !ok {
			b.fault(row.At, "treatment %q", row.Treatment)
		}
		r := classRule{
			Span: calendar.Span{From: row.From, To: row.To}, treatment: treatment,
			confidence: levelOf(Confidence(row.Confidence)), note: row.Notes,
			upTo: b.dollars(row.At, row.UpTo), currency: row.Currency,
		}
		if (r.upTo != 0) != (r.currency != "") || r.upTo != 0 && treatment != classExempt {
			b.fault(row.At, "a limit needs a currency, and is of what is exempt up to it")
		}
		if known && treatment != classConditional { // the note of a conditional rule has a warning of its own
			r.doubt = doubtOf(
				"the rule of "+withArticle(b.c.jurisdictions[j].Name)+" for "+classNouns[class], row.Notes, r.confidence,
			)
		}
		r.source = cite(row.Source, "", r.Span)
		b.checkSpan(row.At, r.Span)
		key := classRuleKey{j, class}
		for _, other := range b.c.classRules[key] {
			b.checkApart(row.At, r.Span, other.Span)
		}
		b.c.classRules[key] = append(b.c.classRules[key], r)
	}
}

func (b *builder) addTerritories(rows []content.TerritoryRow) {
	for _, row := range rows {
		t := territory{
			country: row.Country, from: row.PostalFrom, to: row.PostalTo, digits: row.Digits, name: row.Name, ids: []string{},
		}
		_, inContent := b.c.byID[row.Country]
		if len(t.from) != len(t.to) || t.from == "" && inContent || t.from > t.to {
			b.fault(row.At, "postal codes %q to %q are no range", t.from, t.to)
		}
		if t.digits < 0 || t.digits > len(t.from) {
			b.fault(row.At, "%d digits in %q", t.digits, t.from)
		}
		if _, known := b.c.countries[row.Country]; !known {
			b.fault(row.At, "unknown country %q", row.Country)
		}
		for _, state := range row.States {
			t.states = append(t.states, string(postal.Compact(nil, state)))
		}
		if row.Tax != "" {
			t.tax = row.Tax + " may be due there; it is not calculated here. Source: " + row.Source + "."
		}
		if row.JurisdictionID != "" {
			if _, ok := b.c.byID[row.JurisdictionID]; !ok {
				b.fault(row.At, "unknown jurisdiction %s", row.JurisdictionID)
			}
			t.ids = append(t.ids, row.JurisdictionID)
		}
		b.c.territories = append(b.c.territories, t)
	}
}

func (b *builder) addImportLimits(rows []content.ImportLimitRow) {
	for _, row := range rows {
		l := importLimit{
			Span: calendar.Span{From: row.From, To: row.To}, territory: row.Territory,
			cents: b.dollars(row.At, row.Amount), currency: row.Currency, perItem: row.PerItem, ofTax: row.OfTax,
		}
		if _, ok := b.c.countries[row.Territory]; !ok && row.Territory != union {
			b.fault(row.At, "territory %q", row.Territory)
		}
		l.source = cite(row.Source, "", l.Span)
		b.checkSpan(row.At, l.Span)
		if slices.ContainsFunc(b.c.limits, func(o importLimit) bool { return o.territory == l.territory }) {
			b.fault(row.At, "second limit of %s", row.Territory)
		}
		b.c.limits = append(b.c.limits, l)
	}
}
