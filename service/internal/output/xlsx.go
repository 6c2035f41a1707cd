package output

import (
	"bufio"
	"context"

	"levy/contract"
	"levy/internal/xlsxfile"
	"levy/models"
	"levy/service/limit"
)

// TypeXLSX is the media type of workbooks.
const TypeXLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

// workbooks are the workbooks in progress. Each is in memory until it is complete, about 15 MB at most.
var workbooks = limit.Sizes{Total: 4, Partner: 3, Alone: 3, Organization: 1}

// Table takes the rows of a file: cell by cell, each row with an end.
type Table interface {
	Text(s string) // a text of a client, which is never a formula
	Cell(s string) // a number or a code
	End() error
}

// StreamXLSX sends a workbook of one sheet. Errors: those of Download, and *models.InvalidError for more rows than one may
// have, before anything is sent.
func (o *Outputs) StreamXLSX(
	ctx context.Context, out contract.Stream, name string, header []string, rows func(context.Context, *xlsxfile.Writer) error,
) error {
	release, err := acquire(ctx, o.workbooks)
	if err != nil {
		return err
	}
	defer release()
	file := contract.Content{Type: TypeXLSX, Name: name}
	return o.Download(ctx, out, file, func(ctx context.Context, to *bufio.Writer) error {
		w, err := xlsxfile.New(header)
		if err != nil {
			return err
		}
		defer func() { _ = w.Close() }()
		if err := rows(ctx, w); err != nil {
			return err
		}
		_, err = w.WriteTo(to)
		return err
	})
}

// TooManyRows refuses a workbook of so many rows; nil if it may have them.
func TooManyRows(total int64) error {
	if total <= xlsxfile.MaxRows {
		return nil
	}
	return tooManyRows("This has more rows than a workbook of 10,000. Take csv, or ask for less.")
}

// tooManyRows refuses a file in words.
func tooManyRows(message string) error {
	return &models.InvalidError{Faults: []models.Fault{{
		Code: models.FieldTooMany, In: models.InQuery, Path: "format", Message: message,
	}}}
}
