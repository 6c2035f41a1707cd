package transactions

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
)

// Transaction reads a transaction with its lines, the law of their taxes, addresses, customer and
// applied exemptions, all as they stood at one moment. Place and Origin stay empty: only
// the stages need them. Errors: models.ErrNotFound.
func (s *Store) Transaction(ctx context.Context, scope models.Scope, id string) (models.Transaction, error) {
	return s.oneTransaction(ctx, "= $2", scope.OrganizationID, id)
}

// TransactionByExternalID reads like Transaction by the client's identifier.
func (s *Store) TransactionByExternalID(
	ctx context.Context, scope models.Scope, externalID string,
) (models.Transaction, error) {
	return s.oneTransaction(ctx,
		"= (SELECT x.id FROM transactions x WHERE x.organization_id = $1 AND x.external_id = $2)",
		scope.OrganizationID, externalID)
}

// oneTransaction reads the transaction whose id passes the condition, in one round trip.
func (s *Store) oneTransaction(ctx context.Context, which string, args ...any) (models.Transaction, error) {
	var found transactionSet
	err := s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		conn.Set(ctx, begin, pg.PlanByKey)
		begin.Queue(selectTransactions+" WHERE t.organization_id = $1 AND t.id "+which, args...).Query(found.read)
		found.queueParts(begin, which, args...)
		found.queueSources(begin, which, args...)
		conn.Commit(begin)
		return conn.Send(ctx, begin)
	})
	if err == nil {
		err = s.openTaxIDs(ctx, found.transactions)
	}
	if err != nil {
		return models.Transaction{}, err
	}
	if len(found.transactions) == 0 {
		return models.Transaction{}, models.ErrNotFound
	}
	return found.transactions[0], nil
}

// errStrayPart: a part arrived whose transaction is not in the set, which one
// snapshot rules out.
var errStrayPart = errors.New("part of a transaction that was not read")

// transactionSet collects transactions and finds them again when their parts arrive.
type transactionSet struct {
	transactions []models.Transaction
	index        map[string]int // by id; all are of one organization
	limit, lines int            // lines that are held; 0 for all, and one more than most when there are more
}

func (s *transactionSet) read(rows pgx.Rows) error {
	s.index = map[string]int{}
	for rows.Next() {
		s.transactions = append(s.transactions, models.Transaction{
			Items: []models.TransactionItem{}, Addresses: []models.TransactionAddress{}, Exemptions: []models.Exemption{},
		})
		t := &s.transactions[len(s.transactions)-1]
		if err := rows.Scan(transactionTargets(t)...); err != nil {
			return err
		}
		t.Customer.OrganizationID, t.Customer.ID = t.OrganizationID, t.CustomerID
		s.index[t.ID] = len(s.transactions) - 1
	}
	return rows.Err()
}

func (s *transactionSet) of(id string) (*models.Transaction, error) {
	i, ok := s.index[id]
	if !ok {
		return nil, errStrayPart
	}
	return &s.transactions[i], nil
}

// queueParts adds the statements that read what belongs to the transactions of
// organization $1 whose id passes the condition: one for each kind of part, however
// many transactions there are. All go by key, and planning them takes as long as
// reading a page: behind pg.PlanByKey their plans are kept.
func (s *transactionSet) queueParts(batch *pgx.Batch, which string, args ...any) {
	s.queuePartsOf(batch, "", which, args...)
}

// selectItems reads the lines, of which the planner finds all before those that are too many are cut.
func (s *transactionSet) selectItems(which string) string {
	if s.limit == 0 {
		return selectItems + which + " ORDER BY i.transaction_id, i.line_no"
	}
	return fmt.Sprintf("SELECT * FROM (%s OFFSET 0) i ORDER BY i.transaction_id, i.line_no LIMIT %d", selectItems+which,
		s.limit+1)
}

// queuePartsOf is queueParts on what the common table expressions of with put in the
// place of the tables.
func (s *transactionSet) queuePartsOf(batch *pgx.Batch, with, which string, args ...any) {
	batch.Queue(with+s.selectItems(which), args...).Query(eachPart(s,
		func(i *models.TransactionItem) (*string, []any) { return &i.TransactionID, itemRead.Targets(i) },
		func(t *models.Transaction, i models.TransactionItem) {
			t.Items = append(t.Items, i)
			s.lines++
		}))
	// Ids sort by the time of their making, which is the order of the request.
	batch.Queue(with+selectAddresses+which+" ORDER BY a.id", args...).Query(eachPart(s,
		func(a *models.TransactionAddress) (*string, []any) { return &a.TransactionID, addressRecord.Targets(a) },
		func(t *models.Transaction, a models.TransactionAddress) { t.Addresses = append(t.Addresses, a) }))
	batch.Queue(with+selectAppliedExemptions+which+" ORDER BY e.id", args...).Query(eachPart(s,
		func(e *models.Exemption) (*string, []any) {
			transactionID := new(string)
			return transactionID, slices.Concat([]any{transactionID}, exemptionRecord.Targets(e), []any{&e.Attachments})
		},
		func(t *models.Transaction, e models.Exemption) { t.Exemptions = append(t.Exemptions, e) }))
}

// eachPart reads parts of the transactions of a set and adds each to its own. targets are those of a row, and the
// one for the id of the transaction.
func eachPart[P any](
	s *transactionSet, targets func(*P) (*string, []any), add func(*models.Transaction, P),
) func(pgx.Rows) error {
	return func(rows pgx.Rows) error {
		for rows.Next() {
			var part P
			id, row := targets(&part)
			if err := rows.Scan(row...); err != nil {
				return err
			}
			t, err := s.of(*id)
			if err != nil {
				return err
			}
			add(t, part)
		}
		return rows.Err()
	}
}
