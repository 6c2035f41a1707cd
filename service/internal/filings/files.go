package filings

import (
	"archive/zip"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"levy/internal/csvfile"
	"levy/models"
	"levy/service/internal/convert"
	"levy/service/internal/deps"
)

// File is a file of a return.
type File struct {
	Name    string
	Content []byte
}

// ReturnFiles makes the files of returns for commands.
type ReturnFiles struct{ operations *Operations }

// NewReturnFiles returns the files of the returns of stores. They need filings, reports, registrations, onboardings, the
// audit trail, the law in force, and the authorities to which adapters send returns.
func NewReturnFiles(stores *deps.Deps, now func() time.Time) *ReturnFiles {
	return &ReturnFiles{New(stores, now, nil)}
}

// Export returns what people need of a return: worksheet, figures, findings and payment, and the document if there is one.
// Errors: models.ErrNotFound.
func (r *ReturnFiles) Export(ctx context.Context, scope models.Scope, id string) ([]File, error) {
	sheet, err := r.operations.worksheet(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	facts, err := r.operations.deps.Reports.ReturnFacts(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	m := r.operations.makeReturn(r.operations.deps.SentTo.Of(facts))
	findings, err := document(newReturn(&facts.Filing, &m))
	if err != nil {
		return nil, err
	}
	lines, err := table(linesHeader, func(w *csvfile.Writer) error { return writeLines(w, sheet.Lines) })
	if err != nil {
		return nil, err
	}
	figures, err := table(figuresHeader, func(w *csvfile.Writer) error { return writeFigures(w, sheet.Figures) })
	if err != nil {
		return nil, err
	}
	paid, err := r.operations.answerPayment(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	payment, err := document(paid)
	if err != nil {
		return nil, err
	}
	files := []File{{"worksheet.csv", lines}, {"figures.csv", figures}, {"findings.json", findings}, {"payment.json", payment}}
	if m.document.Content != nil {
		files = append(files, File{m.document.FileName, m.document.Content})
	}
	return files, nil
}

// table returns rows below a header as CSV.
func table(header []string, rows func(*csvfile.Writer) error) ([]byte, error) {
	var file bytes.Buffer
	w := &csvfile.Writer{To: bufio.NewWriter(&file)}
	for _, name := range header {
		w.Cell(name)
	}
	if err := w.End(); err != nil {
		return nil, err
	}
	if err := rows(w); err != nil {
		return nil, err
	}
	err := w.To.Flush()
	return file.Bytes(), err
}

// document returns a value as JSON that people read.
func document(value any) ([]byte, error) {
	text, err := json.MarshalIndent(value, "", "  ")
	return append(text, '\n'), err
}

// proven is what a proof says of a filed return. It has the stored values of that time, and none of the present
// content.
type proven struct {
	FilingID       string `json:"filing_id"`
	OrganizationID string `json:"organization_id"`
	Country        string `json:"country_code"`
	State          string `json:"state_code"`
	Start          string `json:"start_date"`
	End            string `json:"end_date"`
	Category       string `json:"filing_category"`
	Currency       string `json:"currency"`
	Liability      string `json:"total_tax_liability"`
	Amount         string `json:"amount"`
	Remitted       string `json:"tax_remitted"`

	Document *provenDocument `json:"document"` // null: none was built

	ApprovedBy            *string    `json:"approved_by"`
	ApprovedAt            *time.Time `json:"approved_at"`
	DateFiled             *string    `json:"date_filed"`
	ReturnConfirmationID  *string    `json:"return_confirmation_id"`
	PaymentConfirmationID *string    `json:"payment_confirmation_id"`
	ReportHash            *string    `json:"report_hash"`
}

// provenDocument names the document that the authority got.
type provenDocument struct {
	Layout         string                 `json:"layout"`
	FileName       string                 `json:"file_name"`
	Attempt        int                    `json:"attempt"`
	Day            string                 `json:"day"`
	Transmitter    string                 `json:"transmitter"`
	TransmissionID string                 `json:"transmission_id"`
	DocumentID     string                 `json:"document_id"`
	Hash           string                 `json:"sha256"`
	BuiltAt        time.Time              `json:"built_at"`
	Findings       []models.ReturnFinding `json:"findings"`
}

// errNotFiled refuses the proof of a return that is not filed.
var errNotFiled = errors.New("there is a proof once the return is FILED")

// mostEvents is more than the history of a filing has.
const mostEvents = 10_000

// Proof returns one archive of a filed return. It has the document that the authority got, the history with the approval
// and every answer, the stored acknowledgements, the confirmations, and all hashes. The same return has the same bytes.
// Errors: models.ErrNotFound.
func (r *ReturnFiles) Proof(ctx context.Context, scope models.Scope, id string) ([]byte, error) {
	facts, err := r.operations.deps.Reports.ReturnFacts(ctx, scope, id)
	if err != nil {
		return nil, err
	}
	f := &facts.Filing
	if f.Status != models.FilingFiled {
		return nil, fmt.Errorf("filing %s is %s: %w", id, f.Status, errNotFiled)
	}
	history, err := r.operations.deps.Filings.FilingHistory(ctx, scope, id, models.Page{Limit: mostEvents})
	if err != nil {
		return nil, err
	}
	m := r.operations.makeReturn(facts)
	said, err := document(provenOf(f, &m))
	if err != nil {
		return nil, err
	}
	events, err := document(convert.ConvertAll(history.Items, filingEvent))
	if err != nil {
		return nil, err
	}
	files := []File{{"return.json", said}, {"history.json", events}}
	if m.document.Content != nil {
		files = append(files, File{"document/" + m.document.FileName, m.document.Content})
	}
	if m.fixed {
		answers, err := r.operations.deps.Reports.AcknowledgementsTo(ctx, scope, m.document)
		if err != nil {
			return nil, err
		}
		for i := range answers {
			files = append(files, File{fmt.Sprintf("acknowledgements/%03d.xml", i+1), answers[i].Message})
		}
	}
	return archive(files)
}

func provenOf(f *models.Filing, m *made) proven {
	p := proven{
		FilingID: f.ID, OrganizationID: f.OrganizationID, Country: f.CountryCode, State: f.StateCode,
		Start: f.StartDate.Format(time.DateOnly), End: f.EndDate.Format(time.DateOnly), Category: string(f.FilingCategory),
		Currency: f.Currency, Liability: f.TotalTaxLiability.String(), Amount: f.AmountText(), Remitted: f.TaxRemitted.String(),
		ApprovedBy: f.ApprovedBy, ApprovedAt: convert.OptionalInstant(f.ApprovedAt),
		ReturnConfirmationID: f.ReturnConfirmationID, PaymentConfirmationID: f.PaymentConfirmationID, ReportHash: f.ReportHash,
	}
	if f.DateFiled != nil {
		day := f.DateFiled.Format(time.DateOnly)
		p.DateFiled = &day
	}
	if d := &m.document; m.fixed {
		p.Document = &provenDocument{
			Layout: d.Layout, FileName: d.FileName, Attempt: d.Attempt, Day: d.Day.String(), Transmitter: d.Transmitter,
			TransmissionID: d.TransmissionID, DocumentID: d.DocumentID, Hash: d.Hash, BuiltAt: d.BuiltAt, Findings: d.Findings,
		}
	}
	return p
}

// archive returns files as one, with the sum of each as sha256sum prints it. It has no times.
func archive(files []File) ([]byte, error) {
	slices.SortFunc(files, func(a, b File) int { return cmp.Compare(a.Name, b.Name) })
	var sums strings.Builder
	for _, f := range files {
		sum := sha256.Sum256(f.Content)
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(sum[:]), f.Name)
	}
	var out bytes.Buffer
	w := zip.NewWriter(&out)
	for _, f := range append(files, File{"SHA256SUMS", []byte(sums.String())}) {
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := to.Write(f.Content); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}
