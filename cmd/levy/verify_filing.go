package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"levy/models/report"
)

// verifyFilingCmd recomputes the hash of a filed report.
type verifyFilingCmd struct {
	Report string `required:"" help:"Saved JSON form of a report, from GET /v1/filings/{id}/report?format=json." type:"existingfile" placeholder:"FILE"`
}

// errReportDiffers makes the command end with exit code 1 after it printed what
// differs.
var errReportDiffers = errors.New("the report is not what was filed")

// Run prints "same", or a table of what differs.
func (c verifyFilingCmd) Run(p *program) error {
	file, err := os.Open(c.Report)
	if err != nil {
		return err
	}
	defer file.Close()
	head, verdict, err := checkReport(file)
	if err != nil {
		return fmt.Errorf("%s: %w", c.Report, err)
	}
	return printVerdict(p.stdout, head, verdict)
}

// checkReport recomputes a saved report from itself alone.
func checkReport(file io.ReadSeeker) (*report.Head, *report.Verdict, error) {
	var head *report.Head
	var check *report.Check
	err := report.Read(file, func(h *report.Head) (err error) {
		head = h
		check, err = report.NewCheck(h)
		return err
	}, func(t *report.Transaction) error { return check.Transaction(t) })
	if err != nil {
		return nil, nil, err
	}
	verdict, err := check.Verdict()
	return head, verdict, err
}

func printVerdict(out io.Writer, head *report.Head, verdict *report.Verdict) error {
	word, stated := "same", "a preview, which has no hash"
	if !verdict.Same() {
		word = "different"
	}
	if head.Hash != nil {
		stated = "report hash " + *head.Hash
	}
	fmt.Fprintf(out, "%s: %s, %s, %d transactions, %s\n", word, head.Filing.ID, head.Filing.Status, verdict.Transactions, stated)
	if verdict.Same() {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tstated\trecomputed")
	for _, d := range verdict.Differences {
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Where, d.Stated, d.Found)
	}
	if verdict.Truncated {
		fmt.Fprintln(table, "and more\t\t")
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return errReportDiffers
}
