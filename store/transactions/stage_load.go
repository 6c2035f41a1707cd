package transactions

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/rules"
	"levy/store/pg"
)

// The stages read their transactions without locks: every change of content
// raises the epoch, so what is computed from an old version is never saved. LATERAL
// keeps the planner to look-ups by key (see stageHead).

// refArrays makes of refs the three arrays that statements take.
func refArrays(refs []models.Ref) (organizationIDs, ids []string, epochs []int32) {
	organizationIDs, ids, epochs = make([]string, len(refs)), make([]string, len(refs)), make([]int32, len(refs))
	for i, ref := range refs {
		organizationIDs[i], ids[i], epochs[i] = ref.OrganizationID, ref.ID, int32(ref.Epoch)
	}
	return organizationIDs, ids, epochs
}

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

const selectForStage = `
		SELECT t.organization_id, t.id, t.epoch, t.revision, t.type, t.status, t.processing_status, t.date, t.tax_date,
		       t.currency, t.customer_id,
		       t.marketplace, t.exempt_sent, t.exempt, t.city, t.county, t.state, t.postal_code, t.country, t.place,
		       t.origin,
		       t.subtotal, t.total_discount, t.total_tax_amount_imported, t.related_to, t.nexus_exempt_lines
		  FROM unnest($1::text[], $2::text[], $3::int[]) AS r(organization_id, id, epoch)
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transactions x
		    WHERE x.organization_id = r.organization_id AND x.id = r.id AND x.epoch = r.epoch
		      AND x.processing_status = ANY ($4::text[])
		   OFFSET 0) t
		 ORDER BY t.organization_id, t.id`

// stageBatch collects the transactions of one stage and finds them again when
// their parts arrive.
type stageBatch struct {
	transactions []models.Transaction
	index        map[pg.Key]int
}

