package returns

import (
	"slices"
	"strconv"
	"strings"

	"levy/models"
	"levy/tax"
	"levy/tax/money"
)

// entriesOfLines divides the entries of the filing by the lines of a form. A line that a person has named wins if the form
// takes entries there, else lineOf decides. "" is for an entry without a line on the form, which is a finding.
// Interest and penalties without a line of their own are in amount_penalties.
func (m *maker) entriesOfLines(lineOf func(*models.FilingEntry) string, takes ...string) map[string][]*models.FilingEntry {
	lines := map[string][]*models.FilingEntry{}
	for i := range m.Entries {
		e := &m.Entries[i]
		line := lineOf(e)
		switch {
		case slices.Contains(takes, e.Line):
			line = e.Line
		case e.Line != "":
			m.note(models.SeverityWarning, "ENTRY_LINE_UNKNOWN", line, "An entry names a line where the form takes no entry.",
				1, e.Amount)
		case line == "" && !e.Kind.Penal():
			m.note(models.SeverityWarning, "ENTRY_WITHOUT_LINE", "", "The form has no line for entries of the kind "+string(e.Kind)+
				": name one in the entry, or enter the amount on the form yourself.", 1, e.Amount)
		}
		lines[line] = append(lines[line], e)
	}
	return lines
}

// ofLocal reports whether an entry is of a jurisdiction below the authority of the return.
func ofLocal(e *models.FilingEntry) bool {
	kind := tax.JurisdictionType(e.JurisdictionType)
	return kind != "" && kind != tax.TypeState && kind != tax.TypeCountry && kind != tax.TypeFederal
}

func entryAmount(e *models.FilingEntry) money.Total { return e.Amount }
func entryBase(e *models.FilingEntry) money.Total   { return e.Taxable }

// sumEntries adds up an amount of entries. Errors: money.ErrOverflow.
func sumEntries(of func(*models.FilingEntry) money.Total, entries ...*models.FilingEntry) (sum money.Total, err error) {
	for _, e := range entries {
		if sum, err = sum.Plus(of(e)); err != nil {
			return sum, err
		}
	}
	return sum, nil
}

// putEntries adds a line of the general worksheet for each entry, and one for its base. Its amount is what the entry adds
// to what is to be paid.
func (m *maker) putEntries() {
	for i := range m.Entries {
		e := &m.Entries[i]
		name := strings.ToLower(strings.ReplaceAll(string(e.Kind), "_", " "))
		if e.JurisdictionName != "" {
			name += ", " + e.JurisdictionName
		}
		m.put("7.*", strconv.Itoa(i+1), name, e.Effect(), nil)
		if !e.Taxable.IsZero() {
			m.put("7.*b", strconv.Itoa(i+1), name, e.Taxable, nil)
		}
	}
}

// freeAdjustment returns what of amount_adjusted no entry explains. Errors: money.ErrOverflow.
func (m *maker) freeAdjustment() (free money.Total, err error) {
	free = m.Filing.AmountAdjusted
	for i := range m.Entries {
		if e := &m.Entries[i]; !e.Kind.Penal() {
			if free, err = free.Minus(e.Effect()); err != nil {
				return free, err
			}
		}
	}
	return free, nil
}
