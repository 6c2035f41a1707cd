package tax

import (
	"slices"
	"strings"
)

// classTreatment is how a class is treated outside the United States.
type classTreatment uint8

const (
	classExempt classTreatment = iota
	classFollowsItems
	classConditional
)

var classTreatments = map[string]classTreatment{
	"EXEMPT": classExempt, "FOLLOWS_ITEMS": classFollowsItems, "CONDITIONAL": classConditional,
}

type classRuleKey struct {
	jurisdiction uint16
	class        classKey
}

type classRule struct {
	span
	treatment  classTreatment
	confidence level
	source     ExplainedSource
}

func (c *Content) classRuleOn(jurisdiction uint16, class classKey, day Date) *classRule {
	for k := class; k != keyAny; k = classParents[k] {
		rules := c.classRules[classRuleKey{jurisdiction, k}]
		for i := range rules {
			if rules[i].holds(day) {
				return &rules[i]
			}
		}
	}
	return nil
}

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
		l = &levy{kind: kind, ruleID: id, name: j.Name + " " + levyNames[kind], state: j.State, authority: Authority{j.Country, j.State}}
		if kind.federal() {
			l.authority.State = ""
		}
		b.levies[id] = l
	}
	return l
}

func (b *builder) addClassRules(rows []ClassRuleRow) {
	for _, row := range rows {
		j, known := b.c.byID[row.JurisdictionID]
		if !known {
			b.fault(row.At, "unknown jurisdiction %s", row.JurisdictionID)
		}
		class, ok := row.Class.key()
		if !ok {
			b.fault(row.At, "unknown class %q", row.Class)
		}
		treatment, ok := classTreatments[row.Treatment]
		if !ok {
			b.fault(row.At, "treatment %q", row.Treatment)
		}
		r := classRule{span: span{row.From, row.To}, treatment: treatment, confidence: levelOf(row.Confidence)}
		r.source = cite(row.Source, "", r.span)
		b.checkSpan(row.At, r.span)
		key := classRuleKey{j, class}
		for _, other := range b.c.classRules[key] {
			b.checkApart(row.At, r.span, other.span)
		}
		b.c.classRules[key] = append(b.c.classRules[key], r)
	}
}

// territory is a range of postal codes with a jurisdiction of its own.
type territory struct {
	country  string
	from, to string
	ids      []string // none: outside the tax territory
	name     string
}

func (b *builder) addTerritories(rows []TerritoryRow) {
	for _, row := range rows {
		t := territory{country: row.Country, from: row.PostalFrom, to: row.PostalTo, name: row.Name, ids: []string{}}
		if len(t.from) != len(t.to) || t.from == "" || t.from > t.to {
			b.fault(row.At, "postal codes %q to %q are no range", t.from, t.to)
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

// territoryOf finds the special territory of a postal code; special tells
// whether the country has any.
func (c *Content) territoryOf(country, postal string) (t *territory, special bool) {
	var buf [16]byte
	code := string(compact(buf[:0], postal))
	code = strings.TrimPrefix(code, country)
	for i := range c.territories {
		r := &c.territories[i]
		if r.country != country {
			continue
		}
		special = true
		if n := len(r.from); len(code) >= n && code[:n] >= r.from && code[:n] <= r.to {
			return r, true
		}
	}
	return nil, special
}

// importLimit is the value from which tax on goods is due at the border.
type importLimit struct {
	span
	territory string
	cents     int64
	currency  string
	perItem   bool
	source    ExplainedSource
}

// union stands for all member states of the European Union.
const union = "EU"

func (b *builder) addImportLimits(rows []ImportLimitRow) {
	for _, row := range rows {
		l := importLimit{span: span{row.From, row.To}, territory: row.Territory, cents: b.dollars(row.At, row.Amount), currency: row.Currency, perItem: row.PerItem}
		if _, ok := b.c.countries[row.Territory]; !ok && row.Territory != union {
			b.fault(row.At, "territory %q", row.Territory)
		}
		l.source = cite(row.Source, "", l.span)
		b.checkSpan(row.At, l.span)
		if slices.ContainsFunc(b.c.limits, func(o importLimit) bool { return o.territory == l.territory }) {
			b.fault(row.At, "second limit of %s", row.Territory)
		}
		b.c.limits = append(b.c.limits, l)
	}
}
