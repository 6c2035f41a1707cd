package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/govalues/decimal"
	"github.com/jackc/pgx/v5"

	"levy/models"
	"levy/store/pg"
	"levy/tax/money"
)

// base is the currency against which reference rates are published.
const base = "EUR"

// rateDays is how far back a rate may lie: the bank publishes none on weekends and
// holidays.
const rateDays = 7

// selectRates takes both rates of a pair from one day: the latest on which both
// were published.
var selectRates = fmt.Sprintf(`
	SELECT u.n, f.day, f.from_rate, f.to_rate, f.source
	  FROM unnest($1::text[], $2::text[], $3::date[]) WITH ORDINALITY AS u(a, b, day, n)
	 CROSS JOIN LATERAL (
	   SELECT x.day, CASE WHEN u.a = '%[1]s' THEN 1 ELSE x.rate END AS from_rate,
	          CASE WHEN u.b = '%[1]s' THEN 1 WHEN u.a = '%[1]s' THEN x.rate ELSE y.rate END AS to_rate, x.source
	     FROM fx_rates x
	     LEFT JOIN fx_rates y ON u.a <> '%[1]s' AND y.currency = u.b AND y.day = x.day
	    WHERE x.currency = CASE WHEN u.a = '%[1]s' THEN u.b ELSE u.a END AND x.day BETWEEN u.day - %[2]d AND u.day
	      AND (u.a = '%[1]s' OR u.b = '%[1]s' OR y.day IS NOT NULL)
	    ORDER BY x.day DESC LIMIT 1) f`, base, rateDays)

// ConversionRates returns the rate of each pair on its day, or the latest of the
// seven days before; currencies that the euro has replaced have a fixed one. Pairs without
// one are missing. One query, whatever their number.
func (s *Store) ConversionRates(
	ctx context.Context, pairs []models.CurrencyPair,
) (map[models.CurrencyPair]models.ConversionRate, error) {
	batch := &pgx.Batch{}
	rates := queueRates(batch, pairs)
	if err := s.db.SendBatch(ctx, batch).Close(); err != nil {
		return nil, pg.Translate(err)
	}
	return rates, nil
}

// queueRates adds the query; the map is filled when the batch is sent.
func queueRates(batch *pgx.Batch, pairs []models.CurrencyPair) map[models.CurrencyPair]models.ConversionRate {
	from, to, days := make([]string, len(pairs)), make([]string, len(pairs)), make([]time.Time, len(pairs))
	fixed := make([][2]decimal.Decimal, len(pairs)) // from and to: units for one euro, which is asked for in their place
	since := make([]time.Time, len(pairs))          // from when the last fixed one holds
	for i, p := range pairs {
		from[i], to[i], days[i], since[i] = p.From, p.To, p.Day, p.Day
		for n, currency := range []*string{&from[i], &to[i]} {
			if r, ok := money.FixedRate(*currency, p.Day); ok {
				*currency, fixed[i][n], since[i] = base, r.Rate, r.Day
			}
		}
	}
	rates := make(map[models.CurrencyPair]models.ConversionRate, len(pairs))
	take := func(i int, found models.ConversionRate, fromRate, toRate decimal.Decimal) (err error) {
		for n, rate := range []*decimal.Decimal{&fromRate, &toRate} {
			if !fixed[i][n].IsZero() {
				*rate = fixed[i][n]
			}
		}
		found.Rate, err = money.CrossRate(fromRate, toRate)
		if errors.Is(err, money.ErrOverflow) {
			return nil // 9 decimals cannot express this rate: there is none
		}
		rates[pairs[i]] = found
		return err
	}
	batch.Queue(selectRates, from, to, days).Query(func(rows pgx.Rows) error {
		var n int
		var found models.ConversionRate
		var fromRate, toRate decimal.Decimal
		_, err := pgx.ForEachRow(rows, []any{&n, &found.Day, &fromRate, &toRate, &found.Source}, func() error {
			return take(n-1, found, fromRate, toRate)
		})
		for i := range pairs {
			if from[i] == to[i] && err == nil { // between fixed ones, of which no day has rates
				err = take(i, models.ConversionRate{Day: since[i], Source: money.FixedRateSource}, decimal.One, decimal.One)
			}
		}
		return err
	})
	return rates
}

