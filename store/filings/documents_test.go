package filings_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"levy/internal/secret"
	"levy/models"
	"levy/store/storetest"
)

// canary is a number that stands in a document and nowhere in clear text.
const canary = "601-078-051"

// aDocument is a document of the first attempt with ids that end with a text.
func aDocument(ids, content string) models.FilingDocument {
	return models.FilingDocument{
		Attempt: 1, Layout: "US-NY-FILE/1", MediaType: "text/plain", FileName: "return.txt", Transmitter: "LEVY-FILE",
		TransmissionID: "T" + ids, DocumentID: "D" + ids, Day: 20260202, Content: []byte(content),
		Findings: []models.ReturnFinding{{Severity: models.SeverityInfo, Code: "LAYOUT_MED", Message: "Compare it."}},
	}
}

// An attempt has one document: what is stored first is what every repetition gets, and no other document has its ids.
func TestTheDocumentOfAnAttemptIsKept(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	keep := func(id string, number int, d models.FilingDocument) (models.FilingDocument, error) {
		d.Attempt = number
		return b.Store.Filings.KeepDocument(t.Context(), b.Scope, models.Attempt{RecordID: id, Number: number}, d)
	}
	_, err := keep(f.ID, 1, aDocument("1", canary))
	require.ErrorIs(t, err, models.ErrChangedMeanwhile, "nothing is claimed yet")
	_, err = b.Approve(f.ID)
	require.NoError(t, err)
	submitted := func() models.AuthoritySubmission {
		s, err := b.Store.Filings.SubmissionOfFiling(t.Context(), b.Scope, models.Attempt{RecordID: f.ID, Number: 1})
		require.NoError(t, err)
		return s
	}
	require.Nil(t, submitted().Document)

	first, err := keep(f.ID, 1, aDocument("1", canary))
	require.NoError(t, err)
	require.Equal(t, canary, string(first.Content))
	require.Len(t, first.Hash, 64)
	require.Equal(t, "LAYOUT_MED", first.Findings[0].Code)
	again, err := keep(f.ID, 1, aDocument("2", "another"))
	require.NoError(t, err)
	require.Equal(t, first, again)
	require.Equal(t, first, *submitted().Document)
	require.Zero(t, b.Count(t, `SELECT count(*) FROM filing_documents d
		WHERE strpos(encode(d.content, 'escape') || to_jsonb(d)::text, $1) > 0`, canary), "it is encrypted")
	read := b.Read(t, f.ID)
	require.Equal(t, "US-NY-FILE/1 "+first.Hash, read.DocumentLayout+" "+read.DocumentHash)

	_, err = b.Transition(f.ID, models.FilingIssue)
	require.NoError(t, err)
	_, err = keep(f.ID, 1, aDocument("3", "late"))
	require.NoError(t, err, "what is stored is returned, whatever has become of the attempt")
	_, err = b.Store.Filings.UpdateFiling(t.Context(), b.Scope, models.Actor{}, f.ID, func(f *models.Filing) error {
		f.Status, f.Attempt = models.FilingFiling, 2
		return nil
	})
	require.NoError(t, err)
	require.Empty(t, b.Read(t, f.ID).DocumentHash, "the next attempt has none yet")
	for _, taken := range []models.FilingDocument{aDocument("1", "x"), {Transmitter: "LEVY-FILE", DocumentID: "D1", Layout: "L"}} {
		taken.Transmitter = "LEVY-FILE"
		_, err = keep(f.ID, 2, taken)
		require.ErrorIs(t, err, models.ErrIDsTaken)
	}
	second, err := keep(f.ID, 2, aDocument("4", "second"))
	require.NoError(t, err)
	facts, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Equal(t, second, *facts.Document)
	require.Equal(t, 2, b.Count(t, "SELECT count(DISTINCT transmission_id) FROM filing_documents"))
}

// Bytes that were changed in the database, or moved to another attempt, are not handed over.
func TestBytesOfAnotherDocumentAreNotHandedOver(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)
	attempt := models.Attempt{RecordID: f.ID, Number: 1}
	_, err = b.Store.Filings.KeepDocument(t.Context(), b.Scope, attempt, aDocument("1", "bytes"))
	require.NoError(t, err)
	storetest.Execute(t, b.URL, "UPDATE filing_documents SET sha256 = repeat('0', 64)")
	_, err = b.Store.Filings.DocumentOfAttempt(t.Context(), b.Scope, attempt)
	require.ErrorIs(t, err, secret.ErrUnreadable)
	require.NotContains(t, err.Error(), "bytes")
	_, err = b.Store.Filings.SubmissionOfFiling(t.Context(), b.Scope, attempt)
	require.ErrorIs(t, err, secret.ErrUnreadable)
	storetest.Execute(t, b.URL, "UPDATE filing_documents SET content = content || 'x'::bytea")
	_, err = b.Store.Filings.DocumentOfAttempt(t.Context(), b.Scope, attempt)
	require.ErrorIs(t, err, secret.ErrUnreadable)
}

