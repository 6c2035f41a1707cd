package filings_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
	"levy/tax/money"
)

var ada, bob, eve = models.Actor{UserID: "user_a", UserName: "Ada"}, models.Actor{UserID: "user_b", UserName: "Bob"},
	models.Actor{UserID: "user_e", UserName: "Eve"}

// ofTwo is a return of January whose organization requires a second person.
type ofTwo struct {
	*storetest.FilingBundle
	t      *testing.T
	filing models.Filing
}

func setupOfTwo(t *testing.T) ofTwo {
	t.Helper()
	b := storetest.SetupFilings(t)
	storetest.Execute(t, b.URL, `UPDATE organization_settings
		SET require_second_person = true
		WHERE organization_id = $1`, b.Scope.OrganizationID)
	return ofTwo{b, t, b.January(t, models.FilingUnfiled)}
}

// change moves the return, or changes a field of it.
func (o ofTwo) change(by models.Actor, to models.FilingStatus, fields func(*models.Filing)) error {
	_, err := o.Store.Filings.UpdateFiling(o.t.Context(), o.Scope, by, o.filing.ID, func(f *models.Filing) error {
		if fields != nil {
			fields(f)
		}
		if to == models.FilingFiling {
			return f.Approve(models.FilingApproval{By: by.Name(), Attestation: "Seen."}, time.Now().UTC())
		}
		if to != "" {
			f.Status = to
		}
		return nil
	})
	return err
}

func (o ofTwo) refuses(by models.Actor, to models.FilingStatus, reason models.SecondPersonReason, why string) {
	o.t.Helper()
	var second *models.SecondPersonError
	require.ErrorAs(o.t, o.change(by, to, nil), &second, why)
	require.Equal(o.t, reason, second.Reason, why)
	if to != models.FilingFiling {
		return
	}
	required, err := o.Store.Filings.SecondPerson(o.t.Context(), o.Scope, by, o.filing.ID)
	require.ErrorAs(o.t, err, &second, "%s: before the decision", why)
	require.Equal(o.t, []any{true, reason}, []any{required, second.Reason}, why)
}

// trail writes an entry of the audit trail.
func (o ofTwo) trail(by models.Actor, action, entityType, id string, detail map[string]any) {
	o.t.Helper()
	storetest.Execute(o.t, o.URL, `INSERT INTO audit (organization_id, id, user_id, user_name, api_key_id, action,
		entity_type, entity_id, detail)
		VALUES ($1, $2, nullif($3, ''), nullif($4, ''), nullif($5, ''), $6, $7, $8, $9)`, o.Scope.OrganizationID,
		models.NewID(models.PrefixAudit), by.UserID, by.UserName, by.APIKeyID, action, entityType, id, detail)
}

