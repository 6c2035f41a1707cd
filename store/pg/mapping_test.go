package pg_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/store/pg"
	"levy/tax/money"
)

type part struct{ A string }

type empty struct{ Names []string }

func (e empty) IsZero() bool { return e.Names == nil }

type Sums struct {
	Total money.Total `gorm:"type:numeric;<-:false"`
}

type record struct {
	ID       string `gorm:"primaryKey"`
	Once     string `gorm:"<-:create"`
	Later    *string
	By       *int `gorm:"<-:update;column:by_whom"`
	Day      time.Time
	Date     *time.Time `gorm:"type:date"`
	Amount   decimal.Decimal
	Yes      bool
	Document json.RawMessage `gorm:"type:jsonb"`
	Parts    []part          `gorm:"serializer:json"`
	Nothing  empty           `gorm:"serializer:json"`
	Sums     `gorm:"embedded"`
	Beside   string `gorm:"-"`
}

func names(columns []pg.Column[record]) (list []string) {
	for _, c := range columns {
		list = append(list, c.Name+" "+c.Cast)
	}
	return list
}

func TestTheMappingOfARecordIsThatOfGORM(t *testing.T) {
	t.Parallel()
	m := pg.MappingOf[record]()
	require.Equal(t, "records", m.Table)
	require.Equal(t, []string{"id text", "once text", "later text", "day timestamptz", "date date", "amount numeric",
		"yes boolean",
		"document jsonb", "parts jsonb", "nothing jsonb"}, names(m.Created))
	require.Equal(t, []string{"later text", "by_whom integer", "day timestamptz", "date date", "amount numeric",
		"yes boolean",
		"document jsonb", "parts jsonb", "nothing jsonb"}, names(m.Updated))
	require.Equal(
		t, "r.id, r.once, r.later",
		m.Without("by_whom", "day", "date", "amount", "yes", "document", "parts", "nothing", "total").Select("r"),
	)

	day, later, by := time.Date(2026, 5, 15, 23, 30, 0, 1000, time.FixedZone("", -7200)), "later", 7
	r := record{ID: "a", Once: "b", Later: &later, By: &by, Day: day, Date: &day, Amount: decimal.MustParse("1.50"),
		Yes:      true,
		Document: json.RawMessage(`{}`), Parts: []part{{"x"}}}
	written := func(columns []pg.Column[record]) map[string]string {
		values := map[string]string{}
		for _, c := range columns {
			if v := c.Value(&r); v != nil {
				values[c.Name] = *v
			}
		}
		return values
	}
	require.Equal(t, map[string]string{"id": "a", "once": "b", "later": "later", "day": "2026-05-16T01:30:00.000001Z",
		"date":   "2026-05-15",
		"amount": "1.50", "yes": "t", "document": "{}",
		"parts": `[{"A":"x"}]`}, written(m.Created), "what holds nothing is NULL")
	require.Equal(t, "7", written(m.Updated)["by_whom"])
	r.Later, r.Document, r.Nothing = nil, nil, empty{[]string{"n"}}
	require.NotContains(t, written(m.Created), "later")
	require.NotContains(t, written(m.Created), "document")
	require.JSONEq(t, `{"Names":["n"]}`, written(m.Created)["nothing"])

	targets := m.Targets(&r)
	require.Len(t, targets, 12)
	*targets[0].(*string) = "other"
	require.Equal(t, "other", r.ID)
}
