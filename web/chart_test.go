package web

import (
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
	c := curveOf(months, "50.00", "USD", 2)
	require.Equal(t, "8.0,196.0 148.8,107.0 289.6,18.0 430.4,151.5", c.Line, "from the lower edge to the upper one")
	require.Equal(t, "430.4,107.0 712.0,107.0", c.Ahead)
	require.Equal(t, "Jun 2026", c.Expected)
	require.Equal(t, "100.00 USD", plainText(c.Most))
	require.Equal(t, "Feb 2026: 50.00 USD, 5", plainText(c.Dots[1].Text))
	require.Empty(t, curveOf(months, "50.00", "USD", 0).Ahead)
	refunds := curveOf([]contract.NexusMonth{month(1, "10.00", 1), month(2, "-10.00", 0)}, "0.00", "USD", 0)
	require.True(t, strings.HasSuffix(refunds.Line, ",196.0"), "refunds lie below the line of nothing")
	require.Nil(t, curveOf([]contract.NexusMonth{month(1, "0.00", 0)}, "0.00", "USD", 3))
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
