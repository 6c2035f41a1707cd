package tax

import (
	"cmp"
	"slices"
)

// NexusRow is one dated nexus threshold as it stands in its table.
type NexusRow struct {
	At RowRef
	NexusRule
}

var nexusTypes = []NexusType{NexusState, NexusCanadaFederal, NexusEUAggregator, NexusEUMemberState, NexusCountry}

func (b *builder) addNexus(rows []NexusRow) {
	slices.SortStableFunc(rows, func(x, y NexusRow) int {
		return cmp.Or(cmp.Compare(x.Country, y.Country), cmp.Compare(x.State, y.State), cmp.Compare(x.Seller, y.Seller), cmp.Compare(x.From, y.From))
	})
	for i := range rows {
		row := &rows[i]
		b.checkNexus(row)
		b.c.nexus = append(b.c.nexus, row.NexusRule)
		if i == 0 {
			continue
		}
		before := &rows[i-1]
		if before.Country != row.Country || before.State != row.State || before.Seller != row.Seller {
			continue
		}
		switch {
		case before.To == 0 || before.To >= row.From:
			b.fault(row.At, "overlaps with %s", before.At)
		case before.To.AddDays(1) != row.From:
			b.fault(row.At, "leaves a gap after %s", before.At)
		}
	}
}

func (b *builder) checkNexus(row *NexusRow) {
	known := func(is bool, column, value string) {
		if !is {
			b.fault(row.At, "unknown %s %q", column, value)
		}
	}
	_, _, model := PeriodsOn(row.Period, 20260101)
	_, trigger := row.Trigger.Start(20260101)
	known(model, "period_model", string(row.Period))
	known(trigger, "trigger", string(row.Trigger))
	known(slices.Contains(nexusTypes, row.Type), "type", string(row.Type))
	known(slices.Contains([]Seller{SellerAny, SellerDomestic, SellerForeign}, row.Seller), "seller", string(row.Seller))
	known(slices.Contains([]NexusTest{TestSales, TestTransactions, TestEither, TestBoth}, row.Test), "test", string(row.Test))
	known(slices.Contains([]ExemptTreatment{ExemptIncluded, ExemptExcluded, ExemptDepends, ExemptIncludeIfPresence, ExemptSalesOnly}, row.Exempt),
		"exempt_sales", string(row.Exempt))
	if row.From == 0 {
		b.fault(row.At, "no start")
	}
	if row.To != 0 && row.To < row.From {
		b.fault(row.At, "ends before it starts")
	}
	if row.Amount.IsNeg() || row.Count < 0 || row.HasCount() && row.Count == 0 {
		b.fault(row.At, "threshold out of range")
	}
	if row.Type == NexusState && row.Country == "US" && b.c.usState(row.State) == 0 {
		b.fault(row.At, "unknown state %q", row.State)
	}
}
