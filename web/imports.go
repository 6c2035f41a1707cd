package web

import (
	"bytes"
	"cmp"
	"html/template"
	"io"
	"levy/contract"
	"levy/internal/csvfile"
	"levy/internal/pace"
	"levy/models"
	"mime/multipart"
	"net/http"
	"regexp"
	"slices"
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
	Columns []field // to assign, of a file that was refused
	File    field   // the field for the file of a new import
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
		Columns: v.columns, File: fileOf("File", ".csv,text/csv"),
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
	assigned, file, err := assignedColumns(parts)
	if err != nil || file.FormName() != "file" || file.FileName() == "" {
		return &problem{Status: http.StatusBadRequest, Title: "No file was chosen",
			Detail: "Choose a CSV file with transactions, or with entries of returns."}
	}
	head := &headOfFile{}
	err = v.importFile(file.FileName(), io.TeeReader(file, head), strings.Join(assigned, ","))
	if refused := problemOf(err); refused != nil && refused.Code == invalidFields {
		v.columns = columnFields(head.Bytes(), assigned)
	}
	return err
}

// assignedColumns reads the fields before the file of a form: the names that are assigned to the columns of the file, in its order.
func assignedColumns(parts *multipart.Reader) (assigned []string, file *multipart.Part, err error) {
	for {
		part, err := parts.NextPart()
		if err != nil || !strings.HasPrefix(part.FormName(), columnField) {
			return assigned, part, err
		}
		name, err := io.ReadAll(io.LimitReader(part, maxColumnName))
		if err != nil || len(assigned) == maxColumns {
			return nil, nil, cmp.Or(err, io.ErrUnexpectedEOF)
		}
		assigned = append(assigned, string(name))
	}
}

const (
	// columnField begins the names of the fields that assign columns.
	columnField = "column-"
	// maxColumns is the largest number of columns of a file, and maxColumnName the largest size of the name of one in bytes.
	maxColumns, maxColumnName = 256, 100
	// headSize is the number of bytes of a file in which its header is looked for.
	headSize = 64 << 10
)

// headOfFile keeps the beginning of a file that is read.
type headOfFile struct{ bytes.Buffer }

func (h *headOfFile) Write(b []byte) (int, error) {
	_, err := h.Buffer.Write(b[:min(len(b), headSize-h.Len())])
	return len(b), err
}

// columnFields returns a field for each column of a file, to assign one that Levy reads. assigned are those of the form; a column
// without one gets that of its own name.
func columnFields(head []byte, assigned []string) (fields []field) {
	text := bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	row, err := csvfile.NewReader(bytes.NewReader(text), csvfile.Position{Line: 1}, csvfile.Separator(text)).Next()
	if err != nil || row.Fault != nil {
		return nil
	}
	known := importColumns()
	for i, name := range row.Cells {
		label := cmp.Or(strings.TrimSpace(name), "Column "+strconv.Itoa(i+1))
		f := choice(columnField+strconv.Itoa(i), label, "off", known)
		f.Blank = "Leave out"
		if len(assigned) == len(row.Cells) {
			f.Value = assigned[i]
		} else if plain := strings.ToLower(strings.ReplaceAll(label, " ", "_")); slices.Contains(known, option{plain, plain}) {
			f.Value = plain
		}
		fields = append(fields, f)
	}
	return fields
}

// importColumns returns the columns that files of both kinds may have, as the templates name them.
func importColumns() (all []option) {
	for _, template := range []string{"import_transactions.csv", "import_entries.csv"} {
		names, _ := assets.ReadFile("assets/" + template) // it is compiled in, and a test reads it
		for name := range strings.SplitSeq(strings.TrimSpace(string(names)), ",") {
			if o := (option{name, name}); !slices.Contains(all, o) {
				all = append(all, o)
			}
		}
	}
	return all
}

// importFile imports a file while it arrives, and redirects to the page of its import. columns are the names of its columns; "" for
// those of its header.
func (v *pageRequest) importFile(name string, content io.Reader, columns string) error {
	created, err := v.session.WithFile(&contract.File{Type: "text/csv", Content: content}).CreateTransactionImport(
		v.Context(), contract.CreateTransactionImportRequest{
			Params: contract.CreateTransactionImportParams{Name: name, Columns: columns}})
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
