package web

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// fileImport is an import of a file of transactions.
type fileImport struct {
	ID          string    `json:"id"`
	Name        string    `json:"name"`
	Status      string    `json:"status"`
	Reason      string    `json:"reason"`
	Size        int64     `json:"size"`
	Percent     int       `json:"percent"`
	Rows        int64     `json:"rows"`
	Done        int64     `json:"transactions"`
	Accepted    int64     `json:"accepted"`
	Present     int64     `json:"already_present"`
	Conflicting int64     `json:"conflicting"`
	Rejected    int64     `json:"rejected"`
	Created     time.Time `json:"created_at"`
	Problems    []struct {
		Line    int64  `json:"line"`
		Column  string `json:"column"`
		Code    string `json:"code"`
		Message string `json:"message"`
	} `json:"problems"`
}

// Running reports whether the import is in progress.
func (f fileImport) Running() bool { return f.Status == "QUEUED" || f.Status == "RUNNING" }

// HasRejected reports whether some rows of the file were not imported.
func (f fileImport) HasRejected() bool { return f.Rejected+f.Conflicting > 0 }

// Truncated reports whether the import may have more problems than it lists.
func (f fileImport) Truncated() bool { return len(f.Problems) >= shownProblems }

// shownProblems is the number of problems that an import lists, as in the contract.
const shownProblems = 20

type importList struct {
	listPage

	Items []fileImport `json:"items"`
	File  field        // the field for the file of a new import
}

// fileOf returns an input for a file of the given types.
func fileOf(label, kinds string) field {
	return field{Name: "file", Label: label, Kind: "file", Required: true, Accept: kinds, Native: true}
}

const importsPath = "/v1/transactions/imports"

func (c *Console) imports(v *pageRequest) error {
	list := importList{listPage: v.listPage(), File: fileOf("File", ".csv,text/csv")}
	if err := v.get(importsPath+"?"+pick(list.Query, "status", "page"), v.org, &list); err != nil {
		return err
	}
	return v.show("Imports", list)
}

func (c *Console) importOf(v *pageRequest) error {
	var one fileImport
	if err := v.get(importsPath+"/"+v.id(), v.org, &one); err != nil {
		return err
	}
	return v.show(cmp.Or(one.Name, "Import"), one)
}

// uploadTime is the longest time for the upload of a file.
const uploadTime = time.Hour

// upload passes a file through to the API while it arrives.
func (c *Console) upload(v *pageRequest) error {
	control := http.NewResponseController(v.w)
	until := time.Now().Add(uploadTime)
	_, _ = control.SetReadDeadline(until), control.SetWriteDeadline(until) // writers of tests have no deadlines
	parts, err := v.MultipartReader()
	if err != nil {
		return &problem{Status: http.StatusUnsupportedMediaType, Title: "The form has no file"}
	}
	file, err := parts.NextPart()
	if err != nil || file.FormName() != "file" || file.FileName() == "" {
		return &problem{Status: http.StatusBadRequest, Title: "No file was chosen",
			Detail: "Choose a file in the form of the export."}
	}
	call, err := inner(v.Request, http.MethodPost,
		importsPath+"?"+url.Values{"name": {file.FileName()}}.Encode(), v.org, nil)
	if err != nil {
		return err
	}
	call.Body, call.ContentLength = io.NopCloser(file), -1
	call.Header.Set("Content-Type", "text/csv")
	var created fileImport
	if _, err := c.answered(call, &created); err != nil {
		return fileRefusal(err)
	}
	return v.goToOwn("imports", created.ID)
}

// columnInText finds the name of a column in a message.
var columnInText = regexp.MustCompile(`[a-z]+(_[a-z0-9]+)+`)

// fileRefusal adds lines and columns to the error messages about a file. Columns have their names from the file: labels
// could not be found there.
func fileRefusal(err error) error {
	var refused *problem
	if !errors.As(err, &refused) || refused.Code != invalidFields {
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
	action := v.PostFormValue("action")
	if action != "pause" && action != "resume" && action != "cancel" {
		return unknownAction()
	}
	path := importsPath + "/" + v.id() + "/" + action
	return v.goBack(v.call(http.MethodPost, path, v.org, nil, nil))
}

// rejected answers with the file of rejected rows.
func (c *Console) rejected(v *pageRequest) error {
	return c.pass(v, importsPath+"/"+v.id()+"/rejected_rows")
}
