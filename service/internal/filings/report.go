package filings

import (
	"bufio"
	"context"

	"levy/contract"
	"levy/models/report"
	"levy/service/internal/call"
	"levy/service/internal/pdf"
)

// reportForms are the formats of a report. Each writes its beginning with the head, then each transaction,
// then its end.
var reportForms = map[string]struct {
	contentType string
	limit       int  // largest number of transactions; 0 for all
	taxes       bool // whether transactions have their taxes by jurisdiction
	begin       func(to *bufio.Writer, h *report.Head) (reportForm, error)
}{
	"json": {contentType: "application/json; charset=utf-8", begin: beginJSON},
	"csv":  {contentType: "text/csv; charset=utf-8", taxes: true, begin: beginCSV},
	"pdf":  {contentType: "application/pdf", limit: pdf.Printed, begin: beginPDF},
}

// reportForm writes a report in one format.
type reportForm struct {
	transaction func(*report.Transaction) error
	end         func() error
}

// GetFilingReport writes the report of a filing while it reads it.
func (o *Operations) GetFilingReport(
	ctx context.Context, request contract.GetFilingReportRequest, stream contract.Stream,
) error {
	form := reportForms[request.Params.Format]
	file := contract.Content{Type: form.contentType, Name: request.FilingID + "." + request.Params.Format}
	return o.outputs.Download(ctx, stream, file, func(ctx context.Context, to *bufio.Writer) error {
		var out reportForm
		err := o.deps.Reports.ReadReport(ctx, call.Of(ctx).Scope, request.FilingID, report.Reader{
			Limit: form.limit, Taxes: form.taxes,
			Head: func(h *report.Head) (err error) {
				out, err = form.begin(to, h)
				return err
			},
			Transaction: func(t *report.Transaction) error { return out.transaction(t) },
		})
		if err != nil {
			return err
		}
		return out.end()
	})
}

func beginJSON(to *bufio.Writer, h *report.Head) (reportForm, error) {
	w, err := report.NewJSONWriter(to, h)
	return reportForm{w.Transaction, w.End}, err
}

func beginCSV(to *bufio.Writer, h *report.Head) (reportForm, error) {
	w, err := newReportCSV(to, h)
	return reportForm{w.Transaction, w.End}, err
}

func beginPDF(to *bufio.Writer, h *report.Head) (reportForm, error) {
	w := pdf.New(h)
	return reportForm{
		transaction: func(t *report.Transaction) error { w.Transaction(t); return nil },
		end:         func() error { return w.Write(to) },
	}, nil
}

// VerifyFiling compares the filed report with the stored records.
func (o *Operations) VerifyFiling(
	ctx context.Context, request contract.VerifyFilingRequest,
) (contract.FilingVerification, error) {
	head, result, err := o.deps.Reports.VerifyReport(ctx, call.Of(ctx).Scope, request.FilingID)
	if err != nil {
		return contract.FilingVerification{}, err
	}
	answer := contract.FilingVerification{
		FilingID: request.FilingID, Verdict: "NOT_FILED", ReportHash: head.Hash,
		Differences: []contract.FilingDifference{},
	}
	if result == nil {
		return answer, nil
	}
	answer.Verdict = "SAME"
	if !result.Same() {
		answer.Verdict = "DIFFERENT"
	}
	answer.RecomputedHash, answer.Transactions = &result.Hash, int(result.Transactions)
	answer.DifferencesTruncated = result.Truncated
	for _, d := range result.Differences {
		answer.Differences = append(answer.Differences, contract.FilingDifference{
			Where: d.Where, Stated: d.Stated, Found: d.Found,
		})
	}
	return answer, nil
}
