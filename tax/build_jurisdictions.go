package tax

import (
	"cmp"
	"math"
	"strings"
	"unicode"

	"levy/tax/content"
	"levy/tax/postal"
)

func (b *builder) addJurisdictions(rows []content.JurisdictionRow) {
	c := b.c
	if len(rows) > math.MaxUint16 {
		b.fault(content.RowRef{File: "jurisdictions"}, "more than %d rows", math.MaxUint16)
		return
	}
	c.jurisdictions = make([]jurisdiction, 0, len(rows))
	ruleParts := make(map[string]content.RowRef, len(rows))
	for _, row := range rows {
		level, ok := typeOrders[row.Level]
		if !ok {
			b.fault(row.At, "level %q", row.Level)
			continue
		}
		if _, again := c.byID[row.ID]; again {
			b.fault(row.At, "id %s stands twice", row.ID)
			continue
		}
		if level.kind == TypeState && row.Country == "US" && !isStateCode(row.State) {
			b.fault(row.At, "state %q is not two capital letters", row.State)
			continue
		}
		if level.order > orderCounty && row.Slug == "" && strings.Count(row.ID, "-") < 3 {
			b.fault(row.At, "id %s does not end in a name: give it a slug", row.ID)
			continue
		}
		j := jurisdiction{
			Jurisdiction: Jurisdiction{ID: row.ID, Type: level.kind, Name: cmp.Or(row.Label, row.Name),
				Country: row.Country,
				State:   row.State, Parent: row.Parent, Code: cmp.Or(row.Code, row.ID)},
			order:     level.order,
			statewide: row.Statewide,
			rulePart:  rulePart(row),
		}
		j.general = j.rulePart + "general"
		if first, again := ruleParts[j.rulePart]; again {
			b.fault(row.At, "rule ids %s... already belong to %s: give it a slug", j.rulePart, first)
		}
		ruleParts[j.rulePart] = row.At
		if len(j.rulePart)+len(longestSlug) > maxRuleID {
			b.fault(row.At, "rule ids %s... are too long: give it a slug", j.rulePart)
		}
		c.byID[row.ID] = uint16(len(c.jurisdictions))
		c.jurisdictions = append(c.jurisdictions, j)
	}
	for _, row := range rows {
		if _, ok := c.byID[row.Parent]; !ok && row.Parent != "" {
			b.fault(row.At, "unknown parent %s", row.Parent)
		}
	}
}

// rulePart is the stable beginning of the rule ids of a jurisdiction, such as
// "us-ny-" for a state and "us-ny-nyc-" for a place in it.
func rulePart(row content.JurisdictionRow) string {
	part := strings.ToLower(row.Country) + "-"
	if row.State != "" {
		part += strings.ToLower(row.State) + "-"
	}
	switch {
	case row.Slug != "":
		part += row.Slug + "-"
	case row.Level == "STATE" || row.Level == "COUNTRY":
	case row.Level == "COUNTY":
		part += slug(row.Name) + "-"
	default: // the id ends in the name: US-TX-M-houston
		part += slug(strings.SplitN(row.ID, "-", 4)[3]) + "-"
	}
	return part
}

func slug(s string) string {
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})
	return string(compactLower(strings.Join(words, "-")))
}

// compactLower keeps dashes and folds letters to lower-case ASCII.
func compactLower(s string) []byte {
	b := make([]byte, 0, len(s))
	for _, r := range s {
		if r == '-' {
			b = append(b, '-')
			continue
		}
		n := len(b)
		if b = postal.AppendFolded(b, r); len(b) > n {
			b[n] = byte(unicode.ToLower(rune(b[n])))
		}
	}
	return b
}