func TestASecondPersonDecides(t *testing.T) {
	t.Parallel()
	o := setupOfTwo(t)
	adjust := func(f *models.Filing) {
		amount := "1.00"
		if f.AmountAdjusted.String() == amount {
			amount = "2.00"
		}
		f.AmountAdjusted, _ = money.ParseTotal(amount)
	}
	note := func(f *models.Filing) {
		text := time.Now().String()
		f.InternalNotes = &text
	}
	require.NoError(t, o.change(ada, "", adjust))
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "who changed it")
	o.refuses(ada, models.FilingSkipped, models.SecondPersonIsMaker, "who changed it")
	o.refuses(ada, models.FilingPaused, models.SecondPersonIsMaker, "a pause without an end")
	require.NoError(t, o.change(models.Actor{}, "", nil))
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "Levy is no other person")
	require.NoError(t, o.change(bob, "", nil))
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "nor is an empty change of another")
	require.NoError(t, o.change(bob, "", note))
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "nor a note")
	o.trail(bob, models.AuditAssign, "exception", o.filing.ID, nil)
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "nor who takes care of it")
	o.refuses(models.Actor{APIKeyID: "key_1"}, models.FilingFiling, models.SecondPersonIsKey, "nor a key")
	require.ErrorIs(t, o.change(bob, models.FilingFiling, adjust), models.ErrSecondPersonNeeded,
		"an amount with the approval")
	required, err := o.Store.Filings.SecondPerson(t.Context(), o.Scope, bob, o.filing.ID)
	require.NoError(t, err)
	require.True(t, required)
	require.NoError(t, o.change(bob, models.FilingFiling, nil))
	history, err := o.Store.Filings.FilingHistory(t.Context(), o.Scope, o.filing.ID, models.Page{Limit: 10})
	require.NoError(t, err)
	require.Equal(t, models.FilingActor{Type: models.ActorUser, ID: "user_b", Name: "Bob"},
		history.Items[len(history.Items)-1].Actor)
	require.Equal(t, "Seen.", history.Items[len(history.Items)-1].Attestation, "the words stay with who and when")
	require.NoError(t, o.change(models.Actor{}, models.FilingIssue, func(f *models.Filing) {
		reason := "closed"
		f.IssueReason = &reason
	}))
	require.NoError(t, o.change(ada, "", func(f *models.Filing) { require.NoError(t, f.Retry()) }), "Bob has seen it")
	created := storetest.FilingOf(o.Registration, models.FilingSkipped, "2025-12-01", "2025-12-31")
	_, err = o.Store.Filings.CreateFiling(t.Context(), o.Scope, ada, created, storetest.AnyFiling)
	require.ErrorIs(t, err, models.ErrSecondPersonNeeded, "to create one is a work")
}

func TestATwinIsNoSecondPerson(t *testing.T) {
	t.Parallel()
	o := setupOfTwo(t)
	require.NoError(t, o.change(ada, "", func(f *models.Filing) { f.BlockApproval = true }))
	require.NoError(t, o.change(ada, "", func(f *models.Filing) { f.BlockApproval = false }))
	o.trail(ada, models.AuditInvite, "user", "user_e", nil)
	o.refuses(eve, models.FilingFiling, models.SecondPersonIsTwin, "invited by Ada")
	o.trail(ada, models.AuditUpdate, "user", "user_b", map[string]any{"fields": []string{"name"}})
	o.trail(bob, models.AuditUpdate, "user", "user_b", map[string]any{"fields": []string{"second_factor"}})
	o.trail(ada, models.AuditCreate, "api_key", "key_a", nil)
	cara := models.Actor{UserID: "user_c", UserName: "Cara"}
	o.trail(models.Actor{APIKeyID: "key_a"}, models.AuditUpdate, "user", "user_c",
		map[string]any{"fields": []string{"sign_in_link"}})
	o.refuses(cara, models.FilingFiling, models.SecondPersonIsTwin, "with a link of a key of Ada")
	require.NoError(t, o.change(bob, models.FilingFiling, nil), "with another name, and a second factor of his own")
}

func TestWhoMadeTheAmountIsNoSecondPerson(t *testing.T) {
	t.Parallel()
	o := setupOfTwo(t)
	sale, march := o.Sale(t, "2026-01-10", "100.00"), o.Sale(t, "2026-03-10", "100.00")
	o.trail(ada, models.AuditReprocess, "transaction", sale.ID, nil)
	o.trail(bob, models.AuditCreate, "transaction", march.ID, nil)
	o.trail(bob, models.AuditRead, "transaction", sale.ID, nil)
	o.Process(t, sale, march)
	o.refuses(ada, models.FilingFiling, models.SecondPersonIsMaker, "whose sale is in it")
	o.trail(eve, models.AuditUpdate, "registration", o.Registration.ID, map[string]any{"fields": []string{"tax_id"}})
	o.refuses(eve, models.FilingFiling, models.SecondPersonIsMaker, "who changed the registration")
	o.trail(bob, models.AuditUpdate, "registration", o.Registration.ID, map[string]any{"fields": []string{}})
	require.NoError(t, o.change(bob, models.FilingFiling, nil), "whose sale is in another return")
}
