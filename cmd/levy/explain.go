package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"levy/tax"
)

// explainCmd needs no server and no database: an explanation holds all that its
// calculation was given. That of a credit note also needs the explanation of its sale.
type explainCmd struct {
	File     string `arg:"" help:"Answer of GET /v1/transactions/{id}/explanation; - reads standard input."`
	Original string `help:"Of a credit note or tax refund: the same answer about its sale." type:"existingfile" placeholder:"FILE"`
	Content  string `help:"Folder of content tables to use instead of the embedded ones." type:"existingdir" placeholder:"DIR"`
}

// errDifferent makes the command end with exit code 1 after it printed what
// differs.
var errDifferent = errors.New("the recomputed tax differs")

// stored is an explanation as the API answers it.
type stored struct {
	TransactionID string `json:"transaction_id"`
	Revision      int    `json:"revision"`
	tax.Explanation
	Original *struct {
		TransactionID string `json:"transaction_id"`
	} `json:"original"`
}

// Run prints "same", or a table of what differs.
func (e explainCmd) Run(p *program) error {
	s, err := readExplanation(e.File)
	if err != nil {
		return err
	}
	taxes, err := e.load()
	if err != nil {
		return err
	}
	repeat := e.calculate
	if s.Original != nil {
		repeat = e.refund
	}
	result, err := repeat(s, taxes)
	if err != nil {
		return err
	}
	return compare(p.stdout, s, &result.Explanation)
}

// calculate repeats the calculation of a sale.
func (e explainCmd) calculate(s *stored, taxes *tax.Content) (tax.Result, error) {
	request, err := s.Request()
	if err != nil {
		return tax.Result{}, fmt.Errorf("%s cannot be recomputed: %w", e.File, err)
	}
	result, err := taxes.Calculate(request)
	if err != nil {
		return tax.Result{}, fmt.Errorf("recompute %s: %w", e.File, err)
	}
	return result, nil
}

// refund repeats a credit note or tax refund. Its tax follows from that of its sale.
func (e explainCmd) refund(s *stored, taxes *tax.Content) (tax.Result, error) {
	of := s.Original.TransactionID
	if e.Original == "" {
		return tax.Result{}, fmt.Errorf("%s refunds %s: name the explanation of that sale with --original", s.TransactionID, of)
	}
	sale, err := readExplanation(e.Original)
	if err != nil {
		return tax.Result{}, err
	}
	if sale.TransactionID != of {
		return tax.Result{}, fmt.Errorf("%s explains %s, but %s refunds %s", e.Original, sale.TransactionID, s.TransactionID, of)
	}
	request, err := s.RefundRequest(of, sale.Explanation, taxes.Calculate)
	if err != nil {
		return tax.Result{}, fmt.Errorf("%s cannot be recomputed: %w", e.File, err)
	}
	result, err := tax.Refund(request)
	if err != nil {
		return tax.Result{}, fmt.Errorf("recompute %s: %w", e.File, err)
	}
	return result, nil
}

func readExplanation(name string) (*stored, error) {
	file := os.Stdin
	if name != "-" {
		var err error
		if file, err = os.Open(name); err != nil {
			return nil, err
		}
		defer file.Close()
	}
	s := &stored{}
	if err := json.NewDecoder(file).Decode(s); err != nil {
		return nil, fmt.Errorf("%s is not an explanation: %w", name, err)
	}
	return s, nil
}

func (e explainCmd) load() (*tax.Content, error) {
	if e.Content == "" {
		return tax.LoadContent()
	}
	return tax.ReadContent(os.DirFS(e.Content))
}

func compare(out io.Writer, s *stored, recomputed *tax.Explanation) error {
	differences := tax.Compare(&s.Explanation, recomputed)
	outcome := "same"
	if len(differences) > 0 {
		outcome = "different"
	}
	fmt.Fprintf(out, "%s: %s revision %d, tax %s on %s by the law of %s\n", outcome, s.TransactionID, s.Revision,
		recomputed.Totals.TaxAmount, recomputed.Totals.TaxableAmount, s.TaxDate)
	if s.ContentVersion != recomputed.ContentVersion {
		fmt.Fprintf(
			out, "calculated with content %s, recomputed with %s\n", s.ContentVersion, recomputed.ContentVersion,
		)
	}
	if len(differences) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(table, "\tstored\trecomputed")
	for _, d := range differences {
		fmt.Fprintf(table, "%s\t%s\t%s\n", d.Where, d.Stored, d.Recomputed)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return errDifferent
}
