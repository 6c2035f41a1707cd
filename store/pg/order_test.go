package pg

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheConditionOfACursor(t *testing.T) {
	t.Parallel()
	date, id := SortKey{Column: "t.date", Kind: TimeKey, Desc: true}, SortKey{Column: "t.id", Desc: true}
	name, up := SortKey{Column: "c.name", Nullable: true}, SortKey{Column: "t.id"}
	x, y := new("x"), new("y")
	for _, c := range []struct {
		keys   SortKeys
		values []*string
		want   string
	}{
		{SortKeys{date, id}, []*string{x, y}, "(t.date, t.id) < ($1x, $2y)"},
		{SortKeys{{Column: "status"}, {Column: "id"}}, []*string{x, y}, "(status, id) > ($1x, $2y)"},
		{SortKeys{up}, []*string{x}, "(t.id) > ($1x)"},
		{SortKeys{date, up}, []*string{x, y}, "t.date <= $1x AND (t.date < $2x OR t.date = $3x AND (t.id) > ($4y))"},
		{SortKeys{name, up}, []*string{x, y}, "(c.name > $1x OR c.name IS NULL OR c.name = $2x AND (t.id) > ($3y))"},
		{SortKeys{name, up}, []*string{nil, y}, "(c.name IS NULL AND (t.id) > ($1y))"},
		{SortKeys{name, up}.Present(), []*string{x, y},
			"c.name >= $1x AND (c.name > $2x OR c.name = $3x AND (t.id) > ($4y))"},
		{SortKeys{name, up}.Absent(), []*string{y}, "(t.id) > ($1y)"},
	} {
		n := 0
		got := c.keys.After(c.values, func(value string) string {
			n++
			return fmt.Sprintf("$%d%s", n, value)
		})
		require.Equal(t, c.want, got)
	}
}
