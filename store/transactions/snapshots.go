package transactions

import (
	"context"
	"encoding/json"
	"errors"
	"slices"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// unsetColumns has every column that a snapshot omits: those that are NULL, and for a new transaction those that
// processing sets. A snapshot with the member "rest" keeps the stored values of these columns.
const unsetColumns = `'{"processing_reason": null, "refund_status": null, "filing_id": null,
	"city": null, "county": null, "state": null, "postal_code": null, "country": null,
	"content_version": null, "certainty": null, "tax_liability_source": null,
	"destination_currency": null, "conversion_rate": null, "ambiguous": false, "total_tax_amount_calculated": 0,
	"tax_rate_calculated": 0, "total_tax_liability_amount": 0, "taxable_amount": 0}'::jsonb`

// selectSnapshots reads a transaction twice for each snapshot in $2: as it was then and as it was before.
// The values of the snapshot replace those of its version, which may itself be replaced.
var selectSnapshots = `
	SELECT s.n, v.body IS NOT NULL, ` + transactionRead.Select("p") + ", " + customerRead.Select("c") + `
	  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS s (body, n)
	 CROSS JOIN LATERAL (SELECT * FROM transactions x WHERE x.organization_id = $1 AND x.id = s.body ->> 'id' OFFSET 0) t
	  LEFT JOIN transaction_revisions v ON v.organization_id = t.organization_id AND v.transaction_id = t.id
	   AND v.revision = (s.body -> 'state' ->> 'revision')::integer AND v.revision < t.revision
	 CROSS JOIN LATERAL jsonb_populate_record(NULL::transactions,
	   coalesce(v.body -> 'transaction', to_jsonb(t))
	     || CASE WHEN s.body -> 'state' ? 'rest' THEN '{}' ELSE ` + unsetColumns + ` END || (s.body -> 'state')) p
	 CROSS JOIN LATERAL (SELECT * FROM customers x
	                      WHERE x.organization_id = t.organization_id AND x.id = t.customer_id OFFSET 0) c`

// TransactionsAt returns transactions as they were when events were written, each with the lines of its version.
// A result is empty for an event without a previous state and for transactions that do not exist. Lines have the
// calculated tax of the last calculation, once there was one.
func (s *Store) TransactionsAt(
	ctx context.Context, scope models.Scope, snapshots []models.TransactionSnapshot,
) (now, before []models.Transaction, err error) {
	read, err := s.readSnapshots(ctx, scope, snapshots)
	if err != nil {
		return nil, nil, err
	}
	versions := versionsOf{s, scope, map[versionKey]models.Transaction{}}
	for i := range read.at {
		t := &read.at[i]
		if t.ID == "" {
			continue
		}
		parts, err := read.current.of(t.ID)
		if read.replaced[i] {
			parts, err = versions.read(ctx, t.ID, t.Revision)
		}
		if err != nil {
			return nil, nil, err
		}
		t.Items, t.Addresses, t.Exemptions = slices.Clone(parts.Items), slices.Clone(parts.Addresses), parts.Exemptions
		clearUndecided(t)
	}
	for i := range snapshots {
		now = append(now, read.at[2*i])
		if len(snapshots[i].Previous) == 0 {
			before = append(before, models.Transaction{})
		} else {
			before = append(before, read.at[2*i+1])
		}
	}
	return now, before, nil
}

// snapshotsRead are transactions without their parts: for each snapshot the state then and the state before.
type snapshotsRead struct {
	at       []models.Transaction
	replaced []bool         // whether each is of a replaced version
	current  transactionSet // the current transactions
}

func (s *Store) readSnapshots(
	ctx context.Context, scope models.Scope, snapshots []models.TransactionSnapshot,
) (*snapshotsRead, error) {
	docs, err := documentsOf(snapshots)
	if err != nil {
		return nil, err
	}
	ids := make([]string, len(snapshots))
	for i, snapshot := range snapshots {
		ids[i] = snapshot.ID
	}
	read := &snapshotsRead{at: make([]models.Transaction, 2*len(ids)), replaced: make([]bool, 2*len(ids))}
	err = s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		begin.Queue(selectSnapshots, scope.OrganizationID, docs).Query(func(rows pgx.Rows) error {
			for rows.Next() {
				var n int
				var old bool
				var t models.Transaction
				if err := rows.Scan(append([]any{&n, &old}, transactionTargets(&t)...)...); err != nil {
					return err
				}
				t.Customer.OrganizationID, t.Customer.ID = t.OrganizationID, t.CustomerID
				read.at[n-1], read.replaced[n-1] = t, old
			}
			return rows.Err()
		})
		begin.Queue(selectTransactions+" WHERE t.organization_id = $1 AND t.id = ANY ($2)",
			scope.OrganizationID, ids).Query(read.current.read)
		read.current.queueParts(begin, "= ANY ($2)", scope.OrganizationID, ids)
		conn.Commit(begin)
		return conn.Send(ctx, begin)
	})
	if err == nil {
		err = errors.Join(s.openTaxIDs(ctx, read.at), s.openTaxIDs(ctx, read.current.transactions))
	}
	return read, err
}

