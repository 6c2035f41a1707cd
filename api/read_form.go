package api

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
	"levy/service"
)

// boundaryOf returns the boundary of a form; empty for a body of another type.
func boundaryOf(h http.Header) string {
	types := h.Values("Content-Type")
	if len(types) != 1 {
		return ""
	}
	media, params, err := mime.ParseMediaType(types[0])
	if err != nil || media != "multipart/form-data" {
		return ""
	}
	return params["boundary"]
}

// readForm returns the file of a form, or the problem of the form.
func readForm(boundary string, body []byte) (*contract.File, *problem.Problem) {
	var file *contract.File
	var content []byte
	for parts := multipart.NewReader(bytes.NewReader(body), boundary); len(body) > 0; {
		part, err := parts.NextRawPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return service.RefusedForm(models.FieldInvalidFormat, "", "The form cannot be read.")
		}
		if part.FormName() != service.FileField {
			continue
		}
		if file != nil {
			return service.RefusedForm(models.FieldDuplicateValue, service.FileField, "Only one file may be sent.")
		}
		content, err = readAll(make([]byte, 0, len(body)), part, int64(len(body)))
		if err != nil {
			return service.RefusedForm(models.FieldInvalidFormat, "", "The form cannot be read.")
		}
		file = &contract.File{
			Name: part.FileName(), Type: http.DetectContentType(content), Content: bytes.NewBuffer(content),
		}
	}
	if file == nil || len(content) == 0 {
		return service.RefusedForm(models.FieldMissing, service.FileField, "file is required.")
	}
	return service.CheckFile(file)
}
