package filings

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"levy/internal/failpoint"
	"levy/internal/secret"
	"levy/models"
	"levy/store/pg"
	"levy/tax/calendar"
)

// documentField is what the content of a document is bound to when it is encrypted.
const documentField = "filing_documents"

const selectFiler = `
	SELECT o.name, coalesce(d.business_address ->> 'business_name', ''), coalesce(r.sales_tax_id, ''),
	       coalesce(d.business_contact, '{}'), coalesce(d.business_details ->> 'ein', ''), coalesce(t.sst_id, ''), o.is_test,
	       EXISTS (SELECT FROM physical_nexus p
	                WHERE p.organization_id = f.organization_id AND p.country_code = f.country_code AND p.state_code = f.state_code
	                  AND p.start_date <= f.end_date AND (p.end_date IS NULL OR p.end_date >= f.start_date)),
	       coalesce(r.tax_id, ''), r.jurisdiction_specific_fields,
	       ` + identifiedBy + `
	  FROM filings f
	  JOIN organizations o ON o.id = f.organization_id
	  LEFT JOIN organization_settings t ON t.organization_id = f.organization_id
	  LEFT JOIN organization_details d ON d.organization_id = f.organization_id
	  LEFT JOIN registrations r ON r.organization_id = f.organization_id AND r.id = f.registration_id
	 WHERE f.organization_id = $1 AND f.id = $2`

// ReturnFacts reads the present data of the document of a filing. Errors: models.ErrNotFound.
func (s *Store) ReturnFacts(ctx context.Context, scope models.Scope, id string) (facts models.ReturnFacts, err error) {
	f, figures, err := s.FilingWithFigures(ctx, scope, id)
	if err != nil {
		return facts, err
	}
	return s.FactsOf(ctx, scope, f, figures)
}

// FactsOf completes a filing and its figures, which FilingWithFigures has read, to what its document is made of.
func (s *Store) FactsOf(
	ctx context.Context, scope models.Scope, f models.Filing, figures models.FilingFigures,
) (facts models.ReturnFacts, err error) {
	facts.Filing, facts.Figures = f, figures
	if err = s.filer(ctx, scope, f.ID, &facts); err != nil {
		return facts, err
	}
	if facts.Test { // simplified returns alone use it, which adapters send for test organizations
		if facts.Before, err = s.filedBefore(ctx, scope, facts.Filing); err != nil {
			return facts, err
		}
	}
	if facts.Corrections, err = s.Corrections(ctx, scope, facts.Filing); err != nil {
		return facts, err
	}
	newest, err := s.readDocument(ctx, scope, f.ID, facts.Filing.Attempt, newestDocument)
	if errors.Is(err, models.ErrNotFound) {
		return facts, nil
	}
	facts.Document = &newest
	return facts, err
}

// FilingWithFigures returns a filing with its entries, and its figures, which agree with its sums: all is read in one snapshot.
// Errors: models.ErrNotFound.
func (s *Store) FilingWithFigures(
	ctx context.Context, scope models.Scope, id string,
) (f models.Filing, figures models.FilingFigures, err error) {
	err = s.db.Snapshot(ctx, func(conn *pg.Pipeline, begin *pgx.Batch) error {
		list, parts, err := readFilingsBy(ctx, conn, begin, scope, oneFiling(scope, id), filingOrder{}, models.Page{Limit: 1})
		if err != nil {
			return err
		}
		if len(list.Items) == 0 {
			return models.ErrNotFound
		}
		parts.Queue(selectEntries+ofFiling, scope.OrganizationID, id).Query(pg.All(&list.Items[0].Entries, scanEntry))
		parts.Queue("SET LOCAL statement_timeout = 0") // as InSnapshot has it
		if err := conn.Send(ctx, parts); err != nil {
			return err
		}
		f = list.Items[0]
		if figures, err = readFigures(ctx, conn.Conn(), scope, id); err != nil {
			return err
		}
		end := &pgx.Batch{}
		conn.Commit(end)
		return conn.Send(ctx, end)
	})
	return f, figures, err
}

