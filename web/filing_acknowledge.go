package web

import (
	"io"

	"levy/contract"
	reasons "levy/contract/problem"
	"levy/models"
	"levy/service"
)

// acknowledge takes the acknowledgement of a state that a person has from its web site.
func (c *Console) acknowledge(v *pageRequest) error {
	file, err := v.uploadedDocument()
	var content []byte
	if err == nil {
		content, err = acknowledgementOf(file)
	}
	if err == nil {
		_, err = v.session.AcknowledgeFiling(v.Context(), contract.AcknowledgeFilingRequest{
			FilingID: v.PathValue("id"), Body: contract.FilingAcknowledgement{Content: string(content)},
		})
	}
	if refused, ok := correctable(err); ok {
		return c.showFiling(v, filingPage{}, refused)
	}
	if err != nil {
		return err
	}
	return v.goToOwn("filings", v.PathValue("id"))
}

// acknowledgementOf reads a file to its end. Before the service checks the person, it reads no more than other calls send.
// Errors: *reasons.Problem.
func acknowledgementOf(file *contract.File) ([]byte, error) {
	content, err := io.ReadAll(io.LimitReader(file.Content, service.DefaultBodyLimit+1))
	if err != nil {
		return nil, reasons.New(reasons.CodeInvalidJSON, "The file could not be read to its end.")
	}
	if int64(len(content)) > service.DefaultBodyLimit {
		return nil, reasons.New(reasons.CodePayloadTooLarge, "").With("limit_bytes", service.DefaultBodyLimit)
	}
	return content, nil
}

// File returns the field for that file.
func (filingPage) File() field { return fileOf("Acknowledgement", ".xml") }

// Acknowledgeable reports whether a state may acknowledge the return by a file of its web site.
func (p filingPage) Acknowledgeable() bool {
	return p.ReturnLayout != nil && models.IsSimplifiedLayout(*p.ReturnLayout)
}
