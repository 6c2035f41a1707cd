package api

import (
	"context"
	"encoding/hex"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
)

// fileField is the field of a form that carries the file. Others are ignored.
const fileField = "file"

// fileTypes are the kinds of files that are accepted, with the endings of their names.
var fileTypes = map[string]string{"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg"}

// checkFile accepts a file of a form by its type.
func checkFile(file *contract.File) (*contract.File, *problem.Problem) {
	if fileTypes[file.Type] == "" {
		return refusedForm(models.FieldInvalidFormat, fileField, "The file must be a PDF, PNG or JPEG.")
	}
	return file, nil
}

func refusedForm(code, field, message string) (*contract.File, *problem.Problem) {
	return nil, problem.ValidationFailed(models.Fault{Code: code, Path: field, Message: message})
}

// receiveUpload stores a file while it arrives. The body of the input is the hash of the file then: so the same file is
// the same request. end must be called when the operation has been carried out. Errors: those of storeUpload.
func (s *Server) receiveUpload(
	ctx context.Context, file *contract.File, limit int64, in *Input,
) (end func(), err error) {
	if in.upload, end, err = s.storeUpload(ctx, file, limit); err != nil {
		return end, err
	}
	in.Body = []byte(hex.EncodeToString(in.upload.im.SHA256))
	return end, nil
}
