package transactions_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func TestAcceptWritesEverythingTogether(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	d := storetest.Draft(b.Scope, "ORDER-1")
	d.Actor = models.Actor{APIKeyID: "akey_1", RequestID: "req_1"}
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	for table, want := range map[string]int{
		"transactions": 1, "transaction_items": 1, "transaction_addresses": 1, "customers": 1, "outbox": 1, "audit": 1,
	} {
		require.Equal(t, want, b.Count(t, "SELECT count(*) FROM "+table), table)
	}
	require.Equal(t, "Widget", *d.Items[0].ProductName, "the product's name is the default")
	require.Equal(
		t, 1,
		b.Count(
			t,
			"SELECT count(*) FROM audit WHERE request_id = 'req_1' AND api_key_id = 'akey_1' AND entity_id = $1",
			d.ID,
		),
	)
}

func TestAcceptRefusesWithoutWriting(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	require.NoError(t, b.Intake.Accept(t.Context(), storetest.Draft(b.Scope, "ORDER-1")))
	before := b.Count(t, "SELECT count(*) FROM audit")
	stranger := models.NewID(models.PrefixTransaction)

	t.Run("every unknown product is listed", func(t *testing.T) {
		d := storetest.Draft(b.Scope, "ORDER-2")
		d.Items = append(d.Items, storetest.Item(d, 1, "NOPE", "1.00"), storetest.Item(d, 2, "P-1", "1.00"),
			storetest.Item(d, 3, "NADA", "1.00"))
		var missing *models.ProductsNotFoundError
		require.ErrorAs(t, b.Intake.Accept(t.Context(), d), &missing)
		require.Equal(t, []string{
			"transaction_items[1].external_product_id", "transaction_items[3].external_product_id",
		},
			[]string{missing.Faults[0].Path, missing.Faults[1].Path})
	})
	t.Run("an external id is taken once", func(t *testing.T) {
		var duplicate *models.DuplicateError
		require.ErrorAs(t, b.Intake.Accept(t.Context(), storetest.Draft(b.Scope, "ORDER-1")), &duplicate)
		require.True(t, models.IsID(models.PrefixTransaction, duplicate.ExistingID))
	})
	t.Run("references must exist", func(t *testing.T) {
		d := storetest.Draft(b.Scope, "ORDER-3")
		d.RelatedTo, d.FilingIDSent = &stranger, "file_x"
		var missing *models.ReferencesNotFoundError
		require.ErrorAs(t, b.Intake.Accept(t.Context(), d), &missing)
		require.Len(t, missing.Faults, 2)
	})
	t.Run("a record of another kind is an unknown one", func(t *testing.T) {
		first := storetest.Draft(b.Scope, "ORDER-KINDS")
		require.NoError(t, b.Intake.Accept(t.Context(), first))
		for location, name := range map[string]func(*models.TransactionDraft){
			"related_to": func(d *models.TransactionDraft) { d.RelatedTo = &first.CustomerID },
			"filing_id":  func(d *models.TransactionDraft) { d.FilingIDSent = first.ID },
			"requires_exemption.customer_id": func(d *models.TransactionDraft) {
				d.CustomerIDSent, d.CustomerIDPath = first.ID, "requires_exemption.customer_id"
			},
			"exemptions[0].id": func(d *models.TransactionDraft) {
				d.LinkedExemptions = []models.LinkedExemption{{ID: first.ID, Path: "exemptions[0].id"}}
			},
		} {
			d := storetest.Draft(b.Scope, "ORDER-"+location)
			name(d)
			var missing *models.ReferencesNotFoundError
			require.ErrorAs(t, b.Intake.Accept(t.Context(), d), &missing, location)
			require.Equal(t, location, missing.Faults[0].Path)
		}
	})
	t.Run("a customer id must belong to the external id", func(t *testing.T) {
		first := storetest.Draft(b.Scope, "ORDER-4")
		require.NoError(t, b.Intake.Accept(t.Context(), first))
		d := storetest.Draft(b.Scope, "ORDER-5")
		d.Customer.ExternalID, d.CustomerIDSent, d.CustomerIDPath = "C-2", first.CustomerID,
			"exemptions[1].customer_id"
		var invalid *models.InvalidError
		require.ErrorAs(t, b.Intake.Accept(t.Context(), d), &invalid)
		require.Equal(t, "mismatch", invalid.Faults[0].Code)
		require.Equal(t, "exemptions[1].customer_id", invalid.Faults[0].Path)
	})
	require.Equal(t, before+2, b.Count(t, "SELECT count(*) FROM audit"), "only the accepted ones were written")
}

func TestAcceptOneWinnerAmongConcurrentPosts(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 4, 16)
	const posts = 100
	var wg sync.WaitGroup
	results := make([]error, posts)
	drafts := make([]*models.TransactionDraft, posts)
	for i := range posts {
		drafts[i] = storetest.Draft(b.Scope, "SAME")
		wg.Go(func() { results[i] = b.Intake.Accept(context.Background(), drafts[i]) })
	}
	wg.Wait()
	winner := ""
	for i, err := range results {
		if err == nil {
			require.Empty(t, winner, "one winner")
			winner = drafts[i].ID
		}
	}
	require.NotEmpty(t, winner)
	for _, err := range results {
		var duplicate *models.DuplicateError
		if errors.As(err, &duplicate) {
			require.Equal(t, winner, duplicate.ExistingID, "every refusal names the accepted sale")
		}
	}
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transactions"))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transaction_items"), "refused sales leave no rows")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM outbox"))
}

