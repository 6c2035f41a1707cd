package content_test

import (
	"bytes"
	"context"
	"testing"
	"time"

	"github.com/govalues/decimal"
	"github.com/stretchr/testify/require"

	"levy/models"
	"levy/store/content"
	"levy/store/storetest"
	"levy/tax"
	"levy/tax/calendar"
	taxcontent "levy/tax/content"
)

// altered is the embedded content under another name, with Houston's rate doubled.
func altered(t *testing.T, version string) []byte {
	t.Helper()
	tables, err := taxcontent.Unpack(taxcontent.Packed())
	require.NoError(t, err)
	tables["rates.csv"] = bytes.Replace(tables["rates.csv"], []byte("\nUS-TX,SALES,*,0.0625,"),
		[]byte("\nUS-TX,SALES,*,0.125,"), 1)
	tables["VERSION"] = []byte(version + "\n")
	pack, err := tables.Pack()
	require.NoError(t, err)
	return pack
}

func sold(t *testing.T, cache *content.Cache, version string) tax.Result {
	t.Helper()
	houston := tax.DatedAddress{
		Day:     calendar.MustDate("2026-08-01"),
		Address: tax.Address{City: "Houston", State: "TX", PostalCode: "77002", Country: "US"},
	}
	places, err := cache.Locate(t.Context(), []tax.DatedAddress{houston})
	require.NoError(t, err)
	calculate, err := cache.Calculator(t.Context(), version)
	require.NoError(t, err)
	result, err := calculate(tax.Request{TaxDate: calendar.MustDate("2026-08-01"), Currency: "USD",
		Destination: places[houston], Lines: []tax.Line{{
			Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
		}}})
	require.NoError(t, err)
	return result
}

// A process that opened no cache calculates by the same law: lower prices are never judged without it.
func TestAStoreCalculatesWithoutAnOpenedCache(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	calculate, err := s.Content.Calculator(t.Context(), "")
	require.NoError(t, err)
	require.NotNil(t, calculate)
	_, err = s.Content.Calculator(t.Context(), "no-such")
	require.ErrorIs(t, err, models.ErrNotFound)
}

func TestEmbeddedContentIsInForceUntilAnotherIsActivated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	cache, err := s.Content.OpenCache(t.Context())
	require.NoError(t, err)
	own := cache.Current().Version()
	before := sold(t, cache, "")
	require.Equal(t, "8.25", before.Tax.String())

	require.NoError(t, s.Content.InstallContent(t.Context(), own, taxcontent.Packed()))
	require.NoError(t, s.Content.InstallContent(t.Context(), own, taxcontent.Packed()), "installing is idempotent")
	created, err := s.Content.RecordContent(t.Context(), models.ContentVersion{Version: "next", Base: own},
		altered(t, "next"))
	require.NoError(t, err)
	require.True(t, created)
	created, err = s.Content.RecordContent(t.Context(), models.ContentVersion{Version: "next", Base: own}, []byte("other"))
	require.NoError(t, err)
	require.False(t, created, "a version is never replaced")
	require.NoError(t, cache.Refresh(t.Context()))
	require.Equal(t, own, cache.Current().Version(), "recording does not activate")
	draft, err := s.Content.DraftContent(t.Context())
	require.NoError(t, err)
	require.Equal(t, "next", draft)

	require.ErrorIs(t, s.Content.ActivateContent(t.Context(), "no-such", "why"), models.ErrNotFound)
	require.NoError(t, s.Content.ActivateContent(t.Context(), "next", "test"))
	require.NoError(t, s.Content.ActivateContent(t.Context(), "next", "test"), "activating is idempotent")
	require.NoError(t, cache.Refresh(t.Context()))
	after := sold(t, cache, "")
	require.Equal(t, "14.50", after.Tax.String())
	require.Equal(t, "next", after.ContentVersion)

	t.Run("what was calculated before is calculated again bit for bit", func(t *testing.T) {
		old, err := cache.Version(t.Context(), own)
		require.NoError(t, err)
		again, err := old.Calculate(tax.Request{TaxDate: calendar.MustDate("2026-08-01"), Currency: "USD",
			Destination: before.Taxed, Lines: []tax.Line{{
				Class: tax.ClassPhysical, Amount: decimal.MustParse("100.00"), Quantity: decimal.One,
			}}})
		require.NoError(t, err)
		require.Equal(t, before, again)
	})
	t.Run("a program with newer content of its own does not replace what an operator imported", func(t *testing.T) {
		require.NoError(t, s.Content.InstallContent(t.Context(), "newer", altered(t, "newer")))
		active, err := s.Content.ActiveContent(t.Context())
		require.NoError(t, err)
		require.Equal(t, "next", active)
	})
	t.Run("rolling back returns to the version before, and no further than the first", func(t *testing.T) {
		previous, err := s.Content.PreviousContent(t.Context())
		require.NoError(t, err)
		require.Equal(t, own, previous)
		require.NoError(t, s.Content.ActivateContent(t.Context(), previous, "rollback"))
		previous, err = s.Content.PreviousContent(t.Context())
		require.NoError(t, err)
		require.Empty(t, previous)
		draft, err := s.Content.DraftContent(t.Context())
		require.NoError(t, err)
		require.Equal(t, own, draft, "after a rollback the next import builds on what is in force")
	})
}

func TestARunningProcessNoticesAnActivation(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	cache, err := s.Content.OpenCache(t.Context())
	require.NoError(t, err)
	ctx, stop := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() {
		defer close(done)
		cache.Watch(ctx, time.Millisecond, func(err error) { t.Error(err) })
	}()
	_, err = s.Content.RecordContent(t.Context(), models.ContentVersion{Version: "next"}, altered(t, "next"))
	require.NoError(t, err)
	require.NoError(t, s.Content.ActivateContent(t.Context(), "next", "test"))
	require.Eventually(
		t, func() bool { return cache.Current().Version() == "next" }, 20*time.Second, 5*time.Millisecond,
	)
	stop()
	<-done
}

func TestUnreadableContentIsNotActivated(t *testing.T) {
	t.Parallel()
	s := storetest.New(t)
	cache, err := s.Content.OpenCache(t.Context())
	require.NoError(t, err)
	own := cache.Current().Version()
	_, err = s.Content.RecordContent(t.Context(), models.ContentVersion{Version: "broken"}, []byte("not a pack"))
	require.NoError(t, err)
	require.NoError(t, s.Content.ActivateContent(t.Context(), "broken", "test"))
	require.Error(t, cache.Refresh(t.Context()))
	require.Equal(t, own, cache.Current().Version())
}