// filer reads the taxpayer of a filing.
func (s *Store) filer(ctx context.Context, scope models.Scope, id string, facts *models.ReturnFacts) error {
	var legal string
	var contact, fields json.RawMessage
	f := &facts.Filer
	err := s.db.QueryRow(ctx, selectFiler, scope.OrganizationID, id).Scan(
		&f.Name, &legal, &f.Account, &contact, &f.EIN, &f.SharedNumber, &facts.Test, &facts.Located, &f.TaxID, &fields,
		&f.Member)
	if err != nil {
		return pg.Translate(err)
	}
	if legal != "" {
		f.Name = legal
	}
	numbers := sealedNumbers{&f.Account, &f.EIN, &f.TaxID}
	if err := s.db.OpenTaxIDs(ctx, scope.OrganizationID, numbers); err != nil {
		return err
	}
	facts.Fields = models.RegistrationFields(fields)
	var person models.BusinessContact
	if err := models.Document(contact, &person); err != nil {
		return err
	}
	f.Contact, f.Email, f.Phone = person.Name, person.Email, person.Phone
	return nil
}

// sealedNumbers are numbers of a taxpayer as they are stored.
type sealedNumbers []*string

// EachTaxID implements models.TaxIDs.
func (n sealedNumbers) EachTaxID(change func(string) (string, error)) (err error) {
	for _, number := range n {
		if *number, err = change(*number); err != nil {
			return err
		}
	}
	return nil
}

// selectFiledBefore selects the return that an amendment corrects, and the amendments of it that are filed.
const selectFiledBefore = `
	SELECT b.id FROM filings f
	  JOIN filings b ON b.organization_id = f.organization_id AND b.registration_id = f.registration_id
	   AND f.amends_filing_id IN (b.id, b.amends_filing_id)
	 WHERE f.organization_id = $1 AND f.id = $2 AND b.id <> f.id AND b.status = 'FILED'
	 ORDER BY b.created_at, b.id`

// filedBefore reads what was filed for the period of an amendment; nothing of other filings.
func (s *Store) filedBefore(ctx context.Context, scope models.Scope, f models.Filing) (before []models.FiledBefore, err error) {
	if f.AmendsFilingID == nil {
		return nil, nil
	}
	rows, err := s.db.Query(ctx, selectFiledBefore, scope.OrganizationID, f.ID)
	if err != nil {
		return nil, pg.Translate(err)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, pg.Translate(err)
	}
	for _, id := range ids {
		b := models.FiledBefore{}
		if b.Filing, b.Figures, err = s.FilingWithFigures(ctx, scope, id); err != nil {
			return nil, err
		}
		before = append(before, b)
	}
	return before, nil
}

// insertDocument stores the document of an attempt that is under way, unless there is one or its ids are taken.
const insertDocument = `
	INSERT INTO filing_documents (organization_id, filing_id, attempt, layout, media_type, file_name, transmitter,
	       transmission_id, document_id, day, content, sha256, findings)
	SELECT f.organization_id, f.id, f.attempt, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13
	  FROM filings f
	 WHERE f.organization_id = $1 AND f.id = $2 AND f.attempt = $3 AND f.status = 'FILING'
	ON CONFLICT DO NOTHING`