// StillMissing is RatesStillMissing for transactions that are about to wait for rates.
// batch, which may open the database transaction, is sent when there are any.
func StillMissing(
	ctx context.Context, conn pg.Querier, batch *pgx.Batch, outcomes []models.TaxOutcome,
) (sent bool, err error) {
	var pairs []models.CurrencyPair
	for i := range outcomes {
		if wanted := outcomes[i].Wants; wanted != nil && !slices.Contains(pairs, *wanted) {
			pairs = append(pairs, *wanted)
		}
	}
	return pairs != nil, RatesStillMissing(ctx, conn, batch, pairs)
}

// RatesStillMissing makes sure that rates are still not there on which something is
// about to wait, and that none arrive before it does: whoever imports rates waits for
// the end of this database transaction, and then finds what waits. Nothing is sent when
// no rate is missing. Errors: models.ErrUnavailable when a rate has arrived, so that the
// caller reads them again.
func RatesStillMissing(ctx context.Context, conn pg.Querier, batch *pgx.Batch, pairs []models.CurrencyPair) error {
	if len(pairs) == 0 {
		return nil
	}
	batch.Queue("LOCK TABLE fx_rates IN SHARE MODE")
	rates := queueRates(batch, pairs)
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return pg.Translate(err)
	}
	if len(rates) > 0 {
		return fmt.Errorf("%w: conversion rates were imported meanwhile", models.ErrUnavailable)
	}
	return nil
}

// rateRows bounds one statement of an import.
const rateRows = 20_000

// evaluateWithoutRate lets nexus be evaluated again whose sums lack amounts.
const evaluateWithoutRate = `
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
	SELECT organization_id, country_code, CASE WHEN state_code = country_code THEN '' ELSE state_code END, 1, true
	  FROM nexus_records WHERE without_rate ORDER BY 1, 2, 3
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`

// ImportRates writes reference rates, all or none, and returns how many were new or
// differed from what was there; nexus that lacks some is evaluated again. progress hears
// how many are done.
func (s *Store) ImportRates(
	ctx context.Context, source string, rates []money.ReferenceRate, progress func(int),
) (changed int64, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		// One import at a time: two would take the rows in different orders.
		if _, err := s.db.Exec(ctx, "LOCK TABLE fx_rates IN SHARE ROW EXCLUSIVE MODE"); err != nil {
			return err
		}
		for part := range slices.Chunk(rates, rateRows) {
			written, err := s.writeRates(ctx, source, part)
			if err != nil {
				return err
			}
			changed += written
			progress(len(part))
		}
		if changed == 0 {
			return nil
		}
		_, err := s.db.Exec(ctx, evaluateWithoutRate)
		return err
	})
	return changed, err
}

// writeRates writes one part and returns how many were new or differed.
func (s *Store) writeRates(ctx context.Context, source string, part []money.ReferenceRate) (int64, error) {
	currencies, days, values := make([]string, len(part)), make([]time.Time, len(part)), make([]string, len(part))
	for i, r := range part {
		currencies[i], days[i], values[i] = r.Currency, r.Day, r.Rate.String()
	}
	written, err := s.db.Exec(ctx, `
		INSERT INTO fx_rates AS f (currency, day, rate, source)
		SELECT u.currency, u.day, u.rate::numeric, $4
		  FROM unnest($1::text[], $2::date[], $3::text[]) AS u(currency, day, rate)
		ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source, imported_at = now()
		 WHERE (f.rate, f.source) IS DISTINCT FROM (excluded.rate, excluded.source)`, currencies, days, values, source)
	return written.RowsAffected(), err
}