// documentsOf returns the documents for selectSnapshots: for each snapshot the state then and the state before.
func documentsOf(snapshots []models.TransactionSnapshot) (string, error) {
	type doc struct {
		ID    string         `json:"id"`
		State map[string]any `json:"state"`
	}
	docs := make([]doc, 0, 2*len(snapshots))
	for _, s := range snapshots {
		then, before := doc{ID: s.ID}, doc{ID: s.ID}
		if err := unmarshalNumbers(s.Record, &then.State); err != nil {
			return "", err
		}
		if err := unmarshalNumbers(s.Record, &before.State); err != nil {
			return "", err
		}
		if len(s.Previous) > 0 {
			if err := unmarshalNumbers(s.Previous, &before.State); err != nil {
				return "", err
			}
		}
		docs = append(docs, then, before)
	}
	all, err := json.Marshal(docs)
	return string(all), err
}

// unmarshalNumbers adds the members of a JSON object to a map. Numbers keep all their digits.
func unmarshalNumbers(object json.RawMessage, into *map[string]any) error {
	members := map[string]json.RawMessage{}
	if err := json.Unmarshal(object, &members); err != nil {
		return err
	}
	if *into == nil {
		*into = make(map[string]any, len(members))
	}
	for name, value := range members {
		(*into)[name] = value
	}
	return nil
}

type versionKey struct {
	id       string
	revision int
}

// versionsOf reads replaced versions, each once.
type versionsOf struct {
	store *Store
	scope models.Scope
	known map[versionKey]models.Transaction
}

func (v *versionsOf) read(ctx context.Context, id string, revision int) (*models.Transaction, error) {
	key := versionKey{id, revision}
	t, ok := v.known[key]
	if !ok {
		found, err := v.store.TransactionRevision(ctx, v.scope, id, revision)
		if err != nil {
			return nil, err
		}
		t = found.Transaction
		v.known[key] = t
	}
	return &t, nil
}

// clearUndecided clears the fields of lines and addresses that processing had not set yet.
func clearUndecided(t *models.Transaction) {
	switch t.ProcessingStatus {
	case models.ProcessingNew, models.ProcessingUpdated, models.ProcessingQueued, models.ProcessingPending:
	default:
		return
	}
	for i := range t.Items {
		item := &t.Items[i]
		item.TaxAmountCalculated, item.TaxRateCalculated, item.TaxableAmount = decimal.Zero, decimal.Zero, decimal.Zero
		item.TaxItems, item.Exempt, item.TaxExemption = []models.TaxItem{}, item.ExemptSent, item.TaxExemptionSent
	}
	for i := range t.Addresses {
		t.Addresses[i].Status = t.AddressStatus
	}
}
