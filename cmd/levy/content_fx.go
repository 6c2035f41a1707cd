package main

import (
	"archive/zip"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"levy/internal/progress"
	"levy/models"
	"levy/store"
	"levy/tax/money"
)

// maxRateFile is several times the history of all currencies, in bytes.
const maxRateFile = 64 << 20

// rateSource is who publishes the files that are read.
const rateSource = "ECB"

// ratesImported are euro reference rates that were imported, for programs.
type ratesImported struct {
	Rates    int    `json:"rates"`
	First    string `json:"first_day"`
	Last     string `json:"last_day"`
	Changed  int    `json:"new_or_changed"`
	Requeued int    `json:"transactions_processed_again"`
}

type importFXCmd struct {
	jsonFlag

	File string `arg:"" help:"CSV or zip file, - for standard input."`
}

// Run imports the rates of a file and lets transactions that waited for them go on.
// A file with a fault changes nothing; the same file twice changes nothing either.
func (c importFXCmd) Run(p *program) error {
	rates, err := readRates(c.File)
	if err != nil {
		return fmt.Errorf("%s: %w", c.File, err)
	}
	s, err := p.openStore(needDatabase)
	if err != nil {
		return err
	}
	defer s.Close()
	shown := progress.Begin(p.progressTo, "Rates", progress.Items, int64(len(rates)))
	changed, err := s.Content.ImportRates(p.ctx, rateSource, rates, func(n int) { shown.Add(int64(n)) })
	shown.End()
	if err != nil {
		return err
	}
	first, last := span(rates)
	return tell(p, c.jsonFlag, func(p *program) (*ratesImported, error) {
		fmt.Fprintf(p.stdout, "%d rates from %s to %s, %d of them new or changed.\n", len(rates), first, last, changed)
		did := &ratesImported{Rates: len(rates), First: first, Last: last, Changed: int(changed)}
		did.Requeued, err = requeueConversions(p.ctx, s, p.stdout)
		return did, err
	})
}

// requeueConversions lets transactions go on that waited for a rate. Those that
// still have none wait again.
func requeueConversions(ctx context.Context, s *store.Store, out io.Writer) (int, error) {
	run := models.StageRun{Attempt: 1, WorkflowID: "levy content import-fx"}
	n, err := s.Transactions.RequeueNeedsRefetch(ctx, run, models.RefetchCalculation)
	if err != nil {
		return 0, fmt.Errorf("the rates are stored, transactions wait for the next import: %w", err)
	}
	if n > 0 {
		fmt.Fprintf(out, "%d transactions that waited are processed again.\n", n)
	}
	return n, nil
}

func readRates(name string) ([]money.ReferenceRate, error) {
	from := io.ReadCloser(os.Stdin)
	if name != "-" {
		file, err := os.Open(name)
		if err != nil {
			return nil, err
		}
		from = file
	}
	defer func() { _ = from.Close() }()
	raw, err := readLimited(from)
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(raw, []byte("PK")) {
		if raw, err = unzipOne(raw); err != nil {
			return nil, err
		}
	}
	return money.ReadReferenceRates(bytes.NewReader(raw))
}

func readLimited(from io.Reader) ([]byte, error) {
	raw, err := io.ReadAll(io.LimitReader(from, maxRateFile+1))
	if err == nil && len(raw) > maxRateFile {
		err = fmt.Errorf("larger than %d MiB", maxRateFile>>20)
	}
	return raw, err
}

// unzipOne reads the only file of an archive.
func unzipOne(raw []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return nil, err
	}
	if len(archive.File) != 1 {
		return nil, errors.New("the archive must hold one file")
	}
	file, err := archive.File[0].Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return readLimited(file)
}

// span is the first and the last day of rates.
func span(rates []money.ReferenceRate) (first, last string) {
	for _, r := range rates {
		day := r.Day.Format(time.DateOnly)
		if first == "" || day < first {
			first = day
		}
		last = max(last, day)
	}
	return first, last
}
