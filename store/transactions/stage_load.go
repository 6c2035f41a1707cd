package transactions

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// The stages read their transactions without locks: every change of content
// raises the epoch, so what is computed from an old version is never saved. LATERAL
// keeps the planner to look-ups by key (see stageHead).

// What each stage starts from.
var (
	beforeQueue = []string{
		string(models.ProcessingNew), string(models.ProcessingUpdated), string(models.ProcessingQueued),
	}
	beforeAddresses  = []string{string(models.ProcessingQueued)}
	beforeExemptions = []string{string(models.ProcessingAddressDone)}
	beforeNexus      = []string{string(models.ProcessingExemptDone)}
	beforeTax        = []string{string(models.ProcessingNexusDone)}
)

var selectForStage = pg.Prepare(`
		SELECT t.organization_id, t.id, t.epoch, t.revision, t.type, t.status, t.processing_status, t.date, t.tax_date,
		       t.currency, t.customer_id,
		       t.marketplace, t.exempt_sent, t.exempt, t.city, t.county, t.state, t.postal_code, t.country, t.place,
		       t.origin,
		       t.subtotal, t.total_discount, t.total_tax_amount_imported, t.related_to, t.nexus_exempt_lines
		  FROM {ref}
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transactions x
		    WHERE x.organization_id = ref.organization_id AND x.id = ref.id AND x.epoch = ref.epoch
		      AND x.processing_status = ANY (@statuses::text[])
		   OFFSET 0) t
		 ORDER BY t.organization_id, t.id`, pg.Names{"statuses"}, refRows)

// stageBatch collects the transactions of one stage and finds them again when
// their parts arrive.
type stageBatch struct {
	keys, organizations pg.Arrays // of those whose parts are read
	transactions        []models.Transaction
	index               map[pg.Key]int
}

// stagePart adds the statement that reads a part of the transactions of a batch.
type stagePart func(b *stageBatch, batch *pgx.Batch)

func (b *stageBatch) read(rows pgx.Rows) error {
	for rows.Next() {
		b.transactions = append(b.transactions, models.Transaction{})
		t := &b.transactions[len(b.transactions)-1]
		var place, origin []byte
		err := rows.Scan(&t.OrganizationID, &t.ID, &t.Epoch, &t.Revision, &t.Type, &t.Status, &t.ProcessingStatus,
			&t.Date, &t.TaxDate, &t.Currency, &t.CustomerID, &t.Marketplace, &t.ExemptSent, &t.Exempt, &t.City, &t.County,
			&t.State, &t.PostalCode, &t.Country, &place, &origin, &t.Subtotal, &t.TotalDiscount, &t.TotalTaxAmountImported,
			&t.RelatedTo, &t.NexusExemptLines)
		if err != nil {
			return err
		}
		if err := unmarshalOptional(place, &t.Place); err != nil {
			return err
		}
		if err := unmarshalOptional(origin, &t.Origin); err != nil {
			return err
		}
		b.index[pg.KeyOf(t.OrganizationID, t.ID)] = len(b.transactions) - 1
	}
	return rows.Err()
}

func (b *stageBatch) of(organizationID, id string) *models.Transaction {
	if i, ok := b.index[pg.KeyOf(organizationID, id)]; ok {
		return &b.transactions[i]
	}
	return nil // not one that waits for this stage
}

func unmarshalOptional[T any](data []byte, to **T) error {
	if data == nil {
		return nil
	}
	*to = new(T)
	return json.Unmarshal(data, *to)
}

// load reads the waiting transactions and the parts a stage asks for, in one
// round trip. However many lines they have, a plan that is kept is the one that is made
// for them: each statement looks up by key in a LATERAL that the planner may not merge.
// So the number of transactions says when planning takes longer than all the rest; only
// the statements that save compare lines with each other.
func (s *Store) load(
	ctx context.Context, refs []models.Ref, before []string, parts ...stagePart,
) ([]models.Transaction, error) {
	b := &stageBatch{
		keys: keyRows.Of(refs), organizations: organizationRows.Of(refs),
		transactions: make([]models.Transaction, 0, len(refs)), index: make(map[pg.Key]int, len(refs)),
	}
	batch := &pgx.Batch{}
	if len(refs) <= fewRows {
		batch.Queue("SELECT " + pg.PlanByKey) // the batch is one database transaction
	}
	selectForStage.Queue(batch, []any{before}, refRows.Of(refs)).Query(b.read)
	for _, part := range parts {
		part(b, batch)
	}
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, pg.Translate(err)
	}
	return b.transactions, s.openTaxIDs(ctx, b.transactions)
}

