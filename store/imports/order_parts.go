package imports

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/models"
	"levy/store/pg"
)

const (
	// partsRead is the number of parts that are read at once. It is larger than the number of rows of an order.
	partsRead = 2000
	// partRows bounds the rows of parts whose content is read at once. An order is read as a whole.
	partRows = 2000
)

var (
	// arrangeParts records the orders of a chunk of pass 0, and the parts of those that have several.
	arrangeParts = pg.Prepare(`
	WITH part AS (SELECT * FROM {part}),
	grouped AS (SELECT key, min(start) AS first, sum(rows) AS rows FROM part GROUP BY key),
	recorded AS (
	  INSERT INTO transaction_import_orders AS o (organization_id, import_id, key, first, rows)
	  SELECT @organization_id::text, @import_id::text, key, first, rows FROM grouped
	      ON CONFLICT (organization_id, import_id, key) DO UPDATE SET rows = o.rows + excluded.rows
	  RETURNING key, first),
	apart AS (
	  SELECT part.*, recorded.first FROM part JOIN recorded USING (key) WHERE part.start > recorded.first)
	INSERT INTO transaction_import_parts (organization_id, import_id, start, first, key, line, size, rows)
	SELECT @organization_id::text, @import_id::text, start, first, key, line, size, rows FROM apart
	 UNION ALL
	SELECT DISTINCT @organization_id::text, @import_id::text, first, first, key, 0, 0, 0 FROM apart
	    ON CONFLICT DO NOTHING`, pg.Names{"organization_id", "import_id"}, partColumns)
	partColumns = pg.RowsOf("part",
		pg.Col("key", "uuid", func(p *models.ImportPart) *string { return &p.Key }),
		pg.Col("start", "bigint", func(p *models.ImportPart) *string { return pg.Integer(int(p.Start)) }),
		pg.Col("line", "bigint", func(p *models.ImportPart) *string { return pg.Integer(int(p.Line)) }),
		pg.Col("size", "bigint", func(p *models.ImportPart) *string { return pg.Integer(int(p.Size)) }),
		pg.Col("rows", "bigint", func(p *models.ImportPart) *string { return pg.Integer(int(p.Rows)) }))
)

const (
	advanceArrangement = `
	UPDATE transaction_imports
	   SET pass = $3::smallint, byte_offset = $4, line = $5, split_parts = split_parts + $6, arranged = $3::smallint > 0,
	       arranged_chunks = arranged_chunks + 1, steps = steps + 1, updated_at = now()
	 WHERE organization_id = $1 AND id = $2`
	selectParts = `
	SELECT p.start, p.first, o.rows
	  FROM transaction_import_parts p
	  JOIN transaction_import_orders o ON o.organization_id = p.organization_id AND o.import_id = p.import_id
	   AND o.key = p.key
	 WHERE p.organization_id = $1 AND p.import_id = $2 AND p.start >= $3 ORDER BY p.start LIMIT $4`
	selectFurtherParts = `
	SELECT first, start, line, size, rows FROM transaction_import_parts
	 WHERE organization_id = $1 AND import_id = $2 AND first >= $3 AND start > first ORDER BY first, start LIMIT $4`
	// selectPartContent cuts parts out of the pieces of the file. PostgreSQL reads only these bytes of a piece.
	selectPartContent = `
	SELECT wanted.start, string_agg(
	         substring(p.content FROM (greatest(wanted.start - p.start, 0) + 1)::int
	                             FOR (wanted.start + wanted.size - greatest(wanted.start, p.start))::int), ''
	         ORDER BY p.start)
	  FROM unnest($3::bigint[], $4::bigint[]) AS wanted (start, size)
	 CROSS JOIN LATERAL (
	   SELECT x.start, x.content FROM transaction_import_pieces x
	    WHERE x.organization_id = $1 AND x.import_id = $2 AND x.start < wanted.start + wanted.size AND x.start >= (
	      SELECT max(y.start) FROM transaction_import_pieces y
	       WHERE y.organization_id = $1 AND y.import_id = $2 AND y.start <= wanted.start) OFFSET 0) p
	 GROUP BY wanted.start`
)

