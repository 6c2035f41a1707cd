package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"levy/client"
	"levy/internal/progress"
)

type importCmd struct {
	File         string        `arg:"" type:"existingfile" help:"CSV file in the form of an export."`
	Organization string        `required:"" help:"Organization whose transactions these are (org_...)."`
	URL          string        `name:"url" var:"LEVY_URL" default:"http://127.0.0.1:8080" help:"Address of the service."`
	APIKey       Secret        `name:"api-key" var:"LEVY_API_KEY" placeholder:"KEY" help:"Key of the organization."`
	Rejected     string        `placeholder:"FILE" help:"Where the rejected rows go; FILE.rejected.csv unless given."`
	Columns      string        `placeholder:"NAMES" help:"Names of the columns in their order, such as external_id,,type."`
	Every        time.Duration `hidden:"" default:"1s"`
}

// errRejected says that the import is done and not everything was taken in.
var errRejected = errors.New("not all rows were taken in")

// Run sends the file and watches the import until it is over. Run again with the same
// file it watches the same import, and resumes it when it rests.
func (c importCmd) Run(p *program) error {
	if err := present("LEVY_API_KEY", c.APIKey.Reveal()); err != nil {
		return err
	}
	service := client.New(c.URL, c.APIKey.Reveal(), c.Organization)
	im, err := c.send(p, service)
	if err != nil {
		return readable(err)
	}
	if im.Status == client.TransactionImportStatusPAUSED || im.Status == client.TransactionImportStatusFAILED {
		if im, err = service.ResumeTransactionImport(p.ctx, im.ID); err != nil {
			return readable(err)
		}
	}
	if im, err = c.watch(p, service, im); err != nil {
		if errors.Is(err, context.Canceled) {
			return fmt.Errorf("interrupted; the import %s goes on without this command, run it again to watch", im.ID)
		}
		return readable(err)
	}
	fmt.Fprintf(p.stdout, "%s: %s\n%d rows, %d transactions: %d recorded, %d were there already, "+
		"%d in conflict, %d refused\n",
		im.ID, im.Status, im.Rows, im.Transactions, im.Accepted, im.AlreadyPresent, im.Conflicting, im.Rejected)
	if im.RestoredPostalCodes > 0 {
		fmt.Fprintf(p.stdout, "The leading zero of a US postal code was put back in %d transactions.\n",
			im.RestoredPostalCodes)
	}
	return c.conclude(p, service, im)
}

// readable is an answer of the service with its places, for people, or says that there was none.
func readable(err error) error {
	var unanswered *url.Error
	if errors.As(err, &unanswered) {
		return fmt.Errorf("the service at LEVY_URL does not answer: %w", unanswered)
	}
	var refused *client.Error
	if !errors.As(err, &refused) {
		return err
	}
	lines := append([]string{
		fmt.Sprintf("the service at LEVY_URL answers %d %s: %s (request %s)",
			refused.StatusCode, refused.Code, refused.Detail, refused.RequestID),
	}, client.ErrorFields(err)...)
	return errors.New(strings.Join(lines, "\n  "))
}

// send sends the file with its progress.
func (c importCmd) send(p *program, service *client.Client) (client.TransactionImport, error) {
	file, err := os.Open(c.File)
	if err != nil {
		return client.TransactionImport{}, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return client.TransactionImport{}, err
	}
	shown := progress.Begin(p.progressTo, "Sending", progress.Bytes, info.Size())
	defer shown.End()
	var options []client.CallOption
	if c.Columns != "" {
		options = append(options, client.WithColumns(c.Columns))
	}
	content := &watchedFile{File: file, shown: shown}
	return service.CreateTransactionImport(p.ctx, content, filepath.Base(c.File), options...)
}

// watchedFile shows how far it has been read.
type watchedFile struct {
	*os.File
	shown       *progress.Progress
	at, counted int64
}

func (f *watchedFile) Read(to []byte) (int, error) {
	n, err := f.File.Read(to)
	f.at += int64(n)
	if f.at > f.counted { // not what is sent a second time
		f.shown.Add(f.at - f.counted)
		f.counted = f.at
	}
	return n, err
}

func (f *watchedFile) Seek(offset int64, whence int) (int64, error) {
	at, err := f.File.Seek(offset, whence)
	f.at = at
	if whence == io.SeekEnd {
		f.at = 0 // only its size was asked
	}
	return at, err
}

// watch shows the progress of an import until it is over or rests.
func (c importCmd) watch(
	p *program, service *client.Client, im client.TransactionImport,
) (client.TransactionImport, error) {
	shown := progress.Begin(p.progressTo, "Percent taken in", progress.Items, 100)
	defer shown.End()
	for done := 0; ; {
		shown.Add(int64(im.Percent - done))
		done = im.Percent
		switch im.Status {
		case client.TransactionImportStatusQUEUED, client.TransactionImportStatusRUNNING:
		case client.TransactionImportStatusCOMPLETED, client.TransactionImportStatusCANCELLED,
			client.TransactionImportStatusPAUSED, client.TransactionImportStatusFAILED:
			return im, nil
		}
		select {
		case <-p.ctx.Done():
			return im, p.ctx.Err()
		case <-time.After(c.Every):
		}
		next, err := service.GetTransactionImport(p.ctx, im.ID)
		if err != nil {
			return im, err
		}
		im = next
	}
}

// conclude leaves the rows that were not taken in and says how it ended.
func (c importCmd) conclude(p *program, service *client.Client, im client.TransactionImport) error {
	if im.Rejected+im.Conflicting > 0 {
		if err := c.keepRejected(p, service, im.ID); err != nil {
			return readable(err)
		}
	}
	switch {
	case im.Status != client.TransactionImportStatusCOMPLETED && im.Reason != nil:
		return fmt.Errorf("the import is %s: %s", im.Status, *im.Reason)
	case im.Status != client.TransactionImportStatusCOMPLETED:
		return fmt.Errorf("the import is %s", im.Status)
	case im.Rejected+im.Conflicting > 0:
		return errRejected
	}
	return nil
}

// keepRejected writes the rows that were not taken in beside the file; a file that is
// there under that name is whole.
func (c importCmd) keepRejected(p *program, service *client.Client, id string) error {
	target := cmp.Or(c.Rejected, c.File+".rejected.csv")
	file, err := os.CreateTemp(filepath.Dir(target), ".rejected-*")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	defer file.Close()
	if err := service.ExportRejectedRows(p.ctx, id, file); err != nil {
		return err
	}
	if err := errors.Join(file.Close(), os.Rename(file.Name(), target)); err != nil {
		return err
	}
	fmt.Fprintf(p.stdout, "What was not taken in is in %s: correct it and import it.\n", target)
	return nil
}
