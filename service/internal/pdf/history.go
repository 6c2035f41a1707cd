package pdf

import (
	"fmt"
	"strings"

	"levy/service/internal/convert"
)

// printedExcluded bounds the printed transactions that the approval excluded.
const printedExcluded = 500

// excluded prints the transactions that the approval excluded, and the person who decided it.
func (r *Report) excluded() {
	x := r.head.Excluded
	if x == nil {
		return
	}
	r.section("Left out, unresolved", whole(x.Count))
	said := fmt.Sprintf("%s decided on %s to file without these transactions, %s in all. "+
		"They could not be processed and are in no amount of this report.",
		convert.ValueOf(x.DecidedBy), instant(x.DecidedAt), grouped(x.Amount))
	if x.Count > printedExcluded {
		said += " The first " + whole(printedExcluded) + " are printed."
	}
	r.box(said)
	r.open([]column{
		{name: "Tax date", share: 11}, {name: "Transaction", share: 22, head: true, wraps: true},
		{name: "Type", share: 11}, {name: "Net", share: 14, right: true}, {name: "Reason", share: 42, wraps: true},
	})
	for _, t := range x.Transactions[:min(len(x.Transactions), printedExcluded)] {
		amount := ""
		if t.Amount != nil {
			amount = grouped(*t.Amount)
		}
		r.add(false, t.TaxDate.Format("2006-01-02"), t.ExternalID, typeNames[t.Type], amount, convert.ValueOf(t.Reason))
	}
}

// history prints the events of the filing with their persons.
func (r *Report) history() {
	if len(r.head.History) == 0 {
		return
	}
	r.section("History", whole(int64(len(r.head.History))))
	r.open([]column{
		{name: "Time", share: 22}, {name: "What", share: 12}, {name: "Who", share: 22, wraps: true},
		{name: "Note", share: 44, wraps: true},
	})
	for _, e := range r.head.History {
		r.add(false, e.At.UTC().Format(instantForm), strings.ToLower(e.Action), e.By, e.Note)
	}
}