func (b *stageBatch) read(rows pgx.Rows) error {
	for rows.Next() {
		b.transactions = append(b.transactions, models.Transaction{})
		t := &b.transactions[len(b.transactions)-1]
		var place, origin []byte
		err := rows.Scan(&t.OrganizationID, &t.ID, &t.Epoch, &t.Revision, &t.Type, &t.Status, &t.ProcessingStatus,
			&t.Date, &t.TaxDate, &t.Currency,
			&t.CustomerID, &t.Marketplace, &t.ExemptSent, &t.Exempt, &t.City, &t.County, &t.State, &t.PostalCode,
			&t.Country, &place, &origin,
			&t.Subtotal, &t.TotalDiscount, &t.TotalTaxAmountImported, &t.RelatedTo, &t.NexusExemptLines)
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
	ctx context.Context, refs []models.Ref, before []string,
	parts ...func(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string),
) ([]models.Transaction, error) {
	organizationIDs, ids, epochs := refArrays(refs)
	b := &stageBatch{transactions: make([]models.Transaction, 0, len(refs)), index: make(map[pg.Key]int, len(refs))}
	batch := &pgx.Batch{}
	if len(refs) <= few {
		batch.Queue("SELECT " + pg.PlanByKey) // the batch is one database transaction
	}
	batch.Queue(selectForStage, organizationIDs, ids, epochs, before).Query(b.read)
	for _, part := range parts {
		part(b, batch, organizationIDs, ids)
	}
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, pg.Translate(err)
	}
	return b.transactions, s.openTaxIDs(ctx, b.transactions)
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
	organizationIDs, ids, epochs := refArrays(waiting)
	_, err = s.db.Exec(ctx, queueStarted, organizationIDs, ids, epochs, beforeQueue[:2], run.Attempt,
		run.WorkflowID, run.RunID)
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
// (rules.TaxingState), for those to which an exemption might apply. Few batches have one.
func (s *Store) loadWhereTaxed(ctx context.Context, transactions []models.Transaction) error {
	b := &stageBatch{transactions: transactions, index: map[pg.Key]int{}}
	var organizationIDs, ids []string
	for i := range transactions {
		t := &transactions[i]
		if len(t.Exemptions) == 0 || t.Place == nil || t.Origin == nil || t.Origin.Country == t.Place.Country {
			continue
		}
		b.index[pg.KeyOf(t.OrganizationID, t.ID)] = i
		organizationIDs, ids = append(organizationIDs, t.OrganizationID), append(ids, t.ID)
	}
	if len(ids) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	loadTaxRegistrations(b, batch, organizationIDs, ids)
	loadObligations(b, batch, organizationIDs, ids)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return pg.Translate(err)
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
// wanted. Sales that an obligation moves to another country have every exemption that might apply.
func (s *Store) LoadForTax(ctx context.Context, refs []models.Ref) ([]models.Transaction, error) {
	transactions, err := s.load(ctx, refs, beforeTax, loadItems, loadTaxRegistrations, loadObligations, loadOverrides)
	if err != nil {
		return nil, err
	}
	if err := s.loadExemptionsAcross(ctx, transactions); err != nil {
		return nil, err
	}
	return transactions, s.withOriginals(ctx, transactions, (*originals).queueTaxedAtHome)
}

// loadExemptionsAcross reads the exemptions of sales that one country or another taxes: an obligation that arose since
// stage 2 may have made it the other.
func (s *Store) loadExemptionsAcross(ctx context.Context, transactions []models.Transaction) error {
	b := &stageBatch{transactions: transactions, index: map[pg.Key]int{}}
	var organizationIDs, ids []string
	for i := range transactions {
		if t := &transactions[i]; !t.Type.IsCredit() && rules.AcrossUnion(*t) {
			b.index[pg.KeyOf(t.OrganizationID, t.ID)] = i
			organizationIDs, ids = append(organizationIDs, t.OrganizationID), append(ids, t.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	batch := &pgx.Batch{}
	loadExemptionCandidates(b, batch, organizationIDs, ids)
	return pg.Translate(s.db.SendBatch(ctx, batch).Close())
}

func loadAddresses(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string) {
	batch.Queue(`
		SELECT a.organization_id, a.transaction_id, a.type, a.street_1, a.street_2, a.city, a.county, a.state,
		       a.postal_code, a.country,
		       a.full_address, a.is_unincorporated
		  FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transaction_addresses x
		    WHERE x.organization_id = r.organization_id AND x.transaction_id = r.id OFFSET 0) a`,
		organizationIDs, ids).Query(func(rows pgx.Rows) error {
		var a models.TransactionAddress
		_, err := pgx.ForEachRow(rows,
			[]any{&a.OrganizationID, &a.TransactionID, &a.Type, &a.Street1, &a.Street2, &a.City, &a.County, &a.State,
				&a.PostalCode, &a.Country, &a.FullAddress, &a.IsUnincorporated}, func() error {
				if t := b.of(a.OrganizationID, a.TransactionID); t != nil {
					t.Addresses = append(t.Addresses, a)
				}
				return nil
			})
		return err
	})
}

// loadTaxRegistrations reads nothing of customers where no organization of the batch has one
// with any, which is said by an index of those: nearly everywhere.
func loadTaxRegistrations(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string) {
	batch.Queue(`
		SELECT t.organization_id, t.id, c.tax_registrations
		  FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transactions x WHERE x.organization_id = r.organization_id AND x.id = r.id OFFSET 0) t
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM customers x WHERE x.organization_id = t.organization_id AND x.id = t.customer_id OFFSET 0) c
		 WHERE c.tax_registrations <> '[]' AND (
		   SELECT count(*) > 0 FROM (SELECT DISTINCT unnest($1::text[]) AS organization_id) o
		    CROSS JOIN LATERAL (
		      SELECT 1 FROM customers x
		       WHERE x.organization_id = o.organization_id AND x.tax_registrations <> '[]' LIMIT 1) y)`,
		organizationIDs, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var organizationID, id string
			var registrations []models.CustomerTaxRegistration
			if err := rows.Scan(&organizationID, &id, &registrations); err != nil {
				return err
			}
			if t := b.of(organizationID, id); t != nil {
				t.Customer.TaxRegistrations = registrations
			}
		}
		return rows.Err()
	})
}

func loadItems(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string) {
	batch.Queue(`
		SELECT i.organization_id, i.transaction_id, i.line_no, i.id, i.external_id, i.external_product_id, i.quantity,
		       i.amount, i.total_discount,
		       i.tax_amount_imported, i.exempt_sent, i.tax_exemption_sent, i.exempt, i.tax_exemption, i.exemption_id,
		       i.tax_items,
		       i.original_line_no, p.tax_class, p.classification, p.tax_exempt
		  FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM transaction_items x WHERE x.organization_id = r.organization_id
		     AND x.transaction_id = r.id OFFSET 0) i
		 CROSS JOIN LATERAL (
		   SELECT x.* FROM products x WHERE x.organization_id = i.organization_id AND x.id = i.product_id OFFSET 0) p
		 ORDER BY i.organization_id, i.transaction_id, i.line_no`, organizationIDs, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var i models.TransactionItem
			if err := rows.Scan(&i.OrganizationID, &i.TransactionID, &i.LineNo, &i.ID, &i.ExternalID,
				&i.ExternalProductID, &i.Quantity, &i.Amount,
				&i.TotalDiscount, &i.TaxAmountImported, &i.ExemptSent, &i.TaxExemptionSent, &i.Exempt, &i.TaxExemption,
				&i.ExemptionID, &i.TaxItems,
				&i.OriginalLine, &i.TaxClass, &i.Classification, &i.ProductTaxExempt); err != nil {
				return err
			}
			if t := b.of(i.OrganizationID, i.TransactionID); t != nil {
				t.Items = append(t.Items, i)
			}
		}
		return rows.Err()
	})
}

// loadExemptionCandidates finds the exemptions of the customer, those made for the
// transaction, and those it names. An exemption made for one transaction never
// reaches another of the same customer.
func loadExemptionCandidates(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string) {
	batch.Queue(`
		SELECT t.organization_id, t.id, e.id, e.exemption_type, e.start_date, e.end_date, e.customer_id,
		       e.transaction_id, e.country_code,
		       e.jurisdiction, e.reseller, e.status
		  FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
		 CROSS JOIN LATERAL (
		    SELECT x.organization_id, x.id, x.customer_id FROM transactions x
		     WHERE x.organization_id = r.organization_id AND x.id = r.id OFFSET 0) t
		 CROSS JOIN LATERAL (
		    SELECT * FROM exemptions c WHERE c.organization_id = t.organization_id AND c.customer_id = t.customer_id
		      AND c.transaction_id IS NULL
		    UNION
		    SELECT * FROM exemptions x WHERE x.organization_id = t.organization_id AND x.transaction_id = t.id
		    UNION
		    SELECT n.* FROM transaction_exemptions l JOIN exemptions n ON n.organization_id = l.organization_id
		      AND n.id = l.exemption_id
		     WHERE l.organization_id = t.organization_id AND l.transaction_id = t.id AND l.linked
		  ) e
		 ORDER BY t.organization_id, t.id, e.id`, organizationIDs, ids).Query(func(rows pgx.Rows) error {
		for rows.Next() {
			var organizationID, transactionID string
			var e models.Exemption
			if err := rows.Scan(&organizationID, &transactionID, &e.ID, &e.ExemptionType, &e.StartDate, &e.EndDate,
				&e.CustomerID, &e.TransactionID,
				&e.CountryCode, &e.Jurisdiction, &e.Reseller, &e.Status); err != nil {
				return err
			}
			if t := b.of(organizationID, transactionID); t != nil {
				e.OrganizationID = organizationID
				t.Exemptions = append(t.Exemptions, e)
			}
		}
		return rows.Err()
	})
}

// loadResellers finds the exemptions that lines have and that are for resale.
func loadResellers(b *stageBatch, batch *pgx.Batch, organizationIDs, ids []string) {
	batch.Queue(`
		SELECT DISTINCT i.organization_id, i.transaction_id, e.id
		  FROM unnest($1::text[], $2::text[]) AS r(organization_id, id)
		 CROSS JOIN LATERAL (
		   SELECT x.organization_id, x.transaction_id, x.exemption_id FROM transaction_items x
		    WHERE x.organization_id = r.organization_id AND x.transaction_id = r.id
		      AND x.exemption_id IS NOT NULL OFFSET 0) i
		 CROSS JOIN LATERAL (
		   SELECT x.id FROM exemptions x
		    WHERE x.organization_id = i.organization_id AND x.id = i.exemption_id AND x.reseller OFFSET 0) e`,
		organizationIDs, ids).Query(func(rows pgx.Rows) error {
		var organizationID, transactionID, id string
		_, err := pgx.ForEachRow(rows, []any{&organizationID, &transactionID, &id}, func() error {
			if t := b.of(organizationID, transactionID); t != nil {
				t.Exemptions = append(t.Exemptions, models.Exemption{
					OrganizationID: organizationID, ID: id, Reseller: true,
				})
			}
			return nil
		})
		return err
	})
}

// Settings returns the settings of the organizations by id.
func (s *Store) Settings(
	ctx context.Context, organizationIDs []string,
) (map[string]models.OrganizationSettings, error) {
	var all []models.OrganizationSettings
	if err := s.db.GORM(ctx).Where("organization_id IN ?", organizationIDs).Find(&all).Error; err != nil {
		return nil, pg.Translate(err)
	}
	settings := make(map[string]models.OrganizationSettings, len(all))
	for _, one := range all {
		settings[one.OrganizationID] = one
	}
	return settings, nil
}