// KeepDocument stores the document of an attempt, unless one is stored, and returns the stored one. Errors:
// models.ErrChangedMeanwhile if that attempt is over; models.ErrIDsTaken.
func (s *Store) KeepDocument(
	ctx context.Context, scope models.Scope, attempt models.Attempt, d models.FilingDocument,
) (models.FilingDocument, error) {
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return d, err
	}
	findings, err := json.Marshal(d.Findings)
	if err != nil {
		return d, err
	}
	sum := sha256.Sum256(d.Content)
	// guard: documents: what is stored of one is encrypted
	content := key.DocumentKey(scope.OrganizationID).Seal(documentField, d.Content)
	tag, err := s.db.Exec(ctx, insertDocument, scope.OrganizationID, attempt.RecordID, attempt.Number, d.Layout, d.MediaType,
		d.FileName, d.Transmitter, d.TransmissionID, d.DocumentID, d.Day.Time(), content, hex.EncodeToString(sum[:]), findings)
	if err != nil {
		return d, pg.Translate(err)
	}
	if err := failpoint.Hit("after_document_commit"); err != nil {
		return d, err
	}
	kept, err := s.DocumentOfAttempt(ctx, scope, attempt)
	if !errors.Is(err, models.ErrNotFound) || tag.RowsAffected() > 0 {
		return kept, err
	}
	f, err := s.Filing(ctx, scope, attempt.RecordID)
	switch {
	case err != nil:
		return kept, err
	case !f.UnderWay(attempt.Number):
		return kept, models.ErrChangedMeanwhile
	}
	return kept, models.ErrIDsTaken
}

// Conditions on the attempt of a document.
const (
	documentOfAttempt = " AND attempt = $3"
	newestDocument    = " AND attempt <= $3 ORDER BY attempt DESC LIMIT 1"
)

// DocumentOfAttempt returns the document of an attempt. Errors: models.ErrNotFound; secret.ErrUnreadable.
func (s *Store) DocumentOfAttempt(
	ctx context.Context, scope models.Scope, attempt models.Attempt,
) (models.FilingDocument, error) {
	return s.readDocument(ctx, scope, attempt.RecordID, attempt.Number, documentOfAttempt)
}

func (s *Store) readDocument(
	ctx context.Context, scope models.Scope, id string, attempt int, which string,
) (d models.FilingDocument, err error) {
	var day time.Time
	var content, findings []byte
	err = s.db.QueryRow(ctx, `
		SELECT attempt, layout, media_type, file_name, transmitter, transmission_id, document_id, day, content, sha256, findings,
		       built_at FROM filing_documents
		 WHERE organization_id = $1 AND filing_id = $2`+which, scope.OrganizationID, id, attempt).Scan(
		&d.Attempt, &d.Layout, &d.MediaType, &d.FileName, &d.Transmitter, &d.TransmissionID, &d.DocumentID, &day, &content,
		&d.Hash, &findings, &d.BuiltAt)
	if err != nil {
		return d, pg.Translate(err)
	}
	d.Day, d.BuiltAt = calendar.DateOf(day), d.BuiltAt.UTC()
	if err := json.Unmarshal(findings, &d.Findings); err != nil {
		return d, err
	}
	key, err := s.db.LoadTaxIDKey(ctx)
	if err != nil {
		return d, err
	}
	if d.Content, err = key.DocumentKey(scope.OrganizationID).Open(documentField, content); err != nil {
		return d, err
	}
	// guard: documents: bytes that are not those of the hash are never handed over
	if sum := sha256.Sum256(d.Content); hex.EncodeToString(sum[:]) != d.Hash {
		return d, fmt.Errorf("%w: the document of attempt %d of %s has another hash", secret.ErrUnreadable, d.Attempt, id)
	}
	return d, nil
}

// documentsOf selects the documents of the present attempts of filings: their layouts and hashes.
const documentsOf = `
	SELECT f.id, d.layout, d.sha256 FROM filings f
	  JOIN filing_documents d ON d.organization_id = f.organization_id AND d.filing_id = f.id AND d.attempt = f.attempt
	 WHERE f.organization_id = $1 AND f.id = ANY ($2) AND f.claimed_at IS NOT NULL`

// intoDocuments notes layout and hash of the documents of filings.
func intoDocuments(byID map[string]*models.Filing) func(pgx.Rows) error {
	var id, layout, hash string
	return pg.Each([]any{&id, &layout, &hash}, func() error {
		byID[id].DocumentLayout, byID[id].DocumentHash = layout, hash
		return nil
	})
}
