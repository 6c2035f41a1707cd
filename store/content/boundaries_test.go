package content_test

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/content"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	"levy/tax/postal"
)

const anyDay = calendar.Date(20260801)

// boundaries loads records whose set is named by their codes.
func boundaries(
	t *testing.T, s *store.Store, zips []models.BoundaryZIP, streets []models.BoundaryStreet,
) models.BoundaryLoad {
	t.Helper()
	sum := sha256.Sum256([]byte(t.Name()))
	load, err := s.Content.OpenBoundaryLoad(t.Context(), "MN", "MNB2026Q3.csv", sum[:])
	require.NoError(t, err)
	chunk := models.BoundaryChunk{Records: int64(len(zips) + len(streets)), ZIPs: zips, Streets: streets}
	for no := range int32(20) {
		chunk.Sets = append(chunk.Sets, models.BoundarySet{No: no, Codes: fmt.Sprintf("set %d", no)})
	}
	require.NoError(t, s.Content.AppendBoundaries(t.Context(), &load, chunk))
	require.NoError(t, s.Content.FinishBoundaryLoad(t.Context(), &load))
	return load
}

func street(low, high int64, side byte, words string, set int32) models.BoundaryStreet {
	return models.BoundaryStreet{
		ZIP: "55401", Street: postal.ParseStreet(words), Low: low, High: high, Side: side, From: 20200101,
		Set: set,
	}
}

func zips(kind byte, low, high int16, set int32) models.BoundaryZIP {
	return models.BoundaryZIP{Kind: kind, ZIP: "55401", Low: low, High: high, From: 20200101, Set: set}
}

func TestTheMostSpecificBoundaryRecordDecides(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	ended := street(900, 999, 'B', "Main St", 12)
	ended.To = 20251231
	load := boundaries(t, s, []models.BoundaryZIP{
		zips(
			'Z', 0, 9999, 1,
		), zips('4', 0, 9999, 2), zips('4', 1000, 1999, 3), zips('4', 1200, 1249, 4), zips('4', 995, 1005, 5),
		zips('4', 5000, 5000, 6), zips('4', 5000, 5000, 7),
	}, []models.BoundaryStreet{
		street(1, 999, 'B', "Main St", 8), street(100, 198, 'E', "Main St", 9), street(100, 199, 'O', "Main St", 10),
		street(1, 99, 'B', "N Main St", 11), ended,
		street(1, 99, 'B', "Oak St", 13), street(1, 99, 'B', "Oak Ave", 14), street(1, 99, 'B', "Fifth Ave SW", 15),
	})
	for _, test := range []struct {
		rule, street, plus4 string
		day                 calendar.Date
		want                string // resolution and set
	}{
		{"a ZIP alone takes the ZIP record", "", "", anyDay, "ZIP5 1"},
		{"a ZIP+4 goes before the ZIP", "", "4321", anyDay, "ZIP9 2"},
		{"the narrower range first", "", "1999", anyDay, "ZIP9 3"},
		{"and the narrowest of three", "", "1200", anyDay, "ZIP9 4"},
		{"the end of a range belongs to it", "", "1249", anyDay, "ZIP9 4"},
		{"one past it does not", "", "1250", anyDay, "ZIP9 3"},
		{"a range across a thousand", "", "1003", anyDay, "ZIP9 5"},
		{"also below the thousand", "", "0995", anyDay, "ZIP9 5"},
		{"different ranges that fit equally well decide nothing", "", "5000", anyDay, "ZIP5 1"},
		{"a street goes before a ZIP+4", "500 Main St", "1200", anyDay, "ADDRESS 8"},
		{"the even side", "120 Main Street", "", anyDay, "ADDRESS 9"},
		{"the odd side", "121 MAIN ST.", "", anyDay, "ADDRESS 10"},
		{"the end of the even side", "198 Main St", "", anyDay, "ADDRESS 9"},
		{"past the even side the wide range", "200 Main St", "", anyDay, "ADDRESS 8"},
		{"past the odd side too", "201 Main St", "", anyDay, "ADDRESS 8"},
		{"a direction that is given is kept", "50 North Main St", "", anyDay, "ADDRESS 11"},
		{"another direction fits only a record without one", "50 S Main St", "", anyDay, "ADDRESS 8"},
		{"no such number", "1000 Main St", "", anyDay, "ZIP5 1"},
		{"no such street", "50 Elm St", "1200", anyDay, "ZIP9 4"},
		{"a record counts until its last day", "950 Main St", "", 20251231, "ADDRESS 12"},
		{"and not after it", "950 Main St", "", 20260101, "ADDRESS 8"},
		{"nothing counts before it begins", "950 Main St", "1200", 20191231, " "},
		{"the kind of street distinguishes two records", "50 Oak Avenue", "", anyDay, "ADDRESS 14"},
		{"without it two different records decide nothing", "50 Oak", "", anyDay, "ZIP5 1"},
		{"an ordinal as a number", "7 5th Ave. Southwest, Apt 2", "", anyDay, "ADDRESS 15"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			t.Parallel()
			found, err := s.Content.MatchBoundaries(t.Context(), []tax.BoundaryKey{{
				Load: load.ID, ZIP: "55401", Plus4: test.plus4, Street: postal.ParseStreet(test.street), Day: test.day,
			}})
			require.NoError(t, err)
			require.Equal(t, test.want, string(found[0].Resolution)+" "+strings.TrimPrefix(found[0].Codes, "set "))
		})
	}
	t.Run("many addresses, in order", func(t *testing.T) {
		t.Parallel()
		keys := []tax.BoundaryKey{
			{Load: load.ID, ZIP: "55401", Plus4: "1200", Day: anyDay}, {Load: load.ID, ZIP: "99999", Day: anyDay},
			{Load: load.ID + 1, ZIP: "55401", Day: anyDay}, {Load: load.ID, ZIP: "55401", Day: anyDay},
		}
		found, err := s.Content.MatchBoundaries(t.Context(), keys)
		require.NoError(t, err)
		require.Equal(t, []tax.BoundaryMatch{
			{Resolution: tax.ResolutionZIP9, Codes: "set 4"}, {}, {},
			{Resolution: tax.ResolutionZIP5, Codes: "set 1"},
		}, found)
	})
}

