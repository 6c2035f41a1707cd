package service

import (
	"context"
	"encoding/hex"

	"levy/contract"
	"levy/contract/problem"
	"levy/models"
)

// FileField is the field of a form that carries the file. Others are ignored.
const FileField = "file"

// FileTypes are the kinds of files that are accepted, with the endings of their names.
var FileTypes = map[string]string{"application/pdf": ".pdf", "image/png": ".png", "image/jpeg": ".jpg"}

// CheckFile accepts a file of a form by its type.
func CheckFile(file *contract.File) (*contract.File, *problem.Problem) {
	if FileTypes[file.Type] == "" {
		return RefusedForm(models.FieldInvalidFormat, FileField, "The file must be a PDF, PNG or JPEG.")
	}
	return file, nil
}

func RefusedForm(code, field, message string) (*contract.File, *problem.Problem) {
	return nil, problem.ValidationFailed(models.Fault{Code: code, Path: field, Message: message})
}

// receiveUpload stores a file while it arrives. The body of the input is the hash of the file then: so the same file is
// the same request. end must be called when the operation has been carried out. Errors: those of storeUpload.
func (s *Service) ReceiveUpload(
	ctx context.Context, file *contract.File, limit int64, in *Input,
) (end func(), err error) {
	if in.upload, end, err = s.subjects.StoreUpload(ctx, file, limit); err != nil {
		return end, err
	}
	in.Body = []byte(hex.EncodeToString(in.upload.Im.SHA256))
	return end, nil
}
