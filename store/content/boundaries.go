package content

import (
	"context"

	"levy/store/pg"
	"levy/tax"
)

// matchBoundaries finds for each key the best records among the street, ZIP+4 and ZIP records. The best ones name most
// parts of the street, then have the narrowest range. It returns all records that fit equally well.
var matchBoundaries = pg.Prepare(`
	WITH wanted AS (SELECT * FROM {wanted}),
	found AS (
	  SELECT w.n, w.load_id, 1 AS rank, m.set_no FROM wanted w CROSS JOIN LATERAL (
	    SELECT b.set_no FROM boundary_streets b
	     WHERE b.load_id = w.load_id AND b.zip = w.zip AND b.name = w.name AND w.day BETWEEN b.valid_from AND b.valid_to
	       AND w.number BETWEEN b.low AND b.high AND (b.side = 'B' OR b.side = CASE WHEN w.number % 2 = 1 THEN 'O'
	         ELSE 'E' END)
	       AND (b.kind = w.kind OR b.kind = '' OR w.kind = '')
	       AND (b.before = w.before OR b.before = '' OR w.before = '')
	       AND (b.after = w.after OR b.after = '' OR w.after = '')
	     ORDER BY (b.kind = w.kind)::int + (b.before = w.before)::int + (b.after = w.after)::int DESC, b.high - b.low
	     FETCH FIRST 1 ROW WITH TIES OFFSET 0) m
	   WHERE w.number > 0 AND w.name <> ''
	  UNION ALL
	  SELECT w.n, w.load_id, 2, m.set_no FROM wanted w CROSS JOIN LATERAL (
	    SELECT b.set_no FROM boundary_zips b
	     WHERE b.load_id = w.load_id AND b.kind = '4' AND nullif(w.plus4, '')::int BETWEEN b.low AND b.high
	       AND w.day BETWEEN b.valid_from AND b.valid_to
	       AND b.block IN (w.zip, w.zip || left(w.plus4, 1), w.zip || left(w.plus4, 2), w.zip || left(w.plus4, 3),
	         w.zip || w.plus4)
	     ORDER BY b.high - b.low FETCH FIRST 1 ROW WITH TIES OFFSET 0) m
	   WHERE w.plus4 <> ''
	  UNION ALL
	  SELECT w.n, w.load_id, 3, m.set_no FROM wanted w CROSS JOIN LATERAL (
	    SELECT b.set_no FROM boundary_zips b
	     WHERE b.load_id = w.load_id AND b.block = w.zip AND b.kind = 'Z'
	       AND w.day BETWEEN b.valid_from AND b.valid_to OFFSET 0) m)
	SELECT f.n, f.rank, min(s.codes), count(DISTINCT f.set_no)
	  FROM found f CROSS JOIN LATERAL (
	    SELECT x.codes FROM boundary_sets x WHERE x.load_id = f.load_id AND x.set_no = f.set_no OFFSET 0) s
	 GROUP BY f.n, f.rank
	 ORDER BY f.n, f.rank`, nil, boundaryRows)

var boundaryRows = pg.RowsOf("wanted",
	pg.Col("load_id", "bigint", func(k *tax.BoundaryKey) *string { return pg.Integer(int(k.Load)) }),
	pg.Col("zip", "text", func(k *tax.BoundaryKey) *string { return &k.ZIP }),
	pg.Col("plus4", "text", func(k *tax.BoundaryKey) *string { return &k.Plus4 }),
	pg.Col("number", "bigint", func(k *tax.BoundaryKey) *string { return pg.Integer(int(k.Street.Number)) }),
	pg.Col("name", "text", func(k *tax.BoundaryKey) *string { return &k.Street.Name }),
	pg.Col("kind", "text", func(k *tax.BoundaryKey) *string { return &k.Street.Kind }),
	pg.Col("before", "text", func(k *tax.BoundaryKey) *string { return &k.Street.Before }),
	pg.Col("after", "text", func(k *tax.BoundaryKey) *string { return &k.Street.After }),
	pg.Col("day", "integer", func(k *tax.BoundaryKey) *string { return pg.Integer(int(k.Day)) }),
).Numbered("n")

var boundaryResolutions = map[int]tax.Resolution{1: tax.ResolutionAddress, 2: tax.ResolutionZIP9, 3: tax.ResolutionZIP5}

// MatchBoundaries looks addresses up in imported boundary files, with one statement, and returns one match per key in
// the order of keys. A street record precedes a ZIP+4 record, and that a ZIP record. Records that fit equally well but
// disagree give no match.
func (s *Store) MatchBoundaries(ctx context.Context, keys []tax.BoundaryKey) ([]tax.BoundaryMatch, error) {
	rows, err := s.db.Query(ctx, matchBoundaries.SQL, matchBoundaries.Values(nil, boundaryRows.Of(keys))...)
	matches := make([]tax.BoundaryMatch, len(keys))
	var number, rank, sets int
	var codes string
	err = pg.ForEach(rows, err, []any{&number, &rank, &codes, &sets}, func() error {
		if m := &matches[number-1]; m.Resolution == "" && sets == 1 {
			*m = tax.BoundaryMatch{Resolution: boundaryResolutions[rank], Codes: codes}
		}
		return nil
	})
	return matches, err
}
