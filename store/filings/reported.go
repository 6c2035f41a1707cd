package filings

// ReportedTotals selects the totals x that the reports of authorities add up: those in the return of the authority that
// taxes. The returns of the one-stop shop report the same a second time.
const ReportedTotals = "x.member_code = x.country_code"

// ReportedSales selects the transactions t whose lines the report of products adds up.
const ReportedSales = `t.status IN ('COMMITTED', 'FULLY_REFUNDED', 'PARTIALLY_REFUNDED')
	   AND t.processing_status IN ('PROCESSED', 'FILING_STARTED', 'FILING_DONE', 'LOCKED')`

// ReportedFigures are the gross and taxable sales of totals x by the reason why not all is taxed, as rows g. A figure of
// the level of the authority has the sales of its lines. Totals of an earlier release without figures are not divided yet.
const ReportedFigures = `(
	   SELECT split_part(g.key, '|', 6) AS reason, g.gross, g.taxable
	     FROM unnest(x.figure_keys, x.figure_gross, x.figure_taxable) AS g (key, gross, taxable)
	    WHERE split_part(g.key, '|', 6) <> ''
	   UNION ALL
	   SELECT 'NOT_DIVIDED', x.sales, x.taxable WHERE x.figure_keys IS NULL AND x.sales <> x.taxable) g`
