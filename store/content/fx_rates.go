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

// baseCurrency is the currency against which reference rates are published.
const baseCurrency = "EUR"

// rateDays is how far back a rate may lie: the bank publishes none on weekends and
// holidays.
const rateDays = 7

// selectRates takes both rates of a pair from one day: the latest on which both
// were published.
var selectRates = pg.Prepare(fmt.Sprintf(`
	SELECT pair.n, f.day, f.from_rate, f.to_rate, f.source
	  FROM {pair}
	 CROSS JOIN LATERAL (
	   SELECT x.day, CASE WHEN pair.a = '%[1]s' THEN 1 ELSE x.rate END AS from_rate,
	          CASE WHEN pair.b = '%[1]s' THEN 1 WHEN pair.a = '%[1]s' THEN x.rate ELSE y.rate END AS to_rate, x.source
	     FROM fx_rates x
	     LEFT JOIN fx_rates y ON pair.a <> '%[1]s' AND y.currency = pair.b AND y.day = x.day
	    WHERE x.currency = CASE WHEN pair.a = '%[1]s' THEN pair.b ELSE pair.a END AND x.day BETWEEN pair.day - %[2]d AND pair.day
	      AND (pair.a = '%[1]s' OR pair.b = '%[1]s' OR y.day IS NOT NULL)
	    ORDER BY x.day DESC LIMIT 1) f`, baseCurrency, rateDays), nil, pairRows)

var pairRows = pg.RowsOf("pair",
	pg.Col("a", "text", func(p *models.CurrencyPair) *string { return &p.From }),
	pg.Col("b", "text", func(p *models.CurrencyPair) *string { return &p.To }),
	pg.Col("day", "date", func(p *models.CurrencyPair) *string { return pg.Date(p.Day) }),
).Numbered("n")

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
	read := slices.Clone(pairs)                     // with the euro in the place of currencies that it has replaced
	fixed := make([][2]decimal.Decimal, len(pairs)) // from and to: units of those for one euro
	since := make([]time.Time, len(pairs))          // from when the last fixed one holds
	for i, p := range pairs {
		since[i] = p.Day
		for n, currency := range []*string{&read[i].From, &read[i].To} {
			if r, ok := money.FixedRate(*currency, p.Day); ok {
				*currency, fixed[i][n], since[i] = baseCurrency, r.Rate, r.Day
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
	selectRates.Queue(batch, nil, pairRows.Of(read)).Query(func(rows pgx.Rows) error {
		var n int
		var found models.ConversionRate
		var fromRate, toRate decimal.Decimal
		_, err := pgx.ForEachRow(rows, []any{&n, &found.Day, &fromRate, &toRate, &found.Source}, func() error {
			return take(n-1, found, fromRate, toRate)
		})
		for i := range pairs {
			if read[i].From == read[i].To && err == nil { // between fixed ones, of which no day has rates
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

// ratesPerStatement bounds one statement of an import.
const ratesPerStatement = 20_000

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
		for part := range slices.Chunk(rates, ratesPerStatement) {
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

var saveRates = pg.Prepare(`
	INSERT INTO fx_rates AS f (currency, day, rate, source)
	SELECT rate.currency, rate.day, rate.value, @source FROM {rate}
	ON CONFLICT (currency, day) DO UPDATE SET rate = excluded.rate, source = excluded.source, imported_at = now()
	 WHERE (f.rate, f.source) IS DISTINCT FROM (excluded.rate, excluded.source)`, pg.Names{"source"}, rateRows)

var rateRows = pg.RowsOf("rate",
	pg.Col("currency", "text", func(r *money.ReferenceRate) *string { return &r.Currency }),
	pg.Col("day", "date", func(r *money.ReferenceRate) *string { return pg.Date(r.Day) }),
	pg.Col("value", "numeric", func(r *money.ReferenceRate) *string { return pg.Numeric(r.Rate) }),
)

// writeRates writes one part and returns how many were new or differed.
func (s *Store) writeRates(ctx context.Context, source string, part []money.ReferenceRate) (int64, error) {
	written, err := s.db.Exec(ctx, saveRates.SQL, saveRates.Values([]any{source}, rateRows.Of(part))...)
	return written.RowsAffected(), err
}