func TestAChunkIsStoredOnce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	load, err := s.Content.OpenBoundaryLoad(t.Context(), "MN", "MNB2026Q3.csv", make([]byte, 32))
	require.NoError(t, err)
	other := load
	chunk := models.BoundaryChunk{
		Records: 1, Sets: []models.BoundarySet{{No: 1, Codes: "45:27"}},
		ZIPs: []models.BoundaryZIP{zips('Z', 0, 9999, 1)},
	}
	require.NoError(t, s.Content.AppendBoundaries(t.Context(), &load, chunk))
	require.ErrorIs(
		t, s.Content.AppendBoundaries(t.Context(), &other, chunk), content.ErrImportRuns,
		"two processes at once: one goes on",
	)
	again, err := s.Content.OpenBoundaryLoad(t.Context(), "MN", "renamed.csv", make([]byte, 32))
	require.NoError(t, err)
	require.Equal(t, load, again, "the same file goes on where it stopped")
}

func TestBoundariesAreFoundByIndex(t *testing.T) {
	t.Parallel()
	address := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: address})
	var manyZIPs []models.BoundaryZIP
	var manyStreets []models.BoundaryStreet
	for i := range 20_000 {
		z, a := zips('4', int16(i%9990), int16(i%9990+5), 1), street(int64(i), int64(i+8), 'B', "Main St", 1)
		z.ZIP = fmt.Sprintf("55%03d", i/200)
		a.ZIP, a.Street.Name = z.ZIP, fmt.Sprint("STREET", i%50)
		manyZIPs, manyStreets = append(manyZIPs, z), append(manyStreets, a)
	}
	boundaries(t, s, manyZIPs, manyStreets)
	conn := storetest.SQL(t, address)
	sql, args := content.MatchBoundaries(tax.BoundaryKey{Load: 1, ZIP: "55001", Plus4: "1234", Day: 20260801,
		Street: postal.StreetAddress{Number: 100, Name: "MAIN", Kind: "ST"}})
	rows, err := conn.Query(t.Context(), "EXPLAIN "+sql, args...)
	require.NoError(t, err)
	plan, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	for _, table := range []string{"boundary_zips", "boundary_streets"} {
		require.NotContains(t, strings.Join(plan, "\n"), "Seq Scan on "+table)
	}
}
