package imports

import (
	"context"
	"fmt"
	"strings"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
	"levy/store/transactions"
)

// selectStoredSales also selects whether an import has recorded the transaction.
var selectStoredSales = transactions.SelectExport("t.batch_id IS NOT DISTINCT FROM $3") + `
	 WHERE t.organization_id = $1 AND t.id = ANY ($2) ORDER BY t.id, i.line_no`

const selectDestinations = `
	SELECT a.transaction_id, a.street_1, a.country, a.state, a.county, a.city, a.postal_code
	  FROM transaction_addresses a WHERE a.organization_id = $1 AND a.transaction_id = ANY ($2) AND a.type = 'SHIP_TO'`

// duplicateExternalID is the code of the fault of a conflict.
const duplicateExternalID = "duplicate_external_id"

// decideExisting decides about entries whose external id exists: the same content counts as present, other content as a
// conflict. Content that this import has recorded is never present: it would count rows of the file twice. It returns
// the other entries.
func (w *importWork) decideExisting(ctx context.Context, entries []int) (others []int, err error) {
	if len(entries) == 0 {
		return nil, nil
	}
	recorded, err := w.recorded(ctx, entries)
	if err != nil {
		return nil, pg.Translate(err)
	}
	for _, i := range entries {
		e := &w.chunk.Entries[i]
		stored := recorded[e.ExternalID]
		if stored == nil {
			others = append(others, i)
			continue
		}
		w.ids[i] = stored.ID
		// guard: files: what this import has recorded is not already present
		if stored.Own {
			e.Conflict = true
			e.Faults = []models.ImportFault{{
				Line: e.Line, Column: "external_id", Code: duplicateExternalID,
				Message: "Other rows of this file are recorded under this external_id.",
			}}
			continue
		}
		differing := rules.DifferingColumns(e.Draft(), stored, w.chunk.Import.Columns)
		if len(differing) == 0 {
			e.Present = true
			e.Faults = []models.ImportFault{{
				Line: e.Line, Code: models.ImportAlreadyPresent,
				Message: "Recorded before this file with the same content: nothing was changed.",
			}}
			continue
		}
		e.Conflict = true
		e.Faults = []models.ImportFault{{
			Line: e.Line, Column: differing[0], Code: duplicateExternalID,
			Message: fmt.Sprintf("A transaction with this external_id is recorded already and differs in %s.",
				strings.Join(differing, ", ")),
		}}
	}
	return others, nil
}

// recorded returns the stored sales with the external ids of entries.
func (w *importWork) recorded(ctx context.Context, entries []int) (map[string]*models.StoredSale, error) {
	organizationID := w.chunk.Import.OrganizationID
	var names pg.KeySet
	for _, i := range entries {
		names.Add(organizationID, w.chunk.Entries[i].ExternalID)
	}
	rows, err := w.store.db.Query(ctx, transactions.SelectTransactionIDsByExternalID.SQL,
		transactions.SelectTransactionIDsByExternalID.Values(nil, pg.KeyRows.Of(names.Keys))...)
	byName, byID := map[string]*models.StoredSale{}, map[string]*models.StoredSale{}
	var ids []string
	var organization, name, id string
	err = pg.ForEach(rows, err, []any{&organization, &name, &id}, func() error {
		byName[name] = &models.StoredSale{ID: id}
		byID[id], ids = byName[name], append(ids, id)
		return nil
	})
	if err != nil || ids == nil {
		return byName, err
	}
	return byName, w.content(ctx, ids, byID)
}

func (w *importWork) content(ctx context.Context, ids []string, byID map[string]*models.StoredSale) error {
	rows, err := w.store.db.Query(ctx, selectStoredSales, w.chunk.Import.OrganizationID, ids, w.chunk.Import.ID)
	if err != nil {
		return err
	}
	for rows.Next() {
		var line models.ExportLine
		var own bool
		if err := rows.Scan(append(transactions.ExportTargets(&line), &own)...); err != nil {
			rows.Close()
			return err
		}
		stored := byID[line.TransactionID]
		stored.Lines, stored.Own = append(stored.Lines, line), own
	}
	if err := rows.Err(); err != nil {
		return err
	}
	rows, err = w.store.db.Query(ctx, selectDestinations, w.chunk.Import.OrganizationID, ids)
	var id string
	var a models.TransactionAddress
	address := []any{&id, &a.Street1, &a.Country, &a.State, &a.County, &a.City, &a.PostalCode}
	return pg.ForEach(rows, err, address, func() error {
		byID[id].Sent = a
		return nil
	})
}