func TestAcceptCreatesOneCustomerPerExternalID(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 4, 32)
	var wg sync.WaitGroup
	drafts := make([]*models.TransactionDraft, 200)
	for i := range drafts {
		drafts[i] = storetest.Draft(b.Scope, fmt.Sprintf("ORDER-%d", i))
		drafts[i].Customer.ExternalID = fmt.Sprintf("C-%d", i%7)
		if name := "Ada"; i%3 == 0 {
			drafts[i].Customer.Name = &name
		}
		wg.Go(func() { require.NoError(t, b.Intake.Accept(context.Background(), drafts[i])) })
	}
	wg.Wait()
	require.Equal(
		t, 7, b.Count(t, "SELECT count(*) FROM customers"),
		"one record per external id, however many posts at once",
	)
	require.Equal(
		t, 7, b.Count(t, "SELECT count(*) FROM customers WHERE name = 'Ada'"), "missing fields are filled by later posts",
	)
	for _, d := range drafts {
		require.Equal(
			t, 1,
			b.Count(t, "SELECT count(*) FROM transactions WHERE id = $1 AND customer_id = $2", d.ID, d.Customer.ID),
		)
	}
}

func TestAcceptNeverOverwritesACustomer(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	first, second := storetest.Draft(b.Scope, "ORDER-1"), storetest.Draft(b.Scope, "ORDER-2")
	ada, eve, mail := "Ada", "Eve", "ada@example.com"
	first.Customer.Name = &ada
	second.Customer.Name, second.Customer.Email = &eve, &mail
	require.NoError(t, b.Intake.Accept(t.Context(), first))
	require.NoError(t, b.Intake.Accept(t.Context(), second))
	require.Equal(t, "Ada", *second.Customer.Name, "the answer shows the stored customer")
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM customers WHERE name = 'Ada' AND email = 'ada@example.com'"))
}

func TestAcceptIsolatesOrganizations(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	other := storetest.Organization(t, b.URL)
	mine := storetest.Draft(b.Scope, "ORDER-1")
	require.NoError(t, b.Intake.Accept(t.Context(), mine))
	require.NoError(
		t, b.Intake.Accept(t.Context(), storetest.Draft(other, "ORDER-1")),
		"the same external id of another organization is free",
	)
	theirs := storetest.Draft(other, "ORDER-2")
	theirs.RelatedTo = &mine.ID
	var missing *models.ReferencesNotFoundError
	require.ErrorAs(t, b.Intake.Accept(t.Context(), theirs), &missing, "a foreign record is an unknown one")
}

func TestAcceptExemptions(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 8)
	d := storetest.Draft(b.Scope, "ORDER-1")
	d.Exemptions = []models.Exemption{
		{OrganizationID: d.OrganizationID, ID: models.NewID(models.PrefixExemption),
			ExemptionType: models.ExemptionTransaction, StartDate: d.TaxDate,
			TransactionID: &d.ID, CountryCode: "US", Status: models.ExemptionActive, CreatedAt: d.CreatedAt},
		{OrganizationID: d.OrganizationID, ID: models.NewID(models.PrefixExemption),
			ExemptionType: models.ExemptionWholesale, StartDate: d.TaxDate,
			TransactionID: &d.ID, CountryCode: "US", Reseller: true, Status: models.ExemptionActive, CreatedAt: d.CreatedAt},
	}
	require.NoError(t, b.Intake.Accept(t.Context(), d))
	require.Equal(
		t, 1,
		b.Count(
			t, "SELECT count(*) FROM exemptions WHERE exemption_type = 'wholesale' AND customer_id = $1",
			d.Customer.ID,
		),
	)
	require.Equal(
		t, 1,
		b.Count(t, "SELECT count(*) FROM exemptions WHERE exemption_type = 'transaction' AND customer_id IS NULL"),
	)

	linked := storetest.Draft(b.Scope, "ORDER-2")
	linked.LinkedExemptions = []models.LinkedExemption{{ID: d.Exemptions[0].ID, Path: "exemptions[0].id"}}
	require.NoError(t, b.Intake.Accept(t.Context(), linked))
	require.Equal(
		t, 1,
		b.Count(
			t,
			"SELECT count(*) FROM transaction_exemptions WHERE transaction_id = $1 AND linked AND NOT applied",
			linked.ID,
		),
	)
}

func TestAcceptOneBadRecordFailsNoOtherItemOfTheGroup(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	good, bad := storetest.Draft(b.Scope, "GOOD"), storetest.Draft(b.Scope, "BAD")
	bad.Type = "NONSENSE" // without validation: a CHECK refuses it
	errs := b.Store.Transactions.Accept(t.Context(), []*models.TransactionDraft{good, bad})
	require.NoError(t, errs[0])
	require.Error(t, errs[1])
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transactions"))
}
