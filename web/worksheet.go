package web

import (
	"fmt"
	"net/http"

	"levy/contract"
)

// worksheetPage is a return in the lines of its form.
type worksheetPage struct {
	filing
	contract.FilingWorksheet
	Rows []worksheetRow
}

// worksheetRow is a line of a worksheet with the figures that add up to it.
type worksheetRow struct {
	contract.WorksheetLine
	From []contract.WorksheetFigure
}

// worksheet shows a return in the lines of its form.
func (c *Console) worksheet(v *pageRequest) error {
	v.backToParent = true
	read, err := v.readFiling()
	if err != nil {
		return err
	}
	page := worksheetPage{filing: filing{Filing: read}}
	page.FilingWorksheet, err = v.session.GetFilingWorksheet(v.Context(),
		contract.GetFilingWorksheetRequest{FilingID: v.PathValue("id")})
	if err != nil {
		return err
	}
	for _, line := range page.Lines {
		row := worksheetRow{WorksheetLine: line}
		for _, n := range line.Figures {
			if n > 0 && n <= len(page.Figures) {
				row.From = append(row.From, page.Figures[n-1])
			}
		}
		page.Rows = append(page.Rows, row)
	}
	v.render(http.StatusOK, "Worksheet: "+page.Jurisdiction()+", "+day(page.StartDate.String())+" – "+
		day(page.EndDate.String()), page)
	return nil
}

// worksheetFile answers with the lines of a worksheet, or its figures, as a file.
func (c *Console) worksheetFile(v *pageRequest) error {
	request := contract.ExportFilingWorksheetRequest{FilingID: v.PathValue("id")}
	request.Params.Of = "lines"
	if v.URL.Query().Get("of") == "figures" {
		request.Params.Of = "figures"
	}
	v.file = fmt.Sprintf("%s %s.csv", request.FilingID, request.Params.Of)
	return v.download(func(out contract.Stream) error {
		return v.session.ExportFilingWorksheet(v.Context(), request, out)
	})
}

// returnFile answers with the file of a return for its authority, or with its findings.
func (c *Console) returnFile(v *pageRequest) error {
	request := contract.GetFilingReturnRequest{FilingID: v.PathValue("id")}
	request.Params.Format = "document"
	if format := v.URL.Query().Get("format"); format == "findings" || format == "upload" {
		request.Params.Format = format
	}
	return v.download(func(out contract.Stream) error { return v.session.GetFilingReturn(v.Context(), request, out) })
}
