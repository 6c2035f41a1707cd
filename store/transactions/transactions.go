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

// Transaction returns a transaction with its lines, the laws of their taxes, addresses, customer and applied
// exemptions, all at one moment. Place and Origin stay empty, because only the stages need them. Errors:
// models.ErrNotFound.
func (s *Store) Transaction(ctx context.Context, scope models.Scope, id string) (models.Transaction, error) {
	return s.oneTransaction(ctx, "= $2", scope.OrganizationID, id)
}

// TransactionByExternalID is Transaction by the client's identifier, which may be stored with white space around it.
func (s *Store) TransactionByExternalID(
	ctx context.Context, scope models.Scope, externalID string,
) (models.Transaction, error) {
	return s.oneTransaction(ctx, "= ("+transactionByExternalID+")", scope.OrganizationID, externalID)
}

var transactionByExternalID = pg.ByExternalID("transactions", "$1", "$2")

// oneTransaction returns the transaction whose id passes the condition, in one round trip.
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

// errStrayPart means that a part belongs to no transaction of the set. A single snapshot excludes that.
var errStrayPart = errors.New("part of a transaction that was not read")

// transactionSet collects transactions and assigns their parts to them.
type transactionSet struct {
	transactions []models.Transaction
	index        map[string]int // by id; all belong to one organization
	limit, lines int            // limit is the most lines to read, 0 for all; lines is limit + 1 if there are more
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

// queueParts adds the statements that read the parts of the transactions of organization $1 whose id passes the
// condition, one for each kind of part. All look up by key, and planning them takes as long as reading a page.
// With pg.PlanByKey their plans are cached.
func (s *transactionSet) queueParts(batch *pgx.Batch, which string, args ...any) {
	s.queuePartsOf(batch, "", which, args...)
}

// selectItems returns the statement that reads the lines. It finds all lines by key before it applies the limit.
func (s *transactionSet) selectItems(which string) string {
	if s.limit == 0 {
		return selectItems + which + " ORDER BY i.transaction_id, i.line_no"
	}
	return fmt.Sprintf("SELECT * FROM (%s OFFSET 0) i ORDER BY i.transaction_id, i.line_no LIMIT %d", selectItems+which,
		s.limit+1)
}

// queuePartsOf is queueParts with common table expressions in place of the tables.
func (s *transactionSet) queuePartsOf(batch *pgx.Batch, with, which string, args ...any) {
	batch.Queue(with+s.selectItems(which), args...).Query(eachPart(s,
		func(i *models.TransactionItem) (*string, []any) { return &i.TransactionID, itemRead.Targets(i) },
		func(t *models.Transaction, i models.TransactionItem) {
			t.Items = append(t.Items, i)
			s.lines++
		}))
	// Ids sort by the time of their creation, which is the order of the request.
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

// eachPart returns a reader of parts that adds each to its transaction of the set. targets returns the variables of a
// row, and that for the id of the transaction.
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
