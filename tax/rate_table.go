package tax

import (
	"levy/tax/calendar"
	"levy/tax/content"
)

// RateTable is what a state publishes about the rates of its places. The content is confirmed by it until a day, and Next
// is when its next edition is expected. Both are zero where a statute alone changes the rates.
type RateTable struct {
	State, Name, Publication string
	Next, Until              calendar.Date
	Import                   string // the commands that import the next edition
	Member                   bool   // of a member of Streamlined, which publishes rate and boundary files
}

// RateTables are the tables of all states, in the order of their names.
func (c *Content) RateTables() []RateTable {
	list := make([]RateTable, 0, len(c.states))
	for i := range c.states {
		if t := c.states[i].table; t.State != "" {
			list = append(list, t)
		}
	}
	return list
}

// endedOn reports whether the table confirms nothing about a day.
func (t *RateTable) endedOn(day calendar.Date) bool { return t.Until != 0 && day > t.Until }

// EndedTables are the tables of which the content lacks the edition of a day.
func (c *Content) EndedTables(day calendar.Date) []RateTable {
	var ended []RateTable
	for _, t := range c.RateTables() {
		if t.endedOn(day) {
			ended = append(ended, t)
		}
	}
	return ended
}

func (b *builder) addPublications(rows []content.PublicationRow) {
	for _, row := range rows {
		st := b.state(row.At, row.State)
		if st == nil {
			continue
		}
		if st.table.State != "" {
			b.fault(row.At, "a second table of %s", row.State)
		}
		st.table = RateTable{State: st.code, Name: st.name, Publication: row.Publication, Next: row.Next, Until: row.Until}
		switch row.Feed {
		case content.FeedRates:
			st.table.Import, st.table.Member = "levy content import-rates and levy content import-boundaries", true
		case content.FeedCSV:
			st.table.Import = "levy content import-csv and levy content confirm " + st.code + "=DAY"
		}
		st.unconfirmed = "The rates of " + withArticle(st.name) + " are confirmed until " + row.Until.String() + " (" +
			row.Publication + "): what has changed there since is not in the tax content. The operator imports the next " +
			"edition: levy content update, or " + st.table.Import + "."
	}
}

// noteUnconfirmed marks the result where the table of the state ended before the sale and a rate of it may matter.
func (k *calculation) noteUnconfirmed() {
	if k.state == nil || !k.state.table.endedOn(k.req.TaxDate) {
		return
	}
	for i := range k.lines {
		w := &k.lines[i]
		// guard: tables: a sale after the end of a table is told
		if w.taxed && w.net != 0 && (!k.state.hasLocal || k.localsMatter(w)) {
			k.unconfirmed, k.sure = true, max(k.sure, levelMedium)
			return
		}
	}
}
