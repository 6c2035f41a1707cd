package api

import (
	"bufio"
	"context"

	"levy/api/pdf"
	"levy/contract"
	"levy/models"
	"levy/models/report"
)

// reportForms are the forms of a report: each writes its beginning when it gets the
// head, then transaction by transaction, then its end.
var reportForms = map[string]struct {
	contentType string
	limit       int  // transactions; 0 for all
	taxes       bool // of each transaction by jurisdiction
	begin       func(to *bufio.Writer, h *report.Head) (reportForm, error)
}{
	"json": {contentType: "application/json; charset=utf-8", begin: beginJSON},
	"csv":  {contentType: "text/csv; charset=utf-8", taxes: true, begin: beginCSV},
	"pdf":  {contentType: "application/pdf", limit: pdf.Printed, begin: beginPDF},
}

// reportForm is a report that is being written.
type reportForm struct {
	transaction func(*report.Transaction) error
	end         func() error
}

// GetFilingReport writes the report of a filing while it is read.
func (s *Server) GetFilingReport(
	ctx context.Context, request contract.GetFilingReportRequest, stream contract.Stream,
) error {
	form := reportForms[request.Params.Format]
	file := contract.Content{Type: form.contentType, Name: request.FilingID + "." + request.Params.Format}
	return s.outputs.download(ctx, stream, file, func(ctx context.Context, to *bufio.Writer) error {
		var out reportForm
		err := s.deps.Reports.ReadReport(ctx, callOf(ctx).scope, request.FilingID, report.Reader{
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

// VerifyFiling compares what was filed with what is stored now.
func (s *Server) VerifyFiling(
	ctx context.Context, request contract.VerifyFilingRequest,
) (contract.FilingVerification, error) {
	head, verdict, err := s.deps.Reports.VerifyReport(ctx, callOf(ctx).scope, request.FilingID)
	if err != nil {
		return contract.FilingVerification{}, err
	}
	answer := contract.FilingVerification{
		FilingID: request.FilingID, Verdict: "NOT_FILED", ReportHash: head.Hash,
		Differences: []contract.FilingDifference{},
	}
	if verdict == nil {
		return answer, nil
	}
	answer.Verdict = "SAME"
	if !verdict.Same() {
		answer.Verdict = "DIFFERENT"
	}
	answer.RecomputedHash, answer.Transactions = &verdict.Hash, int(verdict.Transactions)
	answer.DifferencesTruncated = verdict.Truncated
	for _, d := range verdict.Differences {
		answer.Differences = append(answer.Differences, contract.FilingDifference{
			Where: d.Where, Stated: d.Stated, Found: d.Found,
		})
	}
	return answer, nil
}

// ListTransactionsOfFiling lists the same as ListFilingTransactions, without the envelope.
func (s *Server) ListTransactionsOfFiling(
	ctx context.Context, r contract.ListTransactionsOfFilingRequest,
) (contract.TransactionRows, error) {
	return rowsOf(ctx)(s.ListFilingTransactions(ctx, contract.ListFilingTransactionsRequest{
		FilingID: r.FilingID, Params: contract.ListFilingTransactionsParams(r.Params),
	}))
}

// ListFilingTransactions lists the transactions of a filing, or those that it would claim.
func (s *Server) ListFilingTransactions(
	ctx context.Context, request contract.ListFilingTransactionsRequest,
) (contract.TransactionList, error) {
	p := contract.ListTransactionsParams(request.Params)
	filter := s.transactionFilter(&p)
	filter.MemberOf = request.FilingID
	return s.listTransactionsOf(ctx, request.FilingID, filter, &p)
}

// ListUnresolvedFilingTransactions lists the transactions that cannot be processed and may
// belong to a filing.
func (s *Server) ListUnresolvedFilingTransactions(
	ctx context.Context, request contract.ListUnresolvedFilingTransactionsRequest,
) (contract.TransactionList, error) {
	p := contract.ListTransactionsParams(request.Params)
	filter := s.transactionFilter(&p)
	filter.UnresolvedOf = request.FilingID
	return s.listTransactionsOf(ctx, request.FilingID, filter, &p)
}

// listTransactionsOf lists transactions that have to do with a filing. Errors: models.ErrNotFound.
func (s *Server) listTransactionsOf(
	ctx context.Context, filingID string, filter models.TransactionFilter, p *contract.ListTransactionsParams,
) (contract.TransactionList, error) {
	if err := s.deps.Reports.FilingExists(ctx, callOf(ctx).scope, filingID); err != nil {
		return contract.TransactionList{}, err
	}
	return s.listTransactions(ctx, filter, p)
}