// ArrangeImportChunk stores where the orders of a chunk of pass 0 begin, and advances the import, in one database
// transaction. Errors: models.ErrImportChanged if the import does not run or has another position.
func (s *Store) ArrangeImportChunk(ctx context.Context, chunk *models.ImportChunk) error {
	im, to := chunk.Import, chunk.To
	err := s.db.InTx(ctx, func(ctx context.Context) error {
		if _, err := s.lockPosition(ctx, chunk); err != nil {
			return err
		}
		parts, err := s.db.Exec(ctx, arrangeParts.SQL,
			arrangeParts.Values([]any{im.OrganizationID, im.ID}, partColumns.Of(chunk.Parts))...)
		if err != nil {
			return err
		}
		if err := failpoint.Hit("import_before_arranged"); err != nil {
			return err
		}
		_, err = s.db.Exec(ctx, advanceArrangement, im.OrganizationID, im.ID, to.Pass, to.ByteOffset, to.Line,
			parts.RowsAffected())
		return err
	})
	if err != nil {
		return err
	}
	return failpoint.Hit("import_after_arranged")
}

// ImportParts returns the parts of the orders of an import whose rows are apart. It needs little memory, however many
// there are: it reads them ahead as the import comes to them.
func (s *Store) ImportParts(ctx context.Context, im *models.Import) models.ImportParts {
	return &importParts{ctx: ctx, store: s, im: im, ended: im.SplitParts == 0, further: map[int64][]models.ImportPart{}}
}

type importParts struct {
	ctx     context.Context
	store   *Store
	im      *models.Import
	ahead   []models.ImportPart // the next parts of the file
	ended   bool                // there are no parts after these
	further map[int64][]models.ImportPart
}

// Find returns the part that begins at a byte; nil if the rows there are a whole order.
func (p *importParts) Find(start int64) (*models.ImportPart, error) {
	for {
		for len(p.ahead) > 0 && p.ahead[0].Start < start {
			p.ahead = p.ahead[1:]
		}
		if len(p.ahead) > 0 {
			if p.ahead[0].Start == start {
				return &p.ahead[0], nil
			}
			return nil, nil //nolint:nilnil // as the interface says it
		}
		if p.ended {
			return nil, nil //nolint:nilnil // as the interface says it
		}
		rows, err := p.store.db.Query(p.ctx, selectParts, p.im.OrganizationID, p.im.ID, start, partsRead)
		p.ahead, err = pg.Collect(rows, err, func(row pgx.CollectableRow) (part models.ImportPart, err error) {
			return part, row.Scan(&part.Start, &part.First, &part.OfOrder)
		})
		if err != nil {
			return nil, err
		}
		p.ended = len(p.ahead) < partsRead
	}
}

// Further returns the other parts of the order that begins at a byte, with their content.
func (p *importParts) Further(first int64) ([]models.ImportPart, error) {
	if parts, known := p.further[first]; known {
		return parts, nil
	}
	rows, err := p.store.db.Query(p.ctx, selectFurtherParts, p.im.OrganizationID, p.im.ID, first, partsRead)
	parts, err := pg.Collect(rows, err, func(row pgx.CollectableRow) (part models.ImportPart, err error) {
		return part, row.Scan(&part.First, &part.Start, &part.Line, &part.Size, &part.Rows)
	})
	if err != nil {
		return nil, err
	}
	return p.read(first, wholeOrders(parts))
}

// wholeOrders returns the parts of the first orders of a list, until they have partRows. The parts of the last order may
// be incomplete, unless it is the only one.
func wholeOrders(parts []models.ImportPart) []models.ImportPart {
	end, rows := 0, int64(0)
	for i := range parts {
		if parts[i].First != parts[end].First {
			end = i
			if rows >= partRows {
				return parts[:end]
			}
		}
		rows += parts[i].Rows
	}
	if end == 0 || len(parts) < partsRead {
		return parts
	}
	return parts[:end]
}

// read reads the content of parts and returns those of one order.
func (p *importParts) read(first int64, parts []models.ImportPart) ([]models.ImportPart, error) {
	starts, sizes := make([]int64, len(parts)), make([]int64, len(parts))
	for i := range parts {
		starts[i], sizes[i] = parts[i].Start, parts[i].Size
	}
	content := make(map[int64][]byte, len(parts))
	rows, err := p.store.db.Query(p.ctx, selectPartContent, p.im.OrganizationID, p.im.ID, starts, sizes)
	var start int64
	var bytes []byte
	err = pg.ForEach(rows, err, []any{&start, &bytes}, func() error {
		content[start] = slices.Clone(bytes)
		return nil
	})
	if err != nil {
		return nil, err
	}
	clear(p.further)
	for _, part := range parts {
		part.Content = content[part.Start]
		p.further[part.First] = append(p.further[part.First], part)
	}
	return p.further[first], nil
}
