package tax

import (
	"cmp"
	"math"
	"strings"
	"unicode"

	"levy/tax/content"
	"levy/tax/postal"
)

// jurisdictionName is what tax items say of a jurisdiction, and by what returns sum them up.
type jurisdictionName struct {
	country, state string
	kind           JurisdictionType
	name           string
}

func (b *builder) addJurisdictions(rows []content.JurisdictionRow) {
	c := b.c
	if len(rows) > math.MaxUint16 {
		b.fault(content.RowRef{File: "jurisdictions"}, "more than %d rows", math.MaxUint16)
		return
	}
	c.jurisdictions = make([]jurisdiction, 0, len(rows))
	ruleParts := make(map[string]int, len(rows)) // to positions in rows
	named := make(map[jurisdictionName]int, len(rows))
	for i := range rows {
		row := &rows[i]
		j, ok := b.jurisdiction(row)
		if !ok {
			continue
		}
		if first, again := ruleParts[j.rulePart]; again {
			b.fault(row.At, "rule ids %s... already belong to %s: give it a slug", j.rulePart, rows[first].At)
		}
		ruleParts[j.rulePart] = i
		if len(j.rulePart)+len(longestSlug) > maxRuleID {
			b.fault(row.At, "rule ids %s... are too long: give it a slug", j.rulePart)
		}
		named[jurisdictionName{j.Country, j.State, j.Type, j.Name}]++
		c.byID[row.ID] = uint16(len(c.jurisdictions))
		c.jurisdictions = append(c.jurisdictions, j)
	}
	for i := range c.jurisdictions { // all of one name, so that it does not depend on their order who has it
		j := &c.jurisdictions[i]
		if named[jurisdictionName{j.Country, j.State, j.Type, j.Name}] > 1 {
			j.Name += " (" + j.ID + ")"
		}
	}
	for i := range rows {
		row := &rows[i]
		if _, ok := c.byID[row.Parent]; !ok && row.Parent != "" {
			b.fault(row.At, "unknown parent %s", row.Parent)
		}
	}
}

func (b *builder) jurisdiction(row *content.JurisdictionRow) (j jurisdiction, ok bool) {
	level, known := typeOrders[row.Level]
	_, again := b.c.byID[row.ID]
	switch {
	case !known:
		b.fault(row.At, "level %q", row.Level)
		return j, false
	case again:
		b.fault(row.At, "id %s stands twice", row.ID)
		return j, false
	case level.kind == TypeState && row.Country == "US" && !IsStateCode(row.State):
		b.fault(row.At, "state %q is not two capital letters", row.State)
		return j, false
	case level.order > orderCounty && row.Slug == "" && strings.Count(row.ID, "-") < 3:
		b.fault(row.At, "id %s does not end in a name: give it a slug", row.ID)
		return j, false
	}
	part := rulePart(row)
	return jurisdiction{
		Jurisdiction: Jurisdiction{
			ID: row.ID, Type: level.kind, Name: cmp.Or(row.Label, row.Name), Country: row.Country, State: row.State,
			Parent: row.Parent, Code: cmp.Or(row.Code, row.ID),
		},
		order: level.order, statewide: row.Statewide, rulePart: part, general: part + "general",
	}, true
}

// rulePart is the stable beginning of the rule ids of a jurisdiction, such as
// "us-ny-" for a state and "us-ny-nyc-" for a place in it.
func rulePart(row *content.JurisdictionRow) string {
	parts := append(make([]string, 0, 4), strings.ToLower(row.Country))
	if row.State != "" {
		parts = append(parts, strings.ToLower(row.State))
	}
	switch {
	case row.Slug != "":
		parts = append(parts, row.Slug)
	case row.Level == "STATE" || row.Level == "COUNTRY":
	case row.Level == "COUNTY":
		parts = append(parts, slug(row.Name))
	default: // the id ends in the name: US-TX-M-houston
		parts = append(parts, slug(strings.SplitN(row.ID, "-", 4)[3]))
	}
	return strings.Join(append(parts, ""), "-")
}

// slug is a name in lower-case ASCII, with a dash between its words.
func slug(s string) string {
	b := make([]byte, 0, len(s))
	word := false
	for _, r := range strings.ToLower(s) {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			word = false
			continue
		}
		if !word && len(b) > 0 {
			b = append(b, '-')
		}
		word = true
		if n := len(b); r < unicode.MaxASCII {
			b = append(b, byte(r))
		} else if b = postal.AppendFolded(b, r); len(b) > n {
			b[n] += 'a' - 'A'
		}
	}
	return string(b)
}
