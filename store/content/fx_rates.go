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

// baseCurrency is the currency of the published reference rates.
const baseCurrency = "EUR"

// rateDays is how old a rate may be, because the bank publishes none on weekends and holidays.
const rateDays = 7

// selectRates reads both rates of a pair on one day: the latest on which both were published.
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

// ConversionRates returns the rate of each pair on its day, or the latest of the seven days before.
// Currencies that the euro has replaced have a fixed rate. Pairs without a rate are missing. It runs one query.
func (s *Store) ConversionRates(
	ctx context.Context, pairs []models.CurrencyPair,
) (map[models.CurrencyPair]models.ConversionRate, error) {
	batch := &pgx.Batch{}
	rates := queueRates(batch, pairs)
	if err := s.db.OpenTables().SendBatch(ctx, batch).Close(); err != nil {
		return nil, pg.Translate(err)
	}
	return rates, nil
}

// queueRates adds the query. The map is complete once the batch was sent.
func queueRates(batch *pgx.Batch, pairs []models.CurrencyPair) map[models.CurrencyPair]models.ConversionRate {
	read := slices.Clone(pairs)                     // with the euro in place of currencies that it replaced
	fixed := make([][2]decimal.Decimal, len(pairs)) // from and to: units of these currencies for one euro
	since := make([]time.Time, len(pairs))          // the day since which the later fixed rate applies
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
			return nil // 9 decimals cannot express this rate, so there is none
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
			if read[i].From == read[i].To && err == nil { // both have a fixed rate, so no day has rates
				err = take(i, models.ConversionRate{Day: since[i], Source: money.FixedRateSource}, decimal.One, decimal.One)
			}
		}
		return err
	})
	return rates
}

// StillMissing is RatesStillMissing for transactions that are about to wait for rates. If there are any,
// it sends batch, which may begin the database transaction.
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

// RatesStillMissing checks that the rates of pairs are still missing. An import of rates waits for the end of this
// database transaction, and then finds the rows that wait. It sends nothing without pairs. Errors:
// models.ErrUnavailable if a rate has arrived, so that the caller reads the rates again.
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

// ratesPerStatement is the most rates of one statement of an import.
const ratesPerStatement = 20_000

// evaluateWithoutRate marks nexus whose sums lack amounts as changed.
const evaluateWithoutRate = `
	INSERT INTO nexus_changes AS k (organization_id, country_code, state_code, n, pending)
	SELECT organization_id, country_code, CASE WHEN state_code = country_code THEN '' ELSE state_code END, 1, true
	  FROM nexus_records WHERE without_rate ORDER BY 1, 2, 3
	ON CONFLICT (organization_id, country_code, state_code) DO UPDATE SET n = k.n + 1, pending = true, due_at = now()`

// ImportRates writes reference rates, all or none, and returns how many were new or different. Nexus that lacks rates
// is evaluated again. It calls progress with the number of written rates.
func (s *Store) ImportRates(
	ctx context.Context, source string, rates []money.ReferenceRate, progress func(int),
) (changed int64, err error) {
	err = s.db.InTx(ctx, func(ctx context.Context) error {
		// One import runs at a time, because two would lock the rows in different orders.
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

// writeRates writes one part and returns how many were new or different.
func (s *Store) writeRates(ctx context.Context, source string, part []money.ReferenceRate) (int64, error) {
	written, err := s.db.Exec(ctx, saveRates.SQL, saveRates.Values([]any{source}, rateRows.Of(part))...)
	return written.RowsAffected(), err
}
