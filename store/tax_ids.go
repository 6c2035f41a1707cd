package store

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// sealedTable is a table with tax ids: its key, which begins with the organization, and the columns with tax ids.
type sealedTable struct {
	name         string
	key, columns []string
}

var sealedTables = []sealedTable{
	{"exemptions", []string{"organization_id", "id"}, []string{"fein", "sales_tax_id"}},
	{"customers", []string{"organization_id", "id"}, []string{"registration_number", "tax_registrations"}},
	{"registrations", []string{"organization_id", "id"}, []string{"sales_tax_id", "tax_id"}},
	{"organization_details", []string{"organization_id"}, []string{"business_details"}},
	{"filing_reports", []string{"organization_id", "filing_id"}, []string{"taxpayer"}},
	{"transactions", []string{"organization_id", "id"}, []string{"tax_id", "requires_exemption", "sent"}},
	{"transaction_revisions", []string{"organization_id", "transaction_id", "revision"}, []string{"body"}},
	{"events", []string{"organization_id", "sequence", "created_at"}, []string{"record", "previous"}},
}

// sealBatch is how many rows are read, and those with tax ids in clear text sealed, in one database transaction.
const sealBatch = 500

// SealOlderTaxIDs encrypts the tax ids that an older version stored in clear text, and returns the number of rows with
// any. From then on new tax ids are sealed, so no process of that version may run any more. It may be repeated after an
// interruption. The first time it waits until all processes seal.
func (s *Store) SealOlderTaxIDs(ctx context.Context) (sealed int, err error) {
	ctx = models.AcrossOrganizations(ctx)
	if _, err := s.LoadTaxIDKey(ctx); err != nil {
		return 0, err
	}
	wait, err := s.UseTaxIDKey(ctx)
	if err != nil {
		return 0, err
	}
	select {
	case <-ctx.Done():
		return 0, ctx.Err()
	case <-time.After(wait):
	}
	for _, table := range sealedTables {
		for last := json.RawMessage(nil); ; {
			n := 0
			err := s.InTx(ctx, func(ctx context.Context) (err error) {
				n, last, err = s.sealRows(ctx, table, last)
				return err
			})
			if err != nil {
				return sealed, fmt.Errorf("%s: %w", table.name, err)
			}
			sealed += n
			if last == nil {
				break
			}
		}
	}
	return sealed, s.RecordTaxIDsSealed(ctx)
}

// sealRows seals the rows after the last one. It returns how many it changed, and the last row it read; nil at the end.
func (s *Store) sealRows(ctx context.Context, t sealedTable, last json.RawMessage) (int, json.RawMessage, error) {
	key := strings.Join(t.key, ", ")
	behind, args := "", []any{sealBatch}
	if last != nil {
		behind = fmt.Sprintf(" WHERE (%[1]s) > (SELECT %[1]s FROM jsonb_populate_record(NULL::%[2]s, $2))", key, t.name)
		args = append(args, string(last))
	}
	rows, err := s.Query(ctx, fmt.Sprintf(`SELECT to_jsonb(r)
		FROM (SELECT %s, %s FROM %s%s ORDER BY %s LIMIT $1 FOR NO KEY UPDATE) r`,
		key, strings.Join(t.columns, ", "), t.name, behind, key), args...)
	read, err := pg.Collect(rows, err, pgx.RowTo[json.RawMessage])
	if err != nil || len(read) == 0 {
		return 0, nil, err
	}
	var changed []json.RawMessage
	for _, row := range read {
		sealed, err := s.sealRow(ctx, row)
		if err != nil {
			return 0, nil, err
		}
		if sealed != nil {
			changed = append(changed, sealed)
		}
	}
	last = read[len(read)-1]
	if len(read) < sealBatch {
		last = nil
	}
	return len(changed), last, s.writeSealed(ctx, t, changed)
}

// writeSealed replaces the columns of sealed rows.
func (s *Store) writeSealed(ctx context.Context, t sealedTable, rows []json.RawMessage) error {
	if len(rows) == 0 {
		return nil
	}
	same := make([]string, len(t.key))
	for i, column := range t.key {
		same[i] = "t." + column + " = n." + column
	}
	if _, err := s.Exec(ctx, "SELECT set_config('levy.sealing', 'on', true)"); err != nil {
		return err
	}
	_, err := s.Exec(ctx, fmt.Sprintf(`UPDATE %[1]s t
		SET (%[2]s) = ROW (n.%[3]s)
		FROM jsonb_populate_recordset(NULL::%[1]s, $1) n
		WHERE %[4]s`,
		t.name, strings.Join(t.columns, ", "), strings.Join(t.columns, ", n."), strings.Join(same, " AND ")),
		*pg.JSON(rows))
	return err
}

// sealRow returns a row with sealed tax ids; nil if it has none in clear text.
func (s *Store) sealRow(ctx context.Context, row json.RawMessage) (json.RawMessage, error) {
	var of struct {
		OrganizationID string `json:"organization_id"`
	}
	if err := json.Unmarshal(row, &of); err != nil {
		return nil, err
	}
	before, sealed := slices.Clone(row), slices.Clone(row)
	asTheyAre := func(text string) (string, error) { return text, nil }
	if err := (models.NamedTaxIDs{Document: &before}).EachTaxID(asTheyAre); err != nil { // to the same JSON form as the sealed row
		return nil, err
	}
	if err := s.SealTaxIDs(ctx, of.OrganizationID, models.NamedTaxIDs{Document: &sealed}); err != nil ||
		bytes.Equal(before, sealed) {
		return nil, err
	}
	return sealed, nil
}
