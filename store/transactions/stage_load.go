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

// The stages read their transactions without locks. Every change of content raises the epoch, so a result for an old
// version is never saved. LATERAL restricts the planner to look-ups by key (see stageHead).

// The statuses from which each stage starts.
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
		       t.subtotal, t.total_discount, t.total_tax_amount_imported, t.total_amount, t.related_to,
		       t.nexus_exempt_lines, t.tax_rounding, t.gross_amount, t.secondary_external_id
		  FROM {ref}
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transactions x
		    WHERE x.organization_id = ref.organization_id AND x.id = ref.id AND x.epoch = ref.epoch
		      AND x.processing_status = ANY (@statuses::text[])
		   OFFSET 0) t
		 ORDER BY t.organization_id, t.id`, pg.Names{"statuses"}, refRows)

// stageBatch collects the transactions of one stage, and assigns their parts to them.
type stageBatch struct {
	keys, organizations pg.Arrays // of the transactions whose parts are read
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
			&t.State, &t.PostalCode, &t.Country, &place, &origin, &t.Subtotal, &t.TotalDiscount,
			&t.TotalTaxAmountImported, &t.TotalAmount, &t.RelatedTo, &t.NexusExemptLines, &t.TaxRounding,
			&t.GrossAmount, &t.SecondaryExternalID)
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
	return nil // it does not wait for this stage
}

func unmarshalOptional[T any](data []byte, to **T) error {
	if data == nil {
		return nil
	}
	*to = new(T)
	return json.Unmarshal(data, *to)
}

// load returns the transactions that wait for the stage, with the requested parts, in one round trip.
// A cached plan is right for any number of lines: each statement looks up by key in a LATERAL that the planner may not
// merge. So the number of transactions tells whether planning would take most of the time. Only statements that save
// compare lines with each other.
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

// loadMore reads further parts of the wanted transactions. Few batches have any.
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

// LoadForAddresses returns those of refs that wait for stage 1, with their addresses. It sets new and updated ones to
// QUEUED, because their workflow runs.
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

// LoadForExemptions returns those of refs that wait for stage 2, with their lines, products and every exemption that
// might apply.
func (s *Store) LoadForExemptions(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.loadWithOriginals(ctx, refs, beforeExemptions, loadItems, loadExemptionCandidates)
	if err != nil {
		return nil, err
	}
	return transactions, s.loadWhereTaxed(ctx, transactions)
}

// loadWhereTaxed reads the data that decides whether a sale across a border is taxed at home (rules.taxingState),
// for sales with possible exemptions.
func (s *Store) loadWhereTaxed(ctx context.Context, transactions []models.Transaction) error {
	err := s.loadMore(ctx, transactions, func(t *models.Transaction) bool {
		return len(t.Exemptions) > 0 && t.Place != nil && t.Origin != nil && t.Origin.Country != t.Place.Country
	}, loadTaxRegistrations, loadObligations)
	if err != nil {
		return err
	}
	return s.openTaxIDs(ctx, transactions)
}

// LoadForNexus returns those of refs that wait for stage 3. They have their lines, products, exemptions for resale,
// and the tax registrations of their customers. Originals of refunds only have their exempt lines and the time of sale.
func (s *Store) LoadForNexus(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.load(ctx, refs, beforeNexus, loadItems, loadResellers, loadTaxRegistrations)
	if err != nil {
		return nil, err
	}
	return transactions, s.withOriginals(ctx, transactions, (*originals).queueNexus)
}

// LoadForTax returns those of refs that wait for stage 4. They have their lines, products, the tax registrations of
// their customers, and the obligations and rate overrides of their organizations. Originals of refunds only have the
// place where they were taxed, which decides the rate. Sales that an obligation moves to another country,
// or that are free of a provincial tax, have every exemption that might apply. Sales that are calculated again have
// their refunds. Transactions whose prices include tax have their exemptions for resale, because nexus counts them anew.
// Lines with an exemption have its category. Sales with a second identifier have another one that may be the same order.
func (s *Store) LoadForTax(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.load(ctx, refs, beforeTax, loadItems, loadTaxRegistrations, loadObligations, loadOverrides)
	if err != nil {
		return nil, err
	}
	err = s.loadMore(ctx, transactions, needsExemptions, loadExemptionCandidates)
	if err == nil {
		err = s.loadMore(ctx, transactions, (*models.Transaction).PricesIncludeTax, loadResellers)
	}
	if err == nil {
		err = s.loadMore(ctx, transactions, hasExemption, loadExemptionCategories)
	}
	if err == nil {
		err = s.loadMore(ctx, transactions, isNamedTwice, loadDuplicates)
	}
	if err == nil {
		err = s.withRefunds(ctx, transactions)
	}
	if err != nil {
		return nil, err
	}
	return transactions, s.withOriginals(ctx, transactions, (*originals).queueTaxedAtHome)
}

// hasExemption reports whether an exemption is applied to a line, whose category the explanation has.
func hasExemption(t *models.Transaction) bool {
	return !t.Type.IsCredit() &&
		slices.ContainsFunc(t.Items, func(i models.TransactionItem) bool { return i.ExemptionID != nil })
}

// needsExemptions reports whether stage 4 needs the exemptions again. A sale between members of the Union needs them,
// because an obligation after stage 2 may have moved it to the other country. So does a sale with taxed lines that an
// exemption frees from a part of the taxes.
func needsExemptions(t *models.Transaction) bool {
	inPart := func(i models.TransactionItem) bool { return !i.Exempt && i.ExemptionID != nil }
	return !t.Type.IsCredit() && (rules.AcrossUnion(*t) || slices.ContainsFunc(t.Items, inPart))
}
