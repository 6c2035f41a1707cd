package idempotency_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"levy/internal/secret"
	"levy/models"
	"levy/store"
	"levy/store/idempotency"
	"levy/store/storetest"
)

// An answer with a tax id is stored encrypted as a whole and repeated byte for byte, also under another master key.
// A process of the previous release sees it as a request in progress. It can be erased with its customer.
func TestAnswersWithTaxIDsAreSealed(t *testing.T) {
	t.Parallel()
	old, current := secret.NewMasterKey("old"), secret.NewMasterKey("new")
	ring := func(text string) *secret.Ring {
		r, err := secret.ParseRing(text)
		require.NoError(t, err)
		return r
	}
	url := storetest.URL(t)
	s := storetest.Open(t, store.Options{URL: url, MasterKeys: ring(old)})
	b := &storetest.Bundle{Scope: storetest.Organization(t, url)}
	count := func(sql string, args ...any) (n int) {
		require.NoError(t, s.QueryRow(models.AcrossOrganizations(t.Context()), sql, args...).Scan(&n))
		return n
	}
	customer := models.NewID(models.PrefixCustomer)
	const clear = `{"items":[{"tax_id":"","ein":null}]}`
	bodies := map[string]string{
		"sale":      `[{"customer_id":"` + customer + `", "customer":{"registration_number": "CANARY 1"}, "amount":"1.00"}]`,
		"exemption": `{"FEIN":"CANARY"}`,
		"clear":     clear, "named": `{"id":"` + customer + `"}`, "empty": "",
	}
	type once = func(context.Context, models.Claim, func(context.Context) *models.Answer) (*models.Answer, error)
	kinds := map[string]func(*store.Store) once{
		"committed with its effect": func(s *store.Store) once { return s.Idempotency.Once },
		"committed elsewhere":       func(s *store.Store) once { return s.Idempotency.OnceNonTransactional },
	}
	never := func(context.Context) *models.Answer { t.Error("carried out again"); return nil }
	each := func(see func(of func(*store.Store) once, c models.Claim, key, body string)) {
		for kind, of := range kinds {
			for key, body := range bodies {
				see(of, claim(b, kind+key, body), key, body)
			}
		}
	}
	repeated := func(s *store.Store) {
		each(func(of func(*store.Store) once, c models.Claim, _, body string) {
			again, err := of(s)(t.Context(), c, never)
			require.NoError(t, err, body)
			require.Equal(t, models.Answer{Status: 202, Body: []byte(body)}, *again)
		})
	}
	each(func(of func(*store.Store) once, c models.Claim, _, body string) {
		replay, err := of(s)(t.Context(), c,
			func(context.Context) *models.Answer { return &models.Answer{Status: 202, Body: []byte(body)} })
		require.NoError(t, err)
		require.Nil(t, replay)
	})
	require.Zero(t, count(`SELECT count(*)
		FROM idempotency_keys
		WHERE position('CANARY' IN body) > 0 OR position('CANARY' IN sealed_body) > 0`))
	require.Equal(t, 4, count(`SELECT count(*)
		FROM idempotency_keys
		WHERE status IS NULL AND lease IS NULL AND body IS NULL AND sealed_body IS NOT NULL`))
	require.Equal(t, 2, count("SELECT count(*) FROM idempotency_keys WHERE body = $1", []byte(clear)),
		"without a tax id it costs nothing")
	repeated(s)
	_, err := s.Idempotency.Once(t.Context(), claim(b, "committed with its effectsale", "another"), never)
	require.ErrorIs(t, err, models.ErrKeyReused)

	_, err = secret.NewVault(ring(current+","+old), nil).Rotate(t.Context(), s.InstallationKeys())
	require.NoError(t, err)
	repeated(storetest.Open(t, store.Options{URL: url, MasterKeys: ring(current)}))

	// The previous release overwrites an expired answer, and leaves the columns that it does not know.
	sale := claim(b, "committed with its effectsale", bodies["sale"])
	before := claim(b, "the release before", bodies["sale"])
	storetest.Execute(t, url, `INSERT INTO idempotency_keys
		SELECT (jsonb_populate_record(k, jsonb_build_object('key_hash', $2::bytea))).*
		FROM idempotency_keys k
		WHERE key_hash = $1`,
		sale.KeyHash, before.KeyHash)
	_, err = s.Idempotency.Once(t.Context(), before, never)
	require.ErrorIs(t, err, secret.ErrUnreadable, "it belongs to its key")
	storetest.Execute(t, url, "UPDATE idempotency_keys SET lease = 'taken' WHERE key_hash = $1", before.KeyHash)
	_, err = s.Idempotency.Once(t.Context(), before, never)
	require.ErrorIs(t, err, models.ErrKeyInUse)
	storetest.Execute(t, url, `UPDATE idempotency_keys
		SET lease = NULL, status = 200, body = 'theirs'
		WHERE key_hash = $1`, before.KeyHash)
	again, err := s.Idempotency.Once(t.Context(), before, never)
	require.NoError(t, err)
	require.Equal(t, "theirs", string(again.Body))

	// Its customer is erased: the key stays used.
	require.NoError(t, idempotency.Erase(s.GORM(models.AcrossOrganizations(t.Context())), b.Scope.OrganizationID,
		customer))
	require.Zero(t, count(`SELECT count(*)
		FROM idempotency_keys k
		WHERE position($1 IN k.body) > 0 OR $2 = ANY (k.sealed_about)`, []byte(customer), customer))
	each(func(of func(*store.Store) once, c models.Claim, key, body string) {
		_, err := of(s)(t.Context(), c, never)
		require.Equal(t, key == "sale" || key == "named", errors.Is(err, models.ErrAnswerErased), "%s: %v", key, err)
	})
	require.NoError(t, idempotency.Erase(s.GORM(models.AcrossOrganizations(t.Context())), b.Scope.OrganizationID,
		b.Scope.OrganizationID))
	each(func(of func(*store.Store) once, c models.Claim, _, body string) {
		_, err := of(s)(t.Context(), c, never)
		require.ErrorIs(t, err, models.ErrAnswerErased, body)
	})
}
