package idempotency_test

import (
	"context"
	"crypto/sha256"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/storetest"
)

func claim(b *storetest.Bundle, key, request string) models.Claim {
	return models.NewClaim(b.Scope.OrganizationID, b.Scope.OrganizationID, key, sha256.Sum256([]byte(request)))
}

func done(context.Context) *models.Answer { return &models.Answer{Status: 200, Body: []byte(`{}`)} }

func refused(context.Context) *models.Answer { return nil }

func TestTheEffectOfARequestIsRolledBackWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	draft := storetest.Draft(b.Scope, "ORDER-1")
	product := &models.Product{ID: models.NewID(models.PrefixProduct), ExternalID: "P-9", Name: "W",
		ProductCategory: "PHYSICAL",
		TaxClass:        "x", Classification: "SUBCATEGORY", Status: "APPROVED", Source: "OTHER", SKU: []string{}}
	effect := func(ctx context.Context) {
		require.NoError(t, b.Intake.Accept(ctx, draft))
		require.NoError(t, b.Store.Catalog.CreateProduct(ctx, b.Scope, models.Actor{}, product))
		for _, read := range []func() error{
			func() error { _, err := b.Store.Transactions.Transaction(ctx, b.Scope, draft.ID); return err },
			func() error { _, err := b.Store.Catalog.Product(ctx, b.Scope, product.ID); return err },
		} {
			require.NoError(t, read())
		}
		var duplicate *models.DuplicateError
		require.ErrorAs(
			t, b.Store.Catalog.CreateProduct(ctx, b.Scope, models.Actor{}, product), &duplicate,
			"a refusal inside does not end it",
		)
		require.ErrorAs(t, b.Intake.Accept(ctx, storetest.Draft(b.Scope, "ORDER-1")), &duplicate)
		_, err := b.Store.Transactions.Transaction(t.Context(), b.Scope, draft.ID)
		require.ErrorIs(t, err, models.ErrNotFound, "it is not visible outside yet")
	}
	_, err := b.Store.Idempotency.Once(t.Context(), claim(b, "k", "a"),
		func(ctx context.Context) *models.Answer { effect(ctx); return nil })
	require.NoError(t, err)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM transactions"))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM products WHERE external_id = 'P-9'"))
	require.Zero(t, b.Count(t, "SELECT count(*) FROM idempotency_keys"))
	replay, err := b.Store.Idempotency.Once(t.Context(), claim(b, "k", "b"),
		func(ctx context.Context) *models.Answer { effect(ctx); return done(ctx) })
	require.NoError(t, err)
	require.Nil(t, replay)
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM transactions"))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM products WHERE external_id = 'P-9'"))
}

// A request keeps its connection until its end; others must not wait for a second one that they can never get.
func TestRequestsWithKeysNeedOneConnectionEach(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 2, 64)
	_, err := b.Store.LoadTaxIDKey(t.Context()) // as a process does before it accepts requests
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range 40 { // five times the connections there are
		wg.Go(func() {
			draft := storetest.Draft(b.Scope, models.NewID(models.PrefixRequest))
			_, err := b.Store.Idempotency.Once(t.Context(), claim(
				b, draft.ID, "x",
			), func(ctx context.Context) *models.Answer {
				require.NoError(t, b.Intake.Accept(ctx, draft), i)
				return done(ctx)
			})
			require.NoError(t, err)
		})
	}
	wg.Wait()
	require.Equal(t, 40, b.Count(t, "SELECT count(*) FROM transactions"))
}

func TestAnEffectCommittedElsewhereIsClaimedByALease(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	once := func(request string, effect func(context.Context) *models.Answer) (*models.Answer, error) {
		return b.Store.Idempotency.OnceNonTransactional(t.Context(), claim(b, "k", request), effect)
	}
	_, err := once("a", refused)
	require.NoError(t, err)
	require.Zero(t, b.Count(t, "SELECT count(*) FROM idempotency_keys"), "a refusal leaves the key free")
	_, err = once("a", func(ctx context.Context) *models.Answer {
		_, err := once("a", done)
		require.ErrorIs(t, err, models.ErrKeyInUse)
		_, err = once("b", done)
		require.ErrorIs(t, err, models.ErrKeyReused)
		return done(ctx)
	})
	require.NoError(t, err)
	replay, err := once("a", func(context.Context) *models.Answer { t.Error("carried out again"); return nil })
	require.NoError(t, err)
	require.JSONEq(t, `{}`, string(replay.Body))

	// A process died in between: its lease lapses.
	_, err = b.SQL.Exec(t.Context(),
		"UPDATE idempotency_keys SET status = NULL, body = NULL, lease = 'dead', expires_at = now()")
	require.NoError(t, err)
	replay, err = once("a", done)
	require.NoError(t, err)
	require.Nil(t, replay)
}

func TestOldAnswersAreRemoved(t *testing.T) {
	t.Parallel()
	b := storetest.Setup(t, 1, 64)
	for _, key := range []string{"old", "young"} {
		_, err := b.Store.Idempotency.Once(t.Context(), claim(b, key, "a"), done)
		require.NoError(t, err)
	}
	_, err := b.SQL.Exec(t.Context(), "UPDATE idempotency_keys SET expires_at = now() WHERE key_hash = $1",
		claim(b, "old", "a").KeyHash)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	b.Store.Idempotency.ForgetAnswers(ctx) // a query needs a context that has not ended
	require.Equal(t, 2, b.Count(t, "SELECT count(*) FROM idempotency_keys"))
	require.EqualValues(t, 1, b.Store.Idempotency.ForgetSomeAnswers(t.Context()))
	require.Equal(t, 1, b.Count(t, "SELECT count(*) FROM idempotency_keys"))
}
