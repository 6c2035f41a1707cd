package store_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/content"
)

// altered is the embedded content under another name, with Houston's rate doubled.
func altered(t *testing.T, version string) []byte {
	t.Helper()
	tables, err := content.Unpack(content.Packed())
	require.NoError(t, err)
	tables["rates.csv"] = bytes.Replace(tables["rates.csv"], []byte("\nUS-TX,SALES,*,0.0625,"), []byte("\nUS-TX,SALES,*,0.125,"), 1)
	tables["VERSION"] = []byte(version + "\n")
	pack, err := tables.Pack()
	require.NoError(t, err)
	return pack
}

func sold(t *testing.T, shelf *store.Shelf, version string) tax.Result {
	t.Helper()
	houston := tax.DatedAddress{Day: tax.MustDate("2026-08-01"), Address: tax.Address{City: "Houston", State: "TX", PostalCode: "77002", Country: "US"}}
	places, err := shelf.Locate(t.Context(), []tax.DatedAddress{houston})
	require.NoError(t, err)
	calculate, err := shelf.Calculator(t.Context(), version)
	require.NoError(t, err)
	result, err := calculate(tax.Request{TaxDate: tax.MustDate("2026-08-01"), Currency: "USD", Destination: places[houston], Lines: []tax.Line{{
		Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
	}}})
	require.NoError(t, err)
	return result
}

func TestContentThatCameWithTheProgramIsInForceUntilAnotherIsActivated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	shelf, err := s.OpenShelf(t.Context())
	require.NoError(t, err)
	own := shelf.Current().Version()
	before := sold(t, shelf, "")
	require.Equal(t, "8.25", before.Tax.String())

	require.NoError(t, s.InstallContent(t.Context(), own, content.Packed()))
	require.NoError(t, s.InstallContent(t.Context(), own, content.Packed()), "installing is idempotent")
	created, err := s.RecordContent(t.Context(), models.ContentVersion{Version: "next", Base: own}, altered(t, "next"))
	require.NoError(t, err)
	require.True(t, created)
	created, err = s.RecordContent(t.Context(), models.ContentVersion{Version: "next", Base: own}, []byte("other"))
	require.NoError(t, err)
	require.False(t, created, "a version is never replaced")
	require.NoError(t, shelf.Refresh(t.Context()))
	require.Equal(t, own, shelf.Current().Version(), "recording does not activate")
	draft, err := s.DraftContent(t.Context())
	require.NoError(t, err)
	require.Equal(t, "next", draft)

	require.ErrorIs(t, s.ActivateContent(t.Context(), "no-such", "why"), models.ErrNotFound)
	require.NoError(t, s.ActivateContent(t.Context(), "next", "test"))
	require.NoError(t, s.ActivateContent(t.Context(), "next", "test"), "activating is idempotent")
	require.NoError(t, shelf.Refresh(t.Context()))
	after := sold(t, shelf, "")
	require.Equal(t, "14.50", after.Tax.String())
	require.Equal(t, "next", after.ContentVersion)

	t.Run("what was calculated before is calculated again bit for bit", func(t *testing.T) {
		old, err := shelf.Version(t.Context(), own)
		require.NoError(t, err)
		again, err := old.Calculate(tax.Request{TaxDate: tax.MustDate("2026-08-01"), Currency: "USD", Destination: before.Taxed, Lines: []tax.Line{{
			Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
		}}})
		require.NoError(t, err)
		require.Equal(t, before, again)
	})
	t.Run("a program with newer content of its own does not replace what an operator imported", func(t *testing.T) {
		require.NoError(t, s.InstallContent(t.Context(), "newer", altered(t, "newer")))
		active, err := s.ActiveContent(t.Context())
		require.NoError(t, err)
		require.Equal(t, "next", active)
	})
	t.Run("rolling back returns to the version before, and no further than the first", func(t *testing.T) {
		previous, err := s.PreviousContent(t.Context())
		require.NoError(t, err)
		require.Equal(t, own, previous)
		require.NoError(t, s.ActivateContent(t.Context(), previous, "rollback"))
		previous, err = s.PreviousContent(t.Context())
		require.NoError(t, err)
		require.Empty(t, previous)
		draft, err := s.DraftContent(t.Context())
		require.NoError(t, err)
		require.Equal(t, own, draft, "after a rollback the next import builds on what is in force")
	})
	t.Run("the second clock", func(t *testing.T) {
		known, err := shelf.KnownOn(t.Context(), time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC))
		require.NoError(t, err)
		require.Equal(t, own, known.Version(), "before the first activation it is the first content")
		list, err := s.ListContent(t.Context())
		require.NoError(t, err)
		for _, v := range list {
			if v.ActivatedAt == nil {
				continue
			}
			known, err = shelf.KnownOn(t.Context(), *v.ActivatedAt)
			require.NoError(t, err)
			require.Equal(t, v.Version, known.Version())
		}
	})
}

func TestARunningProcessNoticesAnActivation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	shelf, err := s.OpenShelf(t.Context())
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		shelf.Watch(ctx, time.Millisecond, func(err error) { t.Error(err) })
	}()
	_, err = s.RecordContent(t.Context(), models.ContentVersion{Version: "next"}, altered(t, "next"))
	require.NoError(t, err)
	require.NoError(t, s.ActivateContent(t.Context(), "next", "test"))
	require.Eventually(t, func() bool { return shelf.Current().Version() == "next" }, 20*time.Second, 5*time.Millisecond)
	stop()
	<-done
}

func TestContentThatCannotBeReadLeavesTheOldInForce(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	shelf, err := s.OpenShelf(t.Context())
	require.NoError(t, err)
	own := shelf.Current().Version()
	_, err = s.RecordContent(t.Context(), models.ContentVersion{Version: "broken"}, []byte("not a pack"))
	require.NoError(t, err)
	require.NoError(t, s.ActivateContent(t.Context(), "broken", "test"))
	require.Error(t, shelf.Refresh(t.Context()))
	require.Equal(t, own, shelf.Current().Version())
}
