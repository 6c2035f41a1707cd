package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"levy/models"
	"levy/models/report"
	"levy/store"
)

// verifyFilingCmd recomputes the report of a filed return. A saved report needs no
// server and no database: it holds all that its hash covers.
type verifyFilingCmd struct {
	Organization string `arg:"" optional:"" help:"Id of the organization, org_…; with the filing, to verify what the database holds."`
	Filing       string `arg:"" optional:"" help:"Id of the filing, file_…"`
	Report       string `help:"Saved JSON form of the report, from GET /v1/filings/{id}/report?format=json. Alone it is verified by itself; with a filing the two are compared, which tells the transactions that differ." type:"existingfile" placeholder:"FILE"`
}

// errReportDiffers makes the command end with exit code 1 after it printed what
// differs.
var errReportDiffers = errors.New("the report is not what was filed")

// Run prints "same", or what differs.
func (c verifyFilingCmd) Run(p *program) error {
	if (c.Organization == "") != (c.Filing == "") || c.Filing == "" && c.Report == "" {
		return errors.New("name an organization and its filing, or a saved report, or all three")
	}
	same := true
	if c.Report != "" {
		head, result, err := checkReport(c.Report)
		if err != nil {
			return fmt.Errorf("%s: %w", c.Report, err)
		}
		same = result.Same()
		if err := printResult(p.stdout, "saved report", head, result); err != nil {
			return err
		}
	}
	if c.Filing != "" {
		stored, err := c.verifyStored(p)
		if err != nil {
			return err
		}
		same = same && stored
	}
	if !same {
		return errReportDiffers
	}
	return nil
}

// verifyStored verifies what the database holds.
func (c verifyFilingCmd) verifyStored(p *program) (same bool, err error) {
	s, err := p.openStore(needDatabase)
	if err != nil {
		return false, err
	}
	defer s.Close()
	scope := models.Scope{OrganizationID: c.Organization}
	head, result, err := s.Filings.VerifyReport(p.ctx, scope, c.Filing)
	if err != nil {
		return false, fmt.Errorf("filing %s of %s: %w", c.Filing, c.Organization, err)
	}
	if result == nil {
		return false, fmt.Errorf(
			"filing %s is %s: there is a report to verify once it is FILED", c.Filing, head.Filing.Status,
		)
	}
	if err := printResult(p.stdout, "database", head, result); err != nil {
		return false, err
	}
	same = result.Same()
	if c.Report == "" {
		return same, nil
	}
	differences, err := compareSaved(p.ctx, s, scope, c.Filing, c.Report)
	if err != nil {
		return false, err
	}
	return same && differences.Same(), printDifferences(p.stdout, differences, "saved", "database")
}

// checkReport recomputes a saved report from itself alone.
func checkReport(name string) (head *report.Head, result *report.Result, err error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	var check *report.Check
	err = report.Read(file, func(h *report.Head) (err error) {
		head = h
		check, err = report.NewCheck(h)
		return err
	}, func(t *report.Transaction) error { return check.Transaction(t) })
	if err != nil {
		return nil, nil, err
	}
	result, err = check.Result()
	return head, result, err
}

// compareSaved compares a saved report with the stored one, transaction by
// transaction.
func compareSaved(
	ctx context.Context, s *store.Store, scope models.Scope, filing, name string,
) (*report.Result, error) {
	file, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return report.Compare(func(head func(*report.Head) error, each func(*report.Transaction) error) error {
		return report.Read(file, head, each)
	}, func(head func(*report.Head) error, each func(*report.Transaction) error) error {
		return s.Filings.ReadReport(ctx, scope, filing, report.Reader{Head: head, Transaction: each})
	})
}

func printResult(out io.Writer, which string, head *report.Head, result *report.Result) error {
	word, stated := "same", "a preview, which has no hash"
	if !result.Same() {
		word = "different"
	}
	if head.Hash != nil {
		stated = "report hash " + *head.Hash
	}
	if _, err := fmt.Fprintf(out, "%s: %s of %s, %d transactions, %s\n", word, which, head.Filing.ID,
		result.Transactions, stated); err != nil {
		return err
	}
	return printDifferences(out, result, "stated", "recomputed")
}

func printDifferences(out io.Writer, result *report.Result, stated, found string) error {
	if result.Same() {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(table, "\t%s\t%s\n", stated, found)
	for _, d := range result.Differences {
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Where, d.Stated, d.Found)
	}
	if result.Truncated {
		fmt.Fprintln(table, "and more\t\t")
	}
	return table.Flush()
}
