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

// Running reports whether an import still changes by itself.
func (f fileImport) Running() bool { return f.Status == "QUEUED" || f.Status == "RUNNING" }

// HasRejected reports whether there is something in the file that was not taken in.
func (f fileImport) HasRejected() bool { return f.Rejected+f.Conflicting > 0 }

// Truncated reports whether there may be more problems than the import shows.
func (f fileImport) Truncated() bool { return len(f.Problems) >= shownProblems }

// shownProblems is how many problems an import shows, as the contract has it.
const shownProblems = 20

type importList struct {
	listPage

	Items []fileImport `json:"items"`
	File  field        // to be imported
}

// fileOf asks for a file of some kinds.
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

// uploadTime is how long a file may take to arrive.
const uploadTime = time.Hour

// upload passes a file on to the API while it arrives.
func (c *Console) upload(v *pageRequest) error {
	control := http.NewResponseController(v.w)
	until := time.Now().Add(uploadTime)
	_, _ = control.SetReadDeadline(until), control.SetWriteDeadline(until) // a writer of a test has none
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

// columnInText is a column that a message names.
var columnInText = regexp.MustCompile(`[a-z]+(_[a-z0-9]+)+`)

// fileRefusal says what is wrong with a file by its lines and columns. A column is called as in the file: in words nobody
// could correct it.
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

// rejected is the file of what was not taken in.
func (c *Console) rejected(v *pageRequest) error {
	return c.pass(v, importsPath+"/"+v.id()+"/rejected_rows")
}

// correctable reports whether the API refused something that a person can put right on the page.
func correctable(err error) (*problem, bool) {
	var refused *problem
	if !errors.As(err, &refused) {
		return nil, false
	}
	return refused, refused.Status == http.StatusBadRequest || refused.Status == http.StatusConflict && refused.Undone()
}
