package web

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	openapi_types "github.com/oapi-codegen/runtime/types"
	"github.com/stretchr/testify/require"

	"levy/contract"
	"levy/models/report"
)

func TestAChartEndsWhereTheThresholdIsExpected(t *testing.T) {
	t.Parallel()
	month := func(number time.Month, amount string, count int) contract.NexusMonth {
		start := openapi_types.Date{Time: time.Date(2026, number, 1, 0, 0, 0, 0, time.UTC)}
		return contract.NexusMonth{StartDate: start, IncludedAmount: amount, TransactionCount: count}
	}
	months := []contract.NexusMonth{month(1, "0.00", 0), month(2, "50.00", 5), month(3, "100.00", 9), month(4, "25.00", 2)}
	c := curveOf(months, "50.00", "USD", 2, nil)
	require.Equal(t, "8.0,196.0 148.8,107.0 289.6,18.0 430.4,151.5", c.Line, "from the lower edge to the upper one")
	require.Equal(t, "430.4,107.0 712.0,107.0", c.Ahead)
	require.Equal(t, "Jun 2026", c.Expected)
	require.Equal(t, "100.00 USD", plainText(c.Most))
	require.Equal(t, "Feb 2026: 50.00 USD, 5", plainText(c.Dots[1].Text))
	require.Empty(t, curveOf(months, "50.00", "USD", 0, nil).Ahead)
	refunds := curveOf([]contract.NexusMonth{month(1, "10.00", 1), month(2, "-10.00", 0)}, "0.00", "USD", 0, nil)
	require.True(t, strings.HasSuffix(refunds.Line, ",196.0"), "refunds lie below the line of nothing")
	require.Nil(t, curveOf([]contract.NexusMonth{month(1, "0.00", 0)}, "0.00", "USD", 3, nil))
}

// The threshold is a line at what its period takes of each month. A threshold of numbers alone has none.
func TestAChartHasTheThreshold(t *testing.T) {
	t.Parallel()
	day := func(year int, month time.Month, day int) openapi_types.Date {
		return openapi_types.Date{Time: time.Date(year, month, day, 0, 0, 0, 0, time.UTC)}
	}
	record := contract.NexusRecord{
		ThresholdSales: json.RawMessage("100000.00"), Currency: "USD", SalesOrTransactions: contract.SalesOrTransactionsEITHER,
		PeriodStartDate: day(2026, 1, 1), PeriodEndDate: day(2026, 12, 31),
	}
	limit := limitOf(&record)
	require.Equal(t, "8333.33", limit.Amount)
	require.Equal(t, "Threshold: 100,000.00 USD in 12 months, 8,333.33 a month", plainText(limit.Text))
	months := []contract.NexusMonth{
		{StartDate: day(2026, 1, 1), IncludedAmount: "50.00"}, {StartDate: day(2026, 2, 1), IncludedAmount: "16666.66"},
	}
	c := curveOf(months, "0.00", "USD", 0, limit)
	require.Equal(t, "107.0", c.Limit.Y, "half of the height")
	require.Equal(t, "16,666.66 USD", plainText(c.Most))
	months[1].IncludedAmount = "100.00"
	c = curveOf(months, "0.00", "USD", 0, limitOf(&record))
	require.Equal(t, "18.0", c.Limit.Y, "above all sales it is the top")
	require.Empty(t, c.Most)

	record.SalesOrTransactions = contract.SalesOrTransactionsTRANSACTIONS
	require.Nil(t, limitOf(&record))
}

func TestPartsOfAReturnAddUpToIt(t *testing.T) {
	t.Parallel()
	tax := func(name, amount string) report.Jurisdiction {
		return report.Jurisdiction{Name: name, TaxAmount: amount}
	}
	stack := stackOf([]report.Jurisdiction{tax("City", "25.00"), tax("Credit", "-3.00"), tax("State", "75.00"), tax("County", "0.00")})
	require.Equal(t, []slice{
		{"State", "75.00", "75.0 %", "0.0", "750.0", "part1"}, {"City", "25.00", "25.0 %", "750.0", "250.0", "part2"},
	}, stack)
	require.Nil(t, stackOf([]report.Jurisdiction{tax("State", "1.00")}))
	many := stackOf([]report.Jurisdiction{
		tax("A", "9.00"), tax("B", "8.00"), tax("C", "7.00"), tax("D", "6.00"), tax("E", "5.00"), tax("F",
			"4.00"), tax("G", "3.00"), tax("H", "2.00"),
	})
	require.Len(t, many, mostSlices+1)
	require.Equal(t, "2 others", many[mostSlices].Name)
	require.Equal(t, "5.00", many[mostSlices].Amount)
}