// The taxpayer of a document is that of the organization and of its registration.
func TestTheFilerOfAReturn(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	facts, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Empty(t, facts.Filer.Contact)
	require.Nil(t, facts.Document)
	storetest.Execute(t, b.URL, `UPDATE organization_details SET business_address = '{"business_name": "Chairs Ltd"}',
		business_contact = '{"business_contact_name": "Ann Lee", "business_contact_phone": "360-555-0142",
		"business_contact_email": "ann@chairs.example"}' WHERE organization_id = $1`, b.Scope.OrganizationID)
	number := canary
	_, err = b.Store.Registrations.UpdateRegistration(t.Context(), b.Scope, models.Actor{}, b.Registration.ID,
		func(r *models.Registration) error { r.SalesTaxID = &number; return nil })
	require.NoError(t, err)
	facts, err = b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Equal(t, models.ReturnFiler{
		Name: "Chairs Ltd", Account: canary, Contact: "Ann Lee", Email: "ann@chairs.example", Phone: "360-555-0142",
	}, facts.Filer)
	_, err = b.Store.Filings.ReturnFacts(t.Context(), models.Scope{OrganizationID: "org_other"}, f.ID)
	require.ErrorIs(t, err, models.ErrNotFound)
}

// A sale that comes while an open return is read is in all of its parts, or in none.
func TestThePartsOfAnOpenReturnAreOfOneMoment(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	sold := make(chan struct{})
	var read errgroup.Group
	read.Go(func() error {
		for {
			now, figures, err := b.Store.Filings.FilingWithFigures(t.Context(), b.Scope, f.ID)
			if err != nil {
				return err
			}
			if now.TransactionCount != figures.Missing { // these sales have no figures
				return fmt.Errorf("%d sales in the sums, %d in the figures", now.TransactionCount, figures.Missing)
			}
			select {
			case <-sold:
				return nil
			default:
			}
		}
	})
	for range 20 {
		b.Process(t, b.Sale(t, "2026-01-10", "100.00"))
	}
	close(sold)
	require.NoError(t, read.Wait())
	now, figures, err := b.Store.Filings.FilingWithFigures(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Equal(t, []int64{20, 20}, []int64{now.TransactionCount, figures.Missing})
}

// The facts of an amendment have what was filed before, and those of each filing the numbers of its organization.
func TestFactsOfAnAmendmentHaveWhatWasFiledBefore(t *testing.T) {
	t.Parallel()
	b := storetest.SetupFilings(t)
	f := b.January(t, models.FilingUnfiled)
	_, err := b.Approve(f.ID)
	require.NoError(t, err)
	storetest.File(t, b.Store, b.Scope, f.ID)
	for _, statement := range []string{ // by an earlier version, which the store seals
		`UPDATE organization_details SET business_details = '{"ein": "98-7654321"}'`,
		"UPDATE installation_keys SET sealed_at = NULL, in_use_at = now() - interval '1 hour'",
		"UPDATE organization_settings SET sst_id = 'S00004711'",
		`INSERT INTO physical_nexus (organization_id, id, country_code, state_code, start_date, category, source, created_at, updated_at)
			SELECT organization_id, 'phys_1', country_code, state_code, end_date, 'OTHER', 'USER', now(), now()
			  FROM filings WHERE amends_filing_id IS NULL`,
	} {
		storetest.Execute(t, b.URL, statement)
	}
	_, err = b.Store.SealOlderTaxIDs(t.Context())
	require.NoError(t, err)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM organization_details WHERE business_details::text LIKE '%7654321%'"))
	amendment, err := b.Store.Filings.AmendFiling(t.Context(), b.Scope, models.Actor{}, f.ID, "A letter", models.EnteredAmounts{})
	require.NoError(t, err)
	facts, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, amendment.ID)
	require.NoError(t, err)
	require.Len(t, facts.Before, 1)
	require.Equal(t, f.ID, facts.Before[0].Filing.ID)
	require.Equal(t, []string{"98-7654321", "S00004711"}, []string{facts.Filer.EIN, facts.Filer.SharedNumber})
	require.Equal(t, []bool{true, true}, []bool{facts.Test, facts.Located})
	first, err := b.Store.Filings.ReturnFacts(t.Context(), b.Scope, f.ID)
	require.NoError(t, err)
	require.Empty(t, first.Before)

	storetest.Execute(t, b.URL, "UPDATE organizations SET is_test = false WHERE id = $1", b.Scope.OrganizationID)
	facts, err = b.Store.Filings.ReturnFacts(t.Context(), b.Scope, amendment.ID)
	require.NoError(t, err)
	require.Empty(t, facts.Before, "no document of a live organization uses it")
}