// loadMore reads further parts of those transactions that are wanted. Few batches have one.
func (s *Store) loadMore(
	ctx context.Context, transactions []models.Transaction, wanted func(*models.Transaction) bool, parts ...stagePart,
) error {
	b := &stageBatch{transactions: transactions, index: map[pg.Key]int{}}
	var refs []models.Ref
	for i := range transactions {
		if t := &transactions[i]; wanted(t) {
			b.index[pg.KeyOf(t.OrganizationID, t.ID)] = i
			refs = append(refs, models.Ref{OrganizationID: t.OrganizationID, ID: t.ID})
		}
	}
	if len(refs) == 0 {
		return nil
	}
	b.keys, b.organizations = keyRows.Of(refs), organizationRows.Of(refs)
	batch := &pgx.Batch{}
	for _, part := range parts {
		part(b, batch)
	}
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

// LoadForAddresses returns those of refs that wait for stage 1, with their
// addresses. Those that are new or updated become QUEUED by it: their workflow runs.
func (s *Store) LoadForAddresses(
	ctx context.Context, run models.StageRun, refs []models.Ref,
) ([]models.Transaction, error) {
	transactions, err := s.loadWithOriginals(ctx, refs, beforeQueue, loadAddresses, loadBusinesses)
	if err != nil {
		return nil, err
	}
	var waiting []models.Ref
	for _, t := range transactions {
		if t.ProcessingStatus != models.ProcessingQueued {
			waiting = append(waiting, models.Ref{OrganizationID: t.OrganizationID, ID: t.ID, Epoch: t.Epoch})
		}
	}
	if len(waiting) == 0 {
		return transactions, nil
	}
	_, err = s.db.Exec(ctx, queueStarted.SQL, queueStarted.Values(
		[]any{beforeQueue[:2], run.Attempt, run.WorkflowID, run.RunID}, refRows.Of(waiting))...)
	return transactions, pg.Translate(err)
}

// LoadForExemptions returns those of refs that wait for stage 2, with their lines,
// products and every exemption that might apply.
func (s *Store) LoadForExemptions(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.loadWithOriginals(ctx, refs, beforeExemptions, loadItems, loadExemptionCandidates)
	if err != nil {
		return nil, err
	}
	return transactions, s.loadWhereTaxed(ctx, transactions)
}

// loadWhereTaxed reads what decides whether a sale across a border is taxed at home
// (rules.taxingState), for those to which an exemption might apply.
func (s *Store) loadWhereTaxed(ctx context.Context, transactions []models.Transaction) error {
	err := s.loadMore(ctx, transactions, func(t *models.Transaction) bool {
		return len(t.Exemptions) > 0 && t.Place != nil && t.Origin != nil && t.Origin.Country != t.Place.Country
	}, loadTaxRegistrations, loadObligations)
	if err != nil {
		return err
	}
	return s.openTaxIDs(ctx, transactions)
}

// LoadForNexus returns those of refs that wait for stage 3, with their lines and products, those
// of their exemptions under which goods are bought to be sold on, and the tax registrations of
// their customers. Originals of refunds say only which of their lines are exempt sales, and when
// they were sold.
func (s *Store) LoadForNexus(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.load(ctx, refs, beforeNexus, loadItems, loadResellers, loadTaxRegistrations)
	if err != nil {
		return nil, err
	}
	return transactions, s.withOriginals(ctx, transactions, (*originals).queueNexus)
}

// LoadForTax returns those of refs that wait for stage 4, with their lines and products,
// the tax registrations of their customers, the obligations of their organizations and the rates that those set.
// Originals of refunds say only where they were taxed, which decides the rate that is
// wanted. Sales that an obligation moves to another country, or that are free of the tax of a province, have every
// exemption that might apply.
func (s *Store) LoadForTax(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.load(ctx, refs, beforeTax, loadItems, loadTaxRegistrations, loadObligations, loadOverrides)
	if err != nil {
		return nil, err
	}
	err = s.loadMore(ctx, transactions, needsExemptions, loadExemptionCandidates)
	if err != nil {
		return nil, err
	}
	return transactions, s.withOriginals(ctx, transactions, (*originals).queueTaxedAtHome)
}

// needsExemptions reports whether stage 4 asks again about exemptions: of a sale that one country or another taxes,
// since an obligation that arose after stage 2 may have made it the other, and of one with taxed lines that an exemption
// frees from a part of the taxes.
func needsExemptions(t *models.Transaction) bool {
	inPart := func(i models.TransactionItem) bool { return !i.Exempt && i.ExemptionID != nil }
	return !t.Type.IsCredit() && (rules.AcrossUnion(*t) || slices.ContainsFunc(t.Items, inPart))
}
