package web

import (
	"cmp"
	"html/template"
	"io"
	"levy/contract"
	"levy/internal/pace"
	"levy/models"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// fileImport is an import of a file.
type fileImport struct{ contract.TransactionImport }

func (f fileImport) is(status models.ImportStatus) bool {
	return models.ImportStatus(f.Status) == status
}

// OfEntries reports whether the file has entries of returns.
func (f fileImport) OfEntries() bool { return models.ImportKind(f.Kind) == models.ImportFilingEntries }

// Running reports whether the import is in progress.
func (f fileImport) Running() bool { return f.is(models.ImportQueued) || f.is(models.ImportRunning) }

// Resumable reports whether a person can resume the import.
func (f fileImport) Resumable() bool { return f.is(models.ImportPaused) || f.is(models.ImportFailed) }

// HasRejected reports whether some rows of the file were not imported.
func (f fileImport) HasRejected() bool { return f.Rejected+f.Conflicting > 0 }

// Truncated reports whether the import may have more problems than it lists.
func (f fileImport) Truncated() bool { return len(f.Problems) >= shownProblems }

// shownProblems is the number of problems that an import lists, as in the contract.
const shownProblems = 20

type importList struct {
	listPage

	Items   []fileImport
	Export  template.URL
	Filters filterForm
	File    field // the field for the file of a new import
}

// importStatuses are the statuses by which the list is filtered.
var importStatuses = options(models.ImportQueued, models.ImportRunning, models.ImportPaused, models.ImportCompleted,
	models.ImportCancelled, models.ImportFailed)

// fileOf returns an input for a file of the given types.
func fileOf(label, kinds string) field {
	return field{Name: "file", Label: label, Kind: "file", Required: true, Accept: kinds, Native: true}
}

func (c *Console) imports(v *pageRequest) error {
	list := importList{
		File:   fileOf("File", ".csv,text/csv"),
		Export: v.fileOf("imports", v.URL.Query(), importParameters...),
	}
	found, err := v.session.WithQuery(v.sized(pick(v.URL.Query(), append([]string{"page"}, importParameters...)...))).
		ListTransactionImports(v.Context(), contract.ListTransactionImportsRequest{})
	if err != nil {
		return err
	}
	list.listPage = v.pageOf(found.Total, found.Page, found.Pages)
	list.Filters = filters("Filter", v.URL.Query(), allOf("status", "status", "Status", importStatuses))
	for _, each := range found.Items {
		list.Items = append(list.Items, fileImport{each})
	}
	return v.show("Imports", list)
}

// readImport reads the import of the path.
func (v *pageRequest) readImport() (fileImport, error) {
	one, err := v.session.GetTransactionImport(v.Context(),
		contract.GetTransactionImportRequest{ImportID: v.PathValue("id")})
	return fileImport{one}, err
}

func (c *Console) importOf(v *pageRequest) error {
	one, err := v.readImport()
	if err != nil {
		return err
	}
	return v.show(isolated(cmp.Or(valueOf(one.Name), "Import")), one)
}

// uploadWindow is the time over which a file has to arrive at the least rate.
const uploadWindow = time.Minute

// upload imports the file of the form while it arrives.
func (c *Console) upload(v *pageRequest) error {
	control := http.NewResponseController(v.w)
	arriving := v.WithContext(v.Context())
	arriving.Body = pace.NewReader(v.Body, control, uploadWindow, answerTime, time.Now)
	parts, err := arriving.MultipartReader()
	if err != nil {
		return &problem{Status: http.StatusUnsupportedMediaType, Title: "The form has no file"}
	}
	file, err := parts.NextPart()
	if err != nil || file.FormName() != "file" || file.FileName() == "" {
		return &problem{Status: http.StatusBadRequest, Title: "No file was chosen",
			Detail: "Choose a CSV file with transactions, or with entries of returns."}
	}
	return v.importFile(file.FileName(), file)
}

// importFile imports a file while it arrives, and redirects to the page of its import.
func (v *pageRequest) importFile(name string, content io.Reader) error {
	created, err := v.session.WithFile(&contract.File{Type: "text/csv", Content: content}).CreateTransactionImport(
		v.Context(), contract.CreateTransactionImportRequest{Params: contract.CreateTransactionImportParams{Name: name}})
	if err != nil {
		return fileRefusal(err)
	}
	return v.goToOwn("imports", created.ID)
}

// columnInText finds the name of a column in a message.
var columnInText = regexp.MustCompile(`[a-z]+(_[a-z0-9]+)+`)

// fileRefusal adds lines and columns to the error messages about a file. Columns have their names from the file: labels
// could not be found there.
func fileRefusal(err error) error {
	refused := problemOf(err)
	if refused == nil || refused.Code != invalidFields {
		return err
	}
	refused.Title = "The file cannot be imported"
	for i := range refused.Errors {
		e := &refused.Errors[i]
		line, column, found := strings.Cut(strings.TrimPrefix(e.Location, "body.line["), "].")
		if _, err := strconv.Atoi(column); found && err == nil {
			e.Message = "Line " + line + ", column " + column + ": " + columnInText.ReplaceAllString(e.Message, "“$0”")
		} else if found {
			e.Message = strings.ReplaceAll(e.Message, column, "“"+column+"”")
		}
		e.Location = ""
	}
	return refused
}

// changeImport pauses, resumes or cancels an import.
func (c *Console) changeImport(v *pageRequest) error {
	id := v.PathValue("id")
	var err error
	switch v.PostFormValue("action") {
	case "pause":
		_, err = v.session.PauseTransactionImport(v.Context(), contract.PauseTransactionImportRequest{ImportID: id})
	case "resume":
		_, err = v.session.ResumeTransactionImport(v.Context(), contract.ResumeTransactionImportRequest{ImportID: id})
	case "cancel":
		_, err = v.session.CancelTransactionImport(v.Context(), contract.CancelTransactionImportRequest{ImportID: id})
	default:
		return unknownAction()
	}
	return v.goBack(err)
}

// rejected answers with the file of rejected rows.
func (c *Console) rejected(v *pageRequest) error { return v.download(v.writeRejected) }

// writeRejected writes the file of rejected rows of the import of the path. Errors: those of the operation.
func (v *pageRequest) writeRejected(out contract.Stream) error {
	return v.session.ExportRejectedRows(v.Context(), contract.ExportRejectedRowsRequest{ImportID: v.PathValue("id")}, out)
}
